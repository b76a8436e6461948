package dashboard

import (
	"context"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/yomi-shogi/yomi/internal/inspect"
)

// hub knows the pages that are connected. While there are any, one goroutine has the source look at what there is to show.
type hub struct {
	source Source
	config *Config
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	closed   bool
	reserved int // connections, also those that are not clients yet
	clients  map[*client]bool
	looking  bool
	running  sync.WaitGroup
}

const (
	// lookInterval is the shortest time between two updates.
	lookInterval = 100 * time.Millisecond
	// clientInterval is added for each page beyond the first, so that many of them cost no more than some.
	clientInterval = 4 * time.Millisecond
	// maxFilters is the most different log filters.
	maxFilters = 8
)

func newHub(source Source, c *Config) *hub {
	h := &hub{source: source, config: c, clients: make(map[*client]bool)}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// reserve takes a place for a connection; release gives it back.
func (h *hub) reserve() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.reserved >= maxClients {
		return false
	}
	h.reserved++
	h.running.Add(1)
	return true
}

func (h *hub) release() {
	h.mu.Lock()
	h.reserved--
	h.mu.Unlock()
	h.running.Done()
}

// farewell is how long pages may take to say good-bye.
const farewell = 200 * time.Millisecond

// close takes leave of all pages and waits for their goroutines.
func (h *hub) close() {
	var leaving sync.WaitGroup
	h.mu.Lock()
	h.closed = true
	for c := range h.clients {
		leaving.Go(func() { _ = c.conn.Close(websocket.StatusGoingAway, "the dashboard ends") })
	}
	h.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		leaving.Wait()
		close(gone)
	}()
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-gone:
	case <-late.C:
	}
	h.cancel()
	<-gone // a connection that is given up ends its good-bye
	h.running.Wait()
}

// join greets a client and adds it. Whoever says something holds no lock that a greeting needs.
func (h *hub) join(c *client) {
	h.mu.Lock()
	h.source.greet(c)
	h.clients[c] = true
	if !h.looking {
		h.looking = true
		h.running.Go(h.look)
	}
	h.mu.Unlock()
	h.source.changed()
}

// leave removes a client.
func (h *hub) leave(c *client) {
	h.mu.Lock()
	delete(h.clients, c)
	h.mu.Unlock()
	h.source.changed()
}

// look has the source look, until there are no clients.
func (h *hub) look() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var now time.Time
		select {
		case now = <-timer.C:
		case <-h.ctx.Done():
		}
		h.mu.Lock()
		n := len(h.clients)
		if n == 0 || h.ctx.Err() != nil {
			h.looking = false
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		h.source.look(now)
		timer.Reset(lookInterval + time.Duration(n-1)*clientInterval)
	}
}

// each calls a function for all clients.
func (h *hub) each(do func(c *client)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.clients {
		do(c)
	}
}

// say sends all clients a message.
func (h *hub) say(message any) {
	text := encode(message)
	h.each(func(c *client) { c.put(text) })
}

// watchers returns the number of clients that gave the token.
func (h *hub) watchers() (n int) {
	h.each(func(c *client) {
		if c.trusted.Load() {
			n++
		}
	})
	return n
}

// filters returns the clients' filters by their words.
func (h *hub) filters() map[string]inspect.Filter {
	found := make(map[string]inspect.Filter)
	h.each(func(c *client) {
		c.mu.Lock()
		defer c.mu.Unlock()
		found[c.words] = c.filter
	})
	return found
}

// sayByFilter sends each client the message for its filter's words, if there is one.
func (h *hub) sayByFilter(messages map[string][]byte) {
	h.each(func(c *client) {
		c.mu.Lock()
		text := messages[c.words]
		c.mu.Unlock()
		if text != nil {
			c.put(text)
		}
	})
}
