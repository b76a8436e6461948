package mate

// For the external tests, which may import packages above this one.
var (
	RequireLikeTwin  = requireLikeTwin
	RequireSameCheck = requireSameChecks
)
