package main

import (
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressBar is a bar on a terminal; on anything else it is silent.
type progressBar struct {
	container *mpb.Progress
	bar       *mpb.Bar
	text      atomic.Pointer[string]
}

// newProgressBar shows a bar for so many steps, of which done are made.
func newProgressBar(out io.Writer, name string, done, total int64) *progressBar {
	const width = 72
	p := &progressBar{container: mpb.New(mpb.WithOutput(out), mpb.WithWidth(width))}
	p.text.Store(new(string))
	p.bar = p.container.AddBar(total,
		mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d / %d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO), decor.Any(func(decor.Statistics) string { return *p.text.Load() })))
	p.bar.SetCurrent(done)
	return p
}

// set moves the bar. The text is shown behind it.
func (p *progressBar) set(done int64, text string) {
	p.text.Store(&text)
	p.bar.SetCurrent(done)
}

// end takes the bar away.
func (p *progressBar) end() {
	p.bar.Abort(true)
	p.container.Wait()
}
