package uct

import (
	"sync"
	"sync/atomic"
)

// parking is where the workers of a search stop between two playouts while one of them changes what all of them use. mu is also held
// by whoever else reads more of the tree than one node at a time.
type parking struct {
	mu     sync.Mutex
	opened *sync.Cond
	called atomic.Bool // a worker waits for the others
	active int         // workers that are under way or parked
	parked int
	round  int
}

// open makes the parking ready for a number of workers.
func (p *parking) open(workers int) {
	p.opened = sync.NewCond(&p.mu)
	p.active = workers
}

// park waits until all workers are parked; the last one does the work and lets the others go on.
func (p *parking) park(work func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.called.Store(true)
	p.parked++
	if p.parked == p.active {
		p.finish(work)
		return
	}
	for round := p.round; round == p.round; {
		p.opened.Wait()
	}
}

// leave is called by a worker that ends; if all others are parked it does their work.
func (p *parking) leave(work func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	if p.parked > 0 && p.parked == p.active {
		p.finish(work)
	}
}

func (p *parking) finish(work func()) {
	work()
	p.parked = 0
	p.round++
	p.called.Store(false)
	p.opened.Broadcast()
}
