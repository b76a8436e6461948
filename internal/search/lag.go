package search

import "time"

// Lag learns by how much a search oversteps its deadline on a machine that has other work, so that the next one can keep more time back. The
// zero value has seen nothing.
type Lag struct{ late time.Duration }

// maxLag is the most that is kept back beside the usual margins.
const maxLag = 300 * time.Millisecond

// Note tells how much later than its deadline a search ended. A delay is forgotten by a quarter with each search that follows.
func (l *Lag) Note(late time.Duration) {
	l.late = min(maxLag, max(late, l.late*3/4))
}

// Add returns the margins with what was learnt.
func (l *Lag) Add(o ClockOptions) ClockOptions {
	o.Delay += l.late
	o.MoveTimeDelay += l.late
	return o
}
