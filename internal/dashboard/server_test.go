package dashboard_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/search"
)

func TestAssets(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	base, _, _ := strings.Cut(b.server.URL(), "?")
	require.Contains(t, b.server.URL(), "?token="+token)
	for _, path := range []string{"", "index.html"} {
		response := get(t, base+path, nil)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Contains(t, strings.ToLower(string(text)), "<!doctype html>")
		require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
		require.Contains(t, response.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", response.Header.Get("Referrer-Policy"))
	}
	for _, path := range []string{"none", "web/dist/index.html", "../server.go", "%2e%2e/server.go", "index.html/"} {
		require.Equal(t, http.StatusNotFound, get(t, base+path, nil).StatusCode, path)
	}
}

func TestRefusedRequests(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	base, _, _ := strings.Cut(b.server.URL(), "?")
	for name, change := range map[string]func(r *http.Request){
		"foreign host":          func(r *http.Request) { r.Host = "evil.example" },
		"foreign host and port": func(r *http.Request) { r.Host = "127.0.0.1.evil.example:80" },
		"other address":         func(r *http.Request) { r.Host = "192.0.2.1" },
		"no host":               func(r *http.Request) { r.Host = "[" },
		"foreign origin":        func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"other port's origin":   func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") },
		"null origin":           func(r *http.Request) { r.Header.Set("Origin", "null") },
		"two origins": func(r *http.Request) {
			r.Header["Origin"] = []string{strings.TrimSuffix(base, "/"), "http://evil.example"}
		},
		"secure origin": func(r *http.Request) {
			r.Header.Set("Origin", strings.Replace(strings.TrimSuffix(base, "/"), "http:", "https:", 1))
		},
		"bad origin": func(r *http.Request) { r.Header.Set("Origin", "http://%zz") },
	} {
		for _, path := range []string{"", "ws"} {
			require.Equal(t, http.StatusForbidden, get(t, base+path, change).StatusCode, name)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodHead, http.MethodPut, http.MethodOptions, "X"} {
		require.Equal(t, http.StatusMethodNotAllowed, get(t, base, func(r *http.Request) { r.Method = method }).StatusCode, method)
	}
	require.Equal(t, http.StatusUpgradeRequired, get(t, base+"ws", nil).StatusCode)
	require.Equal(t, http.StatusForbidden, get(t, base+"ws?token=wrong", nil).StatusCode)
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, get(t, base, func(r *http.Request) { r.Header.Set("X", strings.Repeat("x", 1<<16)) }).StatusCode)
	own := func(r *http.Request) { r.Header.Set("Origin", strings.TrimSuffix(base, "/")) }
	require.Equal(t, http.StatusOK, get(t, base, own).StatusCode)
}

// Lines that are no HTTP get an error or nothing, and the server lives on.
func TestMalformedRequests(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	address := strings.TrimSuffix(strings.TrimPrefix(socket(b.server), "ws://"), "/ws")
	for _, text := range []string{"\x00\x01\x02\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12\r\nSec-WebSocket-Key: x\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + strings.Repeat("x", 1<<16) + "\r\n\r\n"} {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = io.WriteString(conn, text)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
		answer, _ := io.ReadAll(io.LimitReader(conn, 12))
		require.Contains(t, []string{"HTTP/1.1 400", "HTTP/1.1 505", "HTTP/1.1 403", "HTTP/1.1 405", "HTTP/1.1 431"}, string(answer), "%q", text)
		require.NoError(t, conn.Close())
	}
	dial(t, b.server, "").next(dashboard.TypeHello)
}

// What a page sends that is no command gets an error, or ends the connection.
func TestMalformedCommands(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	p.next(dashboard.TypeHello)
	for _, c := range []string{"", "{", "[]", "null", `{"type":"x"}`, `{"type":1}`, `{"type":"tree","nodes":-1}`, `{"type":"tree","nodes":99999}`, `{"type":"tree","path":["9z9z"]}`,
		`{"type":"breakdown","kind":"x"}`, `{"type":"breakdown","kind":"policy","position":"x"}`, `{"type":"breakdown","kind":"conflict","a":"7g7f","b":""}`,
		`{"type":"breakdown","kind":"policy","path":["1a1b"]}`, `{"type":"step"}`, `{"type":"step","what":"event"}`, `{"type":"break","text":"ply 1"}`, `{"type":"continue"}`,
		`{"type":"seek","at":1}`, `{"type":"play","speed":-1}`, `{"type":"filter","filter":"x"}`} {
		p.say(c)
		require.NotEmpty(t, p.next(dashboard.TypeError).text, c)
	}
	for _, send := range []func(p *page) error{
		func(p *page) error { return p.conn.Write(p.ctx, websocket.MessageBinary, []byte("{}")) },
		func(p *page) error { return p.conn.Write(p.ctx, websocket.MessageText, make([]byte, 1<<20)) },
		func(p *page) error {
			for range 3 {
				if err := p.conn.Write(p.ctx, websocket.MessageText, []byte(`{"type":"auth","token":"no"}`)); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		p := dial(t, b.server, "")
		_ = send(p) // the server may have hung up meanwhile
		ended := false
		for range 100 {
			if _, _, err := p.conn.Read(p.ctx); err != nil {
				ended = true
				break
			}
		}
		require.True(t, ended)
	}
}

func TestBadAddresses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for address, want := range map[string]string{"x": "host:port", "127.0.0.1:99999": "bad port", "127.0.0.1:http": "bad port", "0.0.0.0:0": "set a token", ":0": "set a token",
		"example.org:0": "set a token", "192.0.2.1:80": "set a token", taken.Addr().String(): "in use"} {
		_, err := dashboard.Listen(dashboard.Config{Address: address}, dashboard.NewLive(dashboard.Subject{}))
		require.ErrorContains(t, err, want, address)
	}
}

// Where others can reach the server they need the token to look on.
func TestOpenAddressNeedsTheToken(t *testing.T) {
	live := dashboard.NewLive(dashboard.Subject{Engine: search.EngineUCT, EvalCoef: 600})
	s, err := dashboard.Listen(dashboard.Config{Address: "0.0.0.0:0", Token: token}, live)
	require.NoError(t, err)
	defer s.Close()
	p := dial(t, s, "")
	p.say(`{"type":"auth","token":"wrong"}`)
	_, _, err = p.conn.Read(p.ctx)
	require.Equal(t, websocket.StatusPolicyViolation, websocket.CloseStatus(err))
	p = dial(t, s, "")
	p.say(`{"type":"auth","token":"` + token + `"}`)
	p.next(dashboard.TypeHello)
	dial(t, s, "?token="+token).next(dashboard.TypeHello)
}

// Row 7: a page that does not read is dropped, and nobody waits for it.
func TestSlowPageIsDropped(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	slow := dial(t, b.server, "")
	const requests = 4000 // with answers as long, far more than the system's buffers hold
	command := []byte(`{"type":"` + strings.Repeat("x", 8000) + `"}`)
	for range requests {
		if slow.conn.Write(slow.ctx, websocket.MessageText, command) != nil {
			break
		}
	}
	answers, err := 0, error(nil)
	for ; err == nil; answers++ {
		_, _, err = slow.conn.Read(slow.ctx)
	}
	require.NoError(t, slow.ctx.Err())
	require.Less(t, answers, requests)
	dial(t, b.server, "").next(dashboard.TypeHello)
}

// A hundred pages come, stall and leave while one worker searches. The search makes as many playouts as without them, and no event
// waits for a page. Bounds are loose, as other programs run beside tests; the figures are logged.
func TestManyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	b := newBench(t, search.EngineUCT, 1)
	limits := search.Limits{MoveTime: 600 * time.Millisecond}
	stalls := &stalls{live: b.live}
	before := runtime.NumGoroutine()
	var ratios []float64
	for range 5 {
		b.live.Forget(b.searcher.Clear)
		b.search(t.Context(), game(t, "7g7f"), limits, stalls)
		alone := stalls.playouts
		stop := visitors(t, b, 100)
		b.live.Forget(b.searcher.Clear)
		b.search(t.Context(), game(t, "7g7f"), limits, stalls)
		stop()
		t.Logf("playouts alone %d, with 100 pages %d", alone, stalls.playouts)
		ratios = append(ratios, float64(stalls.playouts)/float64(alone))
	}
	slices.Sort(ratios)
	t.Logf("median of the ratios %.3f; the longest stay in the dashboard's sink %v", ratios[2], stalls.longest)
	require.Greater(t, ratios[4], 0.05) // the pages of the test run here too, on as few processors
	require.Less(t, stalls.longest, 2*time.Second)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, 10*time.Second, 10*time.Millisecond, "%d goroutines, before %d", runtime.NumGoroutine(), before)
}

// stalls is a sink that measures how long the dashboard's keeps a worker.
type stalls struct {
	live     *dashboard.Live
	playouts int64
	longest  time.Duration
	mu       sync.Mutex
}

func (s *stalls) Event(e *search.Event) {
	from := time.Now()
	s.live.Event(e)
	took := time.Since(from)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Worker >= 0 {
		s.longest = max(s.longest, took)
	}
	if e.Kind == search.EventEnd {
		s.playouts = e.Playout
	}
}

func (s *stalls) Level() search.Level { return s.live.Level() }

// visitors keeps a number of pages connected of which a third reads, a third stalls and a third comes and goes, until it is stopped.
func visitors(t *testing.T, b *bench, n int) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var connected sync.WaitGroup
	connected.Add(n)
	for i := range n {
		all.Go(func() {
			first := true
			for ctx.Err() == nil {
				conn, _, err := websocket.Dial(ctx, socket(b.server), nil)
				if first {
					connected.Done()
					first = false
				}
				if err != nil {
					continue
				}
				conn.SetReadLimit(1 << 24)
				visit(ctx, conn, i)
				_ = conn.CloseNow()
			}
		})
	}
	connected.Wait()
	return func() {
		cancel()
		all.Wait()
	}
}

func visit(ctx context.Context, conn *websocket.Conn, i int) {
	if i%3 == 1 { // stalls
		<-ctx.Done()
		return
	}
	for k := 0; i%3 == 0 || k < 10; k++ {
		if _, _, err := conn.Read(ctx); err != nil {
			return
		}
		if k%50 == 20 {
			_ = conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"type":"tree","id":%d}`, k))
		}
	}
}

// When the server ends it says so to the pages, and does not wait long for those that do not listen.
func TestFarewell(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	listens, stalls := dial(t, b.server, ""), dial(t, b.server, "")
	listens.next(dashboard.TypeSearch)
	stalls.next(dashboard.TypeSearch)
	began := time.Now()
	closed := make(chan error)
	go func() { closed <- b.server.Close() }()
	var err error
	for err == nil {
		_, _, err = listens.conn.Read(listens.ctx)
	}
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(err), err)
	require.NoError(t, <-closed)
	require.Less(t, time.Since(began), 3*time.Second)
}

// refusals returns what the server says to commands that a person can give wrongly on a page.
func refusals(t *testing.T) (texts []string) {
	ask := func(p *page, commands ...string) {
		for _, c := range commands {
			p.say(c)
			m := new(dashboard.Failure)
			p.next(dashboard.TypeError).into(t, m)
			texts = append(texts, m.Text)
		}
	}
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	ask(p, `{"type":"break","text":"ply 1"}`, `{"type":"auth","token":"no"}`)
	p.say(`{"type":"auth","token":"` + token + `"}`)
	ask(p, `{"type":"continue"}`, `{"type":"pause"}`, `{"type":"unbreak","id":9}`, `{"type":"seek","at":1}`, `{"type":"filter","filter":"x"}`)
	for _, text := range []string{"x", "move x", "square x", "ply x", "jump x", "key x", "event x", "playout x", "merge 3"} {
		ask(p, `{"type":"break","text":"`+text+`"}`)
	}
	for _, text := range []string{"depth x", "depth 3..1", "type x", "event x", "search 0", "move x", "square x"} {
		ask(p, `{"type":"filter","filter":"`+text+`"}`)
	}
	ask(p, `{"type":"breakdown","kind":"conflict","a":"7g7f","b":""}`, `{"type":"breakdown","kind":"conflict","a":"7g7e","b":"7g7f"}`, `{"type":"breakdown","kind":"policy","path":["7g7e"]}`)
	ask(dial(t, newBench(t, search.EngineAlphaBeta, 1).server, ""), `{"type":"tree"}`)
	traced := serveTrace(t, search.LevelInfo, func(w search.Sink) { told(w, "startpos", 0.5) })
	ask(traced, `{"type":"pause"}`)
	ask(traced, `{"type":"seek","at":9}`, `{"type":"seek","search":9}`, `{"type":"next","filter":"event best"}`, `{"type":"tree","path":["7g7f"]}`)
	return texts
}
