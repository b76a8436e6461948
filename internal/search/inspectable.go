//go:build !noinspect

package search

// Inspectable says whether searches can be watched: whether they look for a Sink at all. It is a constant so that the
// build tag noinspect takes the calls out of the program, which shows what they cost.
const Inspectable = true
