package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/yomi-shogi/yomi/internal/tune"
)

// tuneTable is a live table on a terminal: a bar, and a row for each parameter. On anything else it is silent.
type tuneTable struct {
	container *mpb.Progress
	bar       *mpb.Bar
	rows      []*mpb.Bar
	texts     []atomic.Pointer[string]
}

func newTuneTable(out io.Writer, h *tune.Header, done []tune.Iteration) *tuneTable {
	const width = 100
	t := &tuneTable{container: mpb.New(mpb.WithOutput(out), mpb.WithWidth(width)), texts: make([]atomic.Pointer[string], len(h.Params))}
	t.bar = t.container.AddBar(int64(h.Iterations), mpb.PrependDecorators(decor.Name("iterations "), decor.CountersNoUnit("%d / %d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	t.bar.SetCurrent(int64(len(done)))
	t.put(h, done)
	for i := range h.Params {
		t.rows = append(t.rows, t.container.New(int64(h.Iterations), mpb.NopStyle(), mpb.PrependDecorators(
			decor.Any(func(decor.Statistics) string { return *t.texts[i].Load() }))))
	}
	return t
}

// put renews the rows' texts.
func (t *tuneTable) put(h *tune.Header, done []tune.Iteration) {
	for i, v := range h.Values(done) {
		text := v.Text()
		t.texts[i].Store(&text)
	}
}

// set shows the values after the iterations.
func (t *tuneTable) set(h *tune.Header, done []tune.Iteration) {
	t.put(h, done)
	t.bar.SetCurrent(int64(len(done)))
}

// end takes the table away.
func (t *tuneTable) end() {
	t.bar.Abort(true)
	for _, row := range t.rows {
		row.Abort(true)
	}
	t.container.Wait()
}

// tunePage is the report while the run goes on.
type tunePage struct {
	dir         string
	concurrency int
	written     time.Time
	err         error // the first failure to write it
}

// renew writes the report unless that was done a moment ago.
func (p *tunePage) renew(h *tune.Header, done []tune.Iteration) {
	const often = 10 * time.Second
	if time.Since(p.written) < often {
		return
	}
	p.written = time.Now()
	if err := writeTunePage(p.dir, h, done, len(done) < h.Iterations, p.concurrency); err != nil && p.err == nil {
		p.err = err
	}
}

func writeTunePage(dir string, h *tune.Header, done []tune.Iteration, running bool, concurrency int) error {
	return writeFile(filepath.Join(dir, "report.html"), func(w io.Writer) error {
		return tune.WriteReport(w, h, done, running, verifyCommand(dir, h, done, concurrency))
	})
}

// verifyCommand returns the command that plays the tuned values against the old ones.
func verifyCommand(dir string, h *tune.Header, done []tune.Iteration, concurrency int) string {
	words := []string{commandFor(os.Args[0])}
	for _, word := range h.VerifyCommand(done, concurrency, filepath.Join(dir, "match")) {
		words = append(words, quoted(word))
	}
	return strings.Join(words, " ")
}

// tuneReport writes the report and prints what to do with the values.
func tuneReport(out io.Writer, dir string, h *tune.Header, done []tune.Iteration, concurrency int) error {
	if err := writeTunePage(dir, h, done, false, concurrency); err != nil {
		return err
	}
	fmt.Fprint(out, h.Text(done), "options to set:\n")
	for _, o := range h.Tuned(done) {
		fmt.Fprintf(out, "  setoption name %s value %s\n", o.Name, o.Value)
	}
	fmt.Fprintf(out, "to verify them against the old values:\n  %s\nreport      %s\n", verifyCommand(dir, h, done, concurrency), filepath.Join(dir, "report.html"))
	return nil
}
