package main

import (
	"context"
	"sync"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
)

// job is something that runs for a while: a search, a perft count, a bench.
type job struct {
	// cancel asks the job to end. It may be called often.
	cancel context.CancelFunc
	// done gets the job's one answer.
	done chan answer
	mail *mailbox
	// hit is closed by ponderhit; nil when the job does not ponder or the hit has come. hitTimes is the clock that
	// came with the hit; it is written before hit is closed.
	hit      chan struct{}
	hitTimes *search.ClockTimes
	// batch marks work that only stop and quit cut short: counts and benches. endsItself marks a search that neither
	// waits for the GUI nor runs on its clock.
	batch, endsItself bool
}

// answer is the lines that close a job, after all its reports.
type answer []string

// mailbox is the way of reports from a job to the protocol. The sender never waits. Of the blocks of thinking the newest
// wins; messages are all kept.
type mailbox struct {
	// bell has one element while there is something to take.
	bell chan struct{}

	mu    sync.Mutex
	texts []string
	block []search.Info
}

func newMailbox() *mailbox { return &mailbox{bell: make(chan struct{}, 1)} }

// report leaves a block of lines of thinking, or messages. They must not be changed afterwards.
func (m *mailbox) report(infos []search.Info) {
	m.mu.Lock()
	var block []search.Info
	for i := range infos {
		if infos[i].Text != "" {
			m.texts = append(m.texts, usi.FormatInfo(&infos[i]))
		} else {
			block = append(block, infos[i])
		}
	}
	if block != nil {
		m.block = block
	}
	m.mu.Unlock()
	m.ring()
}

// text leaves a finished line of output.
func (m *mailbox) text(line string) {
	m.mu.Lock()
	m.texts = append(m.texts, line)
	m.mu.Unlock()
	m.ring()
}

func (m *mailbox) ring() {
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

// take empties the box.
func (m *mailbox) take() (texts []string, block []search.Info) {
	m.mu.Lock()
	defer m.mu.Unlock()
	texts, block = m.texts, m.block
	m.texts, m.block = nil, nil
	return texts, block
}
