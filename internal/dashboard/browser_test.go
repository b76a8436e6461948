package dashboard_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// needBrowser is the environment variable that makes a missing Chromium a failure; screenshots names the folder that pictures go to.
const (
	needBrowser = "YOMI_NEED_CHROMIUM"
	screenshots = "YOMI_SCREENSHOTS"
)

// browser is a page in Chromium as a person has it.
type browser struct {
	t        *testing.T
	ctx      context.Context
	pictures string
	mu       sync.Mutex
	trouble  []string // errors on the page's console
}

// look says what a page's person has.
type look struct {
	width, height int
	scheme        string // "light" or "dark"
	language      string // BCP 47
}

// openBrowser starts Chromium. The test is skipped where there is none.
func openBrowser(t *testing.T, l look) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes too long for -short")
	}
	path := findChromium(t)
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("no-first-run", true), chromedp.Flag("lang", l.language), chromedp.Flag("accept-lang", l.language), chromedp.UserDataDir(t.TempDir()))
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	limited, cancelLimit := context.WithTimeout(allocator, 4*time.Minute)
	t.Cleanup(cancelLimit)
	ctx, cancelPage := chromedp.NewContext(limited)
	t.Cleanup(cancelPage)
	b := &browser{t: t, ctx: ctx, pictures: os.Getenv(screenshots)}
	if b.pictures == "" {
		b.pictures = t.TempDir()
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if text := m.String(); m.IsException() || strings.Contains(text, "Content Security Policy") {
				b.mu.Lock()
				b.trouble = append(b.trouble, text)
				b.mu.Unlock()
			}
		}
	}()
	b.size(l.width, l.height)
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}})
	require.NoError(t, err)
	return b
}

// findChromium returns the browser's path.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(needBrowser) == "1" {
		t.Fatal("no Chromium is installed, and " + needBrowser + "=1 wants it")
	}
	t.Skip("no Chromium is installed: the pages are not tested here")
	return ""
}

// do performs actions.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

func (b *browser) size(width, height int) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(int64(width), int64(height)))
}

func (b *browser) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
}

// text evaluates an expression that is a string.
func (b *browser) text(expression string) string {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	require.NoError(b.t, err, expression)
	return v
}

// number evaluates an expression that is a number.
func (b *browser) number(expression string) float64 {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](expression))
	require.NoError(b.t, err, expression)
	return v
}

// until waits for a condition. chromedp's own waiting needs eval, which the page's policy forbids.
func (b *browser) until(condition string) {
	b.t.Helper()
	b.untilWithin(20*time.Second, condition)
}

func (b *browser) untilWithin(limit time.Duration, condition string) {
	b.t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(30 * time.Millisecond) {
		v, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+condition+")"))
		require.NoError(b.t, err, condition)
		if v {
			return
		}
		if time.Now().After(end) {
			b.picture("failure-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
			b.t.Fatalf("this did not become true: %s\nthe status is %q, the banner %q, console: %q", condition, b.text(`document.querySelector("#status").textContent`),
				b.text(`document.querySelector("#banner").textContent`), b.trouble)
		}
	}
}

// retry does something until a condition holds soon after it.
func (b *browser) retry(condition string, act func()) {
	b.t.Helper()
	for range 10 {
		act()
		for end := time.Now().Add(800 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if v, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+condition+")")); err == nil && v {
				return
			}
		}
	}
	b.until(condition)
}

// middle returns where an element's middle is on the screen, after scrolling to it.
func (b *browser) middle(selector string) (x, y float64) {
	b.t.Helper()
	box := b.text(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return (r.left + r.width / 2) + " " + (r.top + r.height / 2); })()`, selector))
	left, top, _ := strings.Cut(box, " ")
	x, err := strconv.ParseFloat(left, 64)
	require.NoError(b.t, err)
	y, err = strconv.ParseFloat(top, 64)
	require.NoError(b.t, err)
	return x, y
}

// click presses the mouse on an element.
func (b *browser) click(selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.do(chromedp.MouseClickXY(x, y))
}

// hover puts the pointer on an element.
func (b *browser) hover(selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// keys presses keys.
func (b *browser) keys(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(text))
}

// choose sets a field and tells the page.
func (b *browser) choose(selector, value string) {
	b.t.Helper()
	b.text(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`, selector, value))
}

// picture takes a screenshot.
func (b *browser) picture(name string) {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(b.pictures, name+".png"), data, 0o600))
}

// wholePicture takes a screenshot of all of the page.
func (b *browser) wholePicture(name string, width int) {
	b.t.Helper()
	height := int(b.number("document.documentElement.scrollHeight"))
	b.size(width, height)
	time.Sleep(400 * time.Millisecond) // curves fit themselves to the new size
	b.picture(name)
}

// quiet requires that the page had no errors.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.trouble)
}
