package match

import (
	"fmt"
	"strings"
)

// didYouMean returns `, did you mean "…"?` with the known name that is nearest to the unknown one, or "" when none is near.
func didYouMean(unknown string, known []string) string {
	best, bestDistance := "", len(unknown)/2+2
	for _, name := range known {
		if d := distance(strings.ToLower(unknown), strings.ToLower(name)); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance returns the edit distance of two texts in bytes: insertions, deletions and replacements (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
