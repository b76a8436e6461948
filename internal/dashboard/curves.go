package dashboard

import (
	"slices"
	"time"
)

// curves keeps the candidates' curves of a search for pages that come later. When there are too many points, every other one goes.
type curves struct {
	points []curvePoint
	every  int // of so many points one is kept
	count  int
}

type curvePoint struct {
	at         float32
	candidates []Candidate // only Move, Q and Share
}

const (
	maxPoints = 600
	maxCurves = 12
)

// add adds what a message says.
func (c *curves) add(m *Search) {
	if len(m.Candidates) == 0 {
		return
	}
	c.every = max(c.every, 1)
	if c.count++; c.count%c.every != 0 {
		return
	}
	p := curvePoint{at: m.Elapsed}
	for i := range m.Candidates[:min(len(m.Candidates), maxCurves)] {
		p.candidates = append(p.candidates, Candidate{Move: m.Candidates[i].Move, Q: m.Candidates[i].Q, Share: m.Candidates[i].Share})
	}
	if c.points = append(c.points, p); len(c.points) < maxPoints {
		return
	}
	for i := range maxPoints / 2 {
		c.points[i] = c.points[2*i+1]
	}
	c.points, c.every = c.points[:maxPoints/2], 2*c.every
}

// message returns the curves of the search of the number.
func (c *curves) message(number int) *Curves {
	m := &Curves{Type: TypeCurves, Number: number, Times: []float32{}, Moves: []Curve{}}
	for i, p := range c.points {
		m.Times = append(m.Times, p.at)
		for k := range p.candidates {
			v := &p.candidates[k]
			at := slices.IndexFunc(m.Moves, func(o Curve) bool { return o.Move == v.Move })
			if at < 0 {
				at = len(m.Moves)
				m.Moves = append(m.Moves, Curve{Move: v.Move, Q: make([]*float32, len(c.points)), Share: make([]*float32, len(c.points))})
			}
			m.Moves[at].Q[i], m.Moves[at].Share[i] = &v.Q, &v.Share
		}
	}
	return m
}

// speeds measures playouts a second over the last second.
type speeds struct{ samples []speedSample }

type speedSample struct {
	at       time.Time
	playouts int64
	workers  []int64
}

const speedWindow = time.Second

func (s *speeds) reset() { s.samples = nil }

// measure fills in the speeds of a message.
func (s *speeds) measure(m *Search, now time.Time) {
	if m.State != StateThinking {
		s.reset()
		if m.Elapsed > 0 {
			m.Speed = float32(float64(m.Playouts) / float64(m.Elapsed) * 1000)
		}
		return
	}
	sample := speedSample{at: now, playouts: m.Playouts}
	for i := range m.Workers {
		sample.workers = append(sample.workers, m.Workers[i].Playouts)
	}
	s.samples = append(s.samples, sample)
	for len(s.samples) > 2 && now.Sub(s.samples[1].at) >= speedWindow {
		s.samples = s.samples[1:]
	}
	first := &s.samples[0]
	seconds := now.Sub(first.at).Seconds()
	if seconds <= 0 {
		return
	}
	m.Speed = float32(float64(m.Playouts-first.playouts) / seconds)
	for i := range m.Workers {
		if i < len(first.workers) {
			m.Workers[i].Speed = float32(float64(m.Workers[i].Playouts-first.workers[i]) / seconds)
		}
	}
}
