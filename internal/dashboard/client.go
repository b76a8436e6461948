package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/yomi-shogi/yomi/internal/inspect"
)

// client is a page that is connected. One goroutine reads its commands, one writes its messages.
type client struct {
	server  *Server
	hub     *hub
	conn    *websocket.Conn
	ctx     context.Context
	cancel  context.CancelFunc
	queue   chan []byte
	trusted atomic.Bool // it gave the token
	tries   int         // wrong tokens

	mu     sync.Mutex
	filter inspect.Filter // of its log
	words  string         // what filter was read from
}

const (
	// queueLength is how many messages may wait: about a second's. A page that is further behind is dropped.
	queueLength = 64
	// writeTimeout is how long a page may take for one message.
	writeTimeout = 5 * time.Second
	// pingInterval is the time between two questions whether the page is still there.
	pingInterval = 20 * time.Second
	maxTries     = 3
)

func newClient(s *Server, conn *websocket.Conn, trusted bool) *client {
	c := &client{server: s, hub: s.hub, conn: conn, queue: make(chan []byte, queueLength), filter: courseFilter()}
	c.ctx, c.cancel = context.WithCancel(s.hub.ctx)
	c.trusted.Store(trusted)
	return c
}

// serve talks with the page until it goes or is dropped.
func (c *client) serve() {
	defer c.cancel()
	c.hub.join(c)
	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	c.cancel()
	c.hub.leave(c)
	writer.Wait()
}

// read executes the page's commands.
func (c *client) read() {
	for {
		kind, text, err := c.conn.Read(c.ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			_ = c.conn.Close(websocket.StatusUnsupportedData, "want text")
			return
		}
		command, head, err := parseCommand(text)
		if err == nil {
			err = c.do(command)
		}
		if err != nil {
			c.say(&Failure{Type: TypeError, Command: head.Type, ID: head.ID, Text: err.Error()})
		}
		if c.tries >= maxTries {
			_ = c.conn.Close(websocket.StatusPolicyViolation, "wrong token")
			return
		}
	}
}

func (c *client) do(command any) error {
	switch command := command.(type) {
	case *Auth:
		if !c.server.knows(command.Token) {
			c.tries++
			return errors.New("wrong token")
		}
		if !c.trusted.Swap(true) {
			c.hub.source.changed()
			c.hub.source.greet(c)
		}
		return nil
	case *FilterCommand:
		return c.setFilter(command.Filter)
	}
	if controls(command) && !c.trusted.Load() {
		return errReadOnly
	}
	return c.hub.source.do(c, command)
}

// setFilter changes what the page's log shows.
func (c *client) setFilter(words string) error {
	filter := courseFilter()
	if words != "" {
		var err error
		if filter, err = inspect.ParseFilter(words); err != nil {
			return err
		}
	}
	c.mu.Lock()
	before, beforeWords := c.filter, c.words
	c.filter, c.words = filter, words
	c.mu.Unlock()
	if len(c.hub.filters()) > maxFilters {
		c.mu.Lock()
		c.filter, c.words = before, beforeWords
		c.mu.Unlock()
		return errors.New("the pages that are open have too many different filters")
	}
	c.hub.source.changed()
	return nil
}

// write sends what is in the queue.
func (c *client) write() {
	defer c.cancel()
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-c.ctx.Done():
			return
		case text := <-c.queue:
			err = c.limited(func(ctx context.Context) error { return c.conn.Write(ctx, websocket.MessageText, text) })
		case <-ping.C:
			err = c.limited(c.conn.Ping)
		}
		if err != nil {
			return
		}
	}
}

// limited calls a function that must not take long.
func (c *client) limited(do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(c.ctx, writeTimeout)
	defer cancel()
	return do(ctx)
}

// put puts a message into the queue; where that is full the page is too slow and is dropped.
func (c *client) put(text []byte) {
	select {
	case c.queue <- text:
	default:
		c.cancel()
	}
}

// say puts a message into the queue.
func (c *client) say(message any) { c.put(encode(message)) }

// encode returns a message's JSON. All messages can be written: they are plain data, and the numbers of searches are finite. Should one not
// be, the page learns that in its place: no page is worth a game.
func encode(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		return encode(&Failure{Type: TypeError, Text: "a message cannot be written: " + err.Error()})
	}
	return text
}
