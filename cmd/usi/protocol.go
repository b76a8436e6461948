package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

const (
	// patience is how long a process that is to end waits for a search that was told to end, which takes milliseconds.
	patience = 500 * time.Millisecond
	// pipePatience is how long, at the end of the input, a search may go on that ends by itself (go nodes in a script).
	pipePatience = 3 * time.Second
)

// protocol is the dialogue with a GUI. One goroutine runs it, owns all of its state and is the only writer to the output.
//
// At most one job (a search, a count, a bench) runs at a time, in a goroutine of its own. Commands that touch only the
// running job (stop, ponderhit) or nothing of it (isready, position, d) act at once. Options are kept until the job has
// ended. A command that needs an idle engine (go, usinewgame) ends the job and waits in line, and what comes behind it
// waits too, so the order of commands holds and every go gets its one answer.
type protocol struct {
	engine engineAPI
	out    *bufio.Writer
	log    *debugLog

	game  *shogi.Game
	job   *job
	lines []string // commands in line, oldest first

	settings  []usi.Setting // to be set when the job has ended
	makeReady bool          // isready came during the job: prepare the engine when it has ended
}

// newProtocol returns a dialogue at the start position that writes to out.
func newProtocol(e engineAPI, out io.Writer) *protocol {
	return &protocol{engine: e, out: bufio.NewWriter(out), log: new(debugLog), game: shogi.NewGame(shogi.StartPosition())}
}

// run answers the commands of in until quit, the end of in, or a signal to terminate.
func (p *protocol) run(in io.Reader, terminate <-chan os.Signal) {
	closed := make(chan struct{})
	defer close(closed)
	defer p.log.close()
	lines := readLines(in, closed)
	for {
		var bell <-chan struct{}
		var done <-chan answer
		if p.job != nil {
			bell, done = p.job.mail.bell, p.job.done
		}
		select {
		case line, ok := <-lines:
			if !ok {
				p.end(terminate, false)
				return
			}
			p.log.write('>', line)
			if command, _ := usi.Split(line); command == "quit" {
				p.end(terminate, true)
				return
			}
			p.lines = append(p.lines, line)
			p.work()
		case <-bell:
			p.deliver()
		case a := <-done:
			p.finish(a)
		case <-terminate:
			p.abandon()
			return
		}
		_ = p.out.Flush() // a GUI that is gone also closes the input, which ends the loop
	}
}

// readLines sends the lines of in, of any length, until its end or until closed is.
func readLines(in io.Reader, closed <-chan struct{}) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				select {
				case lines <- strings.TrimRight(line, "\r\n"):
				case <-closed:
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// work executes the commands in line up to one that must wait for the job's end.
func (p *protocol) work() {
	for len(p.lines) > 0 {
		command, args := usi.Split(p.lines[0])
		c := commands[command]
		if c.do != nil && c.needsIdle && p.job != nil {
			if !p.job.batch {
				p.job.cancel()
			}
			return
		}
		p.lines = p.lines[1:]
		if c.do != nil {
			c.do(p, args)
		}
	}
}

// finish writes the rest of what a job had to say and its answer, and goes on with what had to wait.
func (p *protocol) finish(a answer) {
	texts, block := p.job.mail.take()
	p.job.cancel()
	p.job = nil
	p.say(texts...)
	p.sayInfos(block)
	p.say(a...)
	for _, s := range p.settings {
		p.set(s)
	}
	p.settings = nil
	if p.makeReady {
		p.ready()
	}
	p.work()
}

// deliver writes what the job has reported since the last time.
func (p *protocol) deliver() {
	texts, block := p.job.mail.take()
	p.say(texts...)
	p.sayInfos(block)
}

// end answers every go that is still open and returns. On quit everything ends at once, with what has been found so far. At
// the end of the input counts and benches run to their end, and searches that end by themselves for a while, so that all of
// them can be used in a pipe.
func (p *protocol) end(terminate <-chan os.Signal, quit bool) {
	defer p.out.Flush()
	for p.job != nil {
		cut, late := p.deadlines(quit)
		for ended := false; !ended; {
			select {
			case a := <-p.job.done:
				p.finish(a)
				ended = true
			case <-p.job.mail.bell:
				p.deliver()
			case <-cut:
				p.job.cancel()
			case <-late:
				return
			case <-terminate:
				p.abandon()
				return
			}
			_ = p.out.Flush()
		}
	}
}

// deadlines returns when to cut the running job short and when to give it up, for a process that is to end.
func (p *protocol) deadlines(quit bool) (cut, late <-chan time.Time) {
	switch {
	case quit || !p.job.batch && !p.job.endsItself:
		return time.After(0), time.After(patience)
	case p.job.batch:
		return nil, nil
	}
	return time.After(pipePatience), time.After(pipePatience + patience)
}

// abandon ends the job without waiting for its answer.
func (p *protocol) abandon() {
	if p.job != nil {
		p.job.cancel()
	}
}

// say writes lines.
func (p *protocol) say(lines ...string) {
	for _, line := range lines {
		p.log.write('<', line)
		_, _ = p.out.WriteString(line)
		_ = p.out.WriteByte('\n')
	}
}

// tell writes a message for people.
func (p *protocol) tell(messages ...string) {
	for _, m := range messages {
		p.say("info string " + usi.Text(m))
	}
}

func (p *protocol) sayInfos(infos []search.Info) {
	for i := range infos {
		p.say(usi.FormatInfo(&infos[i]))
	}
}

// start runs a job. The engine is idle.
func (p *protocol) start(j *job, run func(ctx context.Context) answer) {
	ctx, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	j.done = make(chan answer, 1)
	j.mail = newMailbox()
	p.job = j
	go func() { j.done <- run(ctx) }()
}
