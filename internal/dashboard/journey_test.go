package dashboard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

//go:generate go tool esbuild web/src/app.ts web/src/app.css web/src/index.html web/src/icon.svg web/src/licences.txt --bundle --minify --target=es2022 --legal-comments=none --loader:.html=copy --loader:.svg=copy --loader:.txt=copy --log-level=warning --outdir=web/dist

// bundle runs the bundler as go generate does, into a folder.
func bundle(t *testing.T, out string, more ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("building the bundler takes too long for -short")
	}
	source, err := os.ReadFile("journey_test.go")
	require.NoError(t, err)
	_, line, ok := strings.Cut(string(source), "//go:generate go ")
	require.True(t, ok)
	line, _, _ = strings.Cut(line, "\n")
	args := strings.Fields(line)
	args[len(args)-1] = "--outdir=" + out
	cmd := exec.CommandContext(t.Context(), "go", append(args, more...)...)
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

// The files that the engine serves are those that the sources make; go generate ./internal/dashboard brings them up to date.
func TestBundleIsFresh(t *testing.T) {
	out := t.TempDir()
	bundle(t, out)
	made, err := os.ReadDir(out)
	require.NoError(t, err)
	kept, err := os.ReadDir("web/dist")
	require.NoError(t, err)
	require.Len(t, kept, len(made))
	for _, f := range made {
		want, err := os.ReadFile(filepath.Join(out, f.Name()))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("web/dist", f.Name()))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "web/dist/%s is old: run go generate ./internal/dashboard and commit it", f.Name())
	}
}

// The page's pure functions, tested in the browser that runs them.
func TestPageFunctions(t *testing.T) {
	b := openBrowser(t, look{800, 600, "light", "en"})
	out := t.TempDir()
	bundle(t, out, "web/src/selftest.ts", "--format=iife")
	code, err := os.ReadFile(filepath.Join(out, "selftest.js"))
	require.NoError(t, err)
	b.open("about:blank")
	report := b.text(string(code) + "; JSON.stringify(globalThis.selftest)")
	var got struct {
		Checks int
		Failed []string
	}
	require.NoError(t, json.Unmarshal([]byte(report), &got))
	require.Empty(t, got.Failed)
	require.Greater(t, got.Checks, 40)

	names := append(alphabeta.FeatureNames(), "policy", "features", "value")
	for g := range policy.NumMoveGroups {
		names = append(names, g.String())
	}
	arguments, err := json.Marshal([][]string{names, refusals(t)})
	require.NoError(t, err)
	require.Equal(t, "[]", b.text("JSON.stringify(selftest.untranslated(..."+string(arguments)+"))"), "all that the engine says has a translation")
}

// player is an engine in this process that plays against itself, as a GUI would have it.
type player struct {
	t      *testing.T
	engine *engine.Engine
	url    string
	game   *shogi.Game
	wg     sync.WaitGroup
	stop   context.CancelFunc
}

// newPlayer starts an engine with a dashboard. Options are pairs of name and value.
func newPlayer(t *testing.T, moves string, options ...string) *player {
	t.Helper()
	p := &player{t: t, engine: engine.New(), stop: func() {}}
	options = append([]string{"USI_Hash", "64", "Inspect_Address", "127.0.0.1:0"}, options...)
	for i := 0; i < len(options); i += 2 {
		require.NoError(t, p.engine.Set(usi.Setting{Name: options[i], Value: options[i+1], HasValue: true}))
	}
	for _, text := range p.engine.Ready() {
		if _, url, ok := strings.Cut(text, "dashboard at "); ok {
			p.url = url
		}
	}
	require.NotEmpty(t, p.url)
	game, err := shogi.ParsePosition(moves)
	require.NoError(t, err)
	p.game = game
	t.Cleanup(func() {
		p.stop()
		p.wg.Wait()
		require.NoError(t, p.engine.Close())
	})
	return p
}

// play makes so many moves in the background, with the limits for each. done is closed then.
func (p *player) play(moves int, limits search.Limits) (done chan struct{}) {
	ctx, cancel := context.WithCancel(p.t.Context())
	p.stop = cancel
	done = make(chan struct{})
	p.wg.Go(func() {
		defer close(done)
		for range moves {
			l := limits
			l.Start = time.Now()
			r := p.engine.Search(ctx, p.game.Clone(), l, func([]search.Info) {})
			if ctx.Err() != nil || !r.Best.IsMove() || p.game.Do(r.Best) != nil {
				return
			}
		}
	})
	return done
}

const opening = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b"

// Row 8: a game at a second a move: the page shows it, plays lines out, speaks both languages, and filters its log.
func TestJourneyGame(t *testing.T) {
	b := openBrowser(t, look{1500, 1000, "light", "en-US"})
	p := newPlayer(t, opening, "Threads", "1")
	b.open(p.url)
	b.until(`document.querySelector("#status").dataset.state === "idle"`)
	require.Contains(t, b.text(`document.querySelector("#candidates").textContent`), "Waiting for a search")
	require.Equal(t, float64(40), b.number(`document.querySelectorAll(".board .piece").length`))

	done := p.play(100, search.Limits{MoveTime: time.Second})
	b.until(`document.querySelector("#status").dataset.state === "searching" && document.querySelectorAll("tr.choice").length > 2`)
	b.until(`document.querySelectorAll(".board .arrow").length > 0`)
	b.until(`document.querySelectorAll(".tree-frame .node").length > 5`)

	// The game goes on meanwhile, and a new position ends the line: a person would point at it again.
	const playedOut = `document.querySelectorAll("#line button").length > 1 && document.querySelectorAll(".board .arrow").length === 0`
	b.retry(playedOut, func() {
		b.do(chromedp.MouseEvent("mouseMoved", 5, 5))
		b.hover("tr.choice td.move")
	})
	b.do(chromedp.MouseEvent("mouseMoved", 5, 5))
	b.until(`document.querySelectorAll("#line button").length === 0`)

	b.keys("l")
	b.until(`document.documentElement.lang === "ja" && document.querySelector("#candidates-title").textContent === "候補手"`)
	b.until(`/[☗☖]/.test(document.querySelector("tr.choice td.move button").textContent)`)
	b.keys("4")
	b.until(`document.querySelectorAll(".log li .text").length > 0`)
	b.choose("#panel-log select", "debug")
	b.until(`document.querySelector(".log .kind.debug")`)
	b.choose("#panel-log label:nth-child(2) select", "clock")
	b.until(`[...document.querySelectorAll(".log .kind")].every(e => e.textContent === "clock")`)
	b.keys("l")
	b.until(`document.documentElement.lang === "en"`)
	b.until(`document.querySelector("#game-note").textContent.includes("Black")`)
	b.keys("1")
	b.until(`document.querySelectorAll(".tree-frame .node").length > 5 && document.querySelector("#status").dataset.state === "searching"`)
	b.picture("game-light")
	b.keys("dd")
	b.until(`document.documentElement.dataset.theme === "dark"`)
	b.picture("game-dark")
	p.stop()
	<-done
	b.until(`document.querySelector("#status").dataset.state === "idle"`)
	b.quiet()
}

// A person with the token sets a breakpoint, looks where the search is, steps, goes on, removes it, and has the position explained.
func TestJourneyBreakpoints(t *testing.T) {
	b := openBrowser(t, look{1500, 1000, "dark", "en"})
	p := newPlayer(t, opening, "Inspect_Token", "secret")
	require.Contains(t, p.url, "token=secret")
	b.open(p.url)
	b.until(`document.querySelector("#status").dataset.state === "idle"`)
	b.keys("3")
	b.until(`!document.querySelector("#break-add").closest("form").hidden`)
	b.choose("#break-kind", "square")
	b.text(`document.querySelector("#break-value").value = "2d"; ""`)
	b.click("#break-add")
	b.until(`document.querySelector(".breaks .mono")?.textContent === "square 2d"`)
	b.text(`document.querySelector("#break-value").value = "9z"; ""`)
	b.click("#break-add")
	b.until(`document.querySelector("#banner").textContent.includes("9z")`)

	done := p.play(1, search.Limits{Nodes: 3000})
	b.until(`document.querySelector("#status").dataset.state === "stopped"`)
	b.until(`document.querySelector(".breaks .hit")`)
	text := b.text(`document.querySelector(".stop-text").textContent`)
	require.Contains(t, text, "2d")
	b.until(`document.querySelectorAll(".formula tbody tr").length > 0`)
	require.Equal(t, float64(1), b.number(`document.querySelectorAll(".formula tr.chosen").length`))
	b.picture("breakpoint-dark")
	b.click("#step-event")
	b.until(fmt.Sprintf(`document.querySelector(".stop-text") && document.querySelector(".stop-text").textContent !== %q`, text))
	text = b.text(`document.querySelector(".stop-text").textContent`)
	b.keys("p")
	b.until(fmt.Sprintf(`document.querySelector(".stop-text") && document.querySelector(".stop-text").textContent !== %q`, text))
	b.click(".breaks button")
	b.until(`document.querySelectorAll(".breaks li").length === 0`)
	b.click("#step-continue")
	<-done
	b.until(`document.querySelector("#status").dataset.state === "idle"`)

	b.keys("2")
	b.click("#explain")
	b.until(`document.querySelectorAll(".board .mark").length > 20`)
	b.picture("occlusion-dark")
	for kind, condition := range map[string]string{
		"policy":   `document.querySelectorAll(".breakdown table").length === 2`,
		"features": `document.querySelector(".breakdown tr.total")`,
		"conflict": `document.querySelectorAll(".breakdown tbody tr").length > 1`,
	} {
		b.choose("#breakdown-kind", kind)
		b.until(`document.querySelector(".breakdown .empty")`)
		b.click("#explain")
		b.until(condition)
		b.picture("breakdown-" + kind)
	}

	// The same in Japanese: no word of the engine's is left.
	b.click("#language")
	for kind, words := range map[string]string{"features": "玉の安全度", "conflict": "が最も勝る"} {
		b.choose("#breakdown-kind", kind)
		b.until(fmt.Sprintf(`document.querySelector(".breakdown").textContent.includes(%q)`, words))
		require.NotRegexp(t, `[a-z]{3}`, b.text(`[...document.querySelectorAll(".breakdown td.left, .breakdown p")].map(e => e.textContent).join(" ")`))
		b.picture("breakdown-ja-" + kind)
	}
	b.keys("3")
	b.text(`document.querySelector("#break-value").value = "9z"; ""`)
	b.click("#break-add")
	b.until(`document.querySelector("#banner").textContent.includes("マス")`)
	require.NotContains(t, b.text(`document.querySelector("#banner").textContent`), "bad")
	b.quiet()
}

// Without the token a page may look, not touch.
func TestJourneyReadOnly(t *testing.T) {
	b := openBrowser(t, look{1200, 900, "light", "en"})
	p := newPlayer(t, opening)
	b.open(p.url)
	b.until(`document.querySelector("#status").dataset.state === "idle"`)
	b.keys("3")
	b.until(`document.querySelector("#panel-step").textContent.includes("only look")`)
	require.Equal(t, "true", b.text(`String(document.querySelector("#step-pause").parentElement.hidden)`))
	b.quiet()
}

// A trace of two searches: forward, back, to its ends, from search to search, and by the graph.
func TestJourneyTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.trace")
	p := newPlayer(t, opening, "Inspect_TraceFile", path)
	<-p.play(3, search.Limits{Nodes: 600})
	require.NoError(t, p.engine.Close())
	trace, err := dashboard.NewTrace(path)
	require.NoError(t, err)
	server, err := dashboard.Listen(dashboard.Config{Address: "127.0.0.1:0", Version: "yomi"}, trace)
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Close()) }()

	b := openBrowser(t, look{1500, 1000, "light", "ja-JP"})
	b.open(server.URL())
	b.until(`!document.querySelector("#transport").hidden && document.documentElement.lang === "ja"`)
	b.until(`document.querySelectorAll("#trace-search option").length === 3 && document.querySelectorAll("tr.choice").length > 1`)
	seek := func() float64 { return b.number(`Number(document.querySelector("#seek").value)`) }
	b.click("#trace-first")
	b.until(`document.querySelector("#seek").value === "0" || document.querySelector("#seek").value === "1"`)
	before := seek()
	b.click("#trace-next")
	b.until(fmt.Sprintf(`Number(document.querySelector("#seek").value) === %g`, before+1))
	b.keys("]")
	b.until(`document.querySelector("#trace-search").value === "2"`)
	at := seek()
	b.click("#trace-back")
	b.until(fmt.Sprintf(`Number(document.querySelector("#seek").value) === %g`, at-1))
	b.click("#trace-last")
	b.until(`document.querySelector("#seek").value === document.querySelector("#seek").max && document.querySelector("#trace-search").value === "3"`)
	b.until(`document.querySelectorAll(".tree-frame .node").length > 3`)
	// The page's own text has the engine's figure.
	best := p.engine.RootMoves()[0]
	b.until(fmt.Sprintf(`document.querySelector("tr.choice").textContent.replace(/\s/g, "").includes("%d")`, best.Visits))
	b.picture("trace-ja")
	b.click("#trace-first")
	b.until(`document.querySelector("#trace-search").value === "1"`)
	b.click("#trace-play")
	b.until(`document.querySelector("#trace-play").getAttribute("aria-pressed") === "true" && Number(document.querySelector("#seek").value) > 3`)
	b.quiet()
}

// On a phone nothing sticks out, in light and dark; alpha-beta has its own figures.
func TestJourneyPhone(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		b := openBrowser(t, look{360, 740, scheme, "en"})
		p := newPlayer(t, opening, "SearchEngine", "alphabeta")
		b.open(p.url)
		b.until(`document.querySelector("#status").dataset.state === "idle"`)
		done := p.play(1, search.Limits{MoveTime: 2 * time.Second})
		b.until(`document.querySelectorAll("tr.choice").length > 1 && [...document.querySelectorAll(".card")].some(c => !c.hidden && c.textContent.includes("cut-offs"))`)
		for _, tab := range []string{"1", "2", "3", "4"} {
			b.keys(tab)
			b.until(`document.querySelectorAll(".tab-panel:not([hidden])").length === 1`)
			require.LessOrEqual(t, b.number(`document.documentElement.scrollWidth`), 360.0, "tab %s", tab)
		}
		dark := b.text(`getComputedStyle(document.body).backgroundColor`)
		b.keys("?")
		b.until(`document.querySelector("#help").open`)
		b.text(`document.querySelector("#help").close(); ""`)
		b.keys("1")
		<-done
		b.wholePicture("phone-"+scheme, 360)
		require.Equal(t, scheme == "dark", dark == "rgb(16, 20, 24)", dark)
		b.quiet()
	}
}

// A page whose engine goes away says so, and finds it again by itself.
func TestJourneyReconnect(t *testing.T) {
	b := openBrowser(t, look{1200, 900, "light", "en"})
	p := newPlayer(t, opening)
	b.open(p.url)
	b.until(`document.querySelector("#status").dataset.state === "idle"`)
	address := strings.TrimSuffix(strings.TrimPrefix(p.url, "http://"), "/")
	require.NoError(t, p.engine.Close())
	b.until(`document.querySelector("#status").dataset.state === "offline" && !document.querySelector("#banner").hidden`)
	second := newPlayer(t, opening, "Inspect_Address", address)
	b.until(`document.querySelector("#status").dataset.state === "idle" && document.querySelector("#banner").hidden`)
	<-second.play(1, search.Limits{Nodes: 500})
	b.until(`document.querySelectorAll("tr.choice").length > 1`)
	b.quiet()
}
