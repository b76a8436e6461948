package dashboard_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

const token = "secret"

// bench is an engine with its dashboard.
type bench struct {
	searcher *uct.Searcher
	ab       *alphabeta.Engine
	subject  dashboard.Subject
	live     *dashboard.Live
	gameNow  *shogi.Game // that was searched last
	server   *dashboard.Server
}

// newBench returns a small engine of the kind with a dashboard that wants the token.
func newBench(t testing.TB, engine string, threads int) *bench {
	b := &bench{subject: dashboard.Subject{Engine: engine, EvalCoef: 600, Options: []dashboard.Option{{Name: "Threads", Value: "1", Default: "1"}}}}
	var err error
	if engine == search.EngineAlphaBeta {
		b.ab, err = alphabeta.NewEngine(alphabeta.Options{HashMB: 4, Config: alphabeta.Default()})
		require.NoError(t, err)
	} else {
		o := uct.DefaultOptions()
		o.Threads = threads
		b.searcher, err = uct.New(uct.Config{NewPolicy: func() uct.Policy { return policy.NewHeuristic() }, NewValue: func() uct.Value { return value.NewMaterial() },
			HashMB: 16, Options: o})
		require.NoError(t, err)
		b.subject.Searcher = b.searcher
	}
	b.live = dashboard.NewLive(b.subject)
	b.server, err = dashboard.Listen(dashboard.Config{Address: "127.0.0.1:0", Token: token, Version: "test"}, b.live)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.server.Close()) })
	return b
}

// search searches with the sink, the dashboard's where it is nil.
func (b *bench) search(ctx context.Context, g *shogi.Game, l search.Limits, sink search.Sink) search.Result {
	if sink == nil {
		sink = b.live
	}
	b.gameNow = g
	defer b.live.Begin(ctx, b.subject)()
	if b.ab != nil {
		b.ab.SetSink(sink)
		return b.ab.Search(ctx, g, l, b.live.Listen(nil))
	}
	b.searcher.SetSink(sink)
	return b.searcher.Search(ctx, g, l, b.live.Listen(nil))
}

// page is a connected page.
type page struct {
	t    testing.TB
	conn *websocket.Conn
	ctx  context.Context
}

// message is any message.
type message struct {
	Type string `json:"type"`
	text []byte
}

// into reads the message.
func (m *message) into(t testing.TB, to any) { require.NoError(t, json.Unmarshal(m.text, to)) }

// socket returns the address of a server's WebSocket, without the token.
func socket(s *dashboard.Server) string {
	address, _, _ := strings.Cut(s.URL(), "?")
	return "ws" + strings.TrimPrefix(address, "http") + "ws"
}

// dial opens a page; an empty query gives no token.
func dial(t testing.TB, s *dashboard.Server, query string) *page {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, socket(s)+query, nil)
	require.NoError(t, err)
	conn.SetReadLimit(1 << 24)
	p := &page{t, conn, ctx}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return p
}

// next returns the next message of one of the types.
func (p *page) next(types ...string) *message {
	for {
		_, text, err := p.conn.Read(p.ctx)
		require.NoError(p.t, err, "waiting for %v", types)
		m := &message{text: text}
		m.into(p.t, m)
		for _, name := range types {
			if m.Type == name {
				return m
			}
		}
		if m.Type == dashboard.TypeError {
			require.Fail(p.t, "unexpected error", "%s", text)
		}
	}
}

// say sends a command.
func (p *page) say(text string) {
	require.NoError(p.t, p.conn.Write(p.ctx, websocket.MessageText, []byte(text)))
}

// searched returns the next state of the search that is in the state.
func (p *page) searched(state string) *dashboard.Search {
	for {
		m := new(dashboard.Search)
		p.next(dashboard.TypeSearch).into(p.t, m)
		if m.State == state {
			return m
		}
	}
}

// stopped returns the next stop.
func (p *page) stopped() *dashboard.Stopped {
	for {
		m := new(dashboard.Stopped)
		p.next(dashboard.TypeStopped).into(p.t, m)
		if m.Stopped {
			return m
		}
	}
}

// game returns the game after some moves from the start.
func game(t testing.TB, moves string) *shogi.Game {
	g, err := shogi.ParsePosition("startpos moves " + moves)
	require.NoError(t, err)
	return g
}

// get makes a request with changes and returns the answer.
func get(t testing.TB, url string, change func(r *http.Request)) *http.Response {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	if change != nil {
		change(r)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}
