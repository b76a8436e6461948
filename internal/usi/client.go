package usi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	keptLines    = 24      // last lines of the dialogue that a failure shows
	keptLine     = 1 << 16 // bytes of a line that are kept; the rest is read and dropped
	keptShown    = 500     // bytes of a line that a failure shows
	keptStderr   = 4 << 10 // last bytes of the standard error that are kept
	keptOptions  = 2000    // options that are taken from an engine
	writeTimeout = 5 * time.Second
	quitTimeout  = 2 * time.Second
	// drainTime is how long the output of a program that has ended is still read: a child of it may hold the pipe open.
	drainTime = 300 * time.Millisecond
	// exitTime is how long a program whose output has ended may take to end itself, before that counts as staying.
	exitTime = time.Second
)

// FailureKind names what went wrong with an engine.
type FailureKind string

// The ways in which an engine fails.
const (
	// Crash: the program could not be started, ended with an error status or was killed by a signal.
	Crash FailureKind = "crash"
	// Stall: the program runs, but does not answer usi or isready in time.
	Stall FailureKind = "stall"
	// NoBestMove: the program runs, but does not answer go in time.
	NoBestMove FailureKind = "no bestmove"
	// Disconnect: the program closed its output, or ended itself without an error.
	Disconnect FailureKind = "disconnect"
)

// Failure is the error of an engine that no longer plays.
type Failure struct {
	Kind   FailureKind
	Detail string
	// Lines are the last lines of the dialogue, "> " for sent and "< " for received ones. Stderr is the end of the
	// standard error.
	Lines  []string
	Stderr string
}

// Error says what happened in one line.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Detail) }

// Client talks to a running engine. Its methods are for one goroutine at a time. Memory stays bounded whatever the engine
// writes: lines are looked at when they come and only the last ones are kept.
type Client struct {
	program Program
	command *exec.Cmd
	input   *os.File
	output  *os.File
	errors  *os.File
	ended   chan struct{} // closed when the process has ended; state is set then
	state   *os.ProcessState
	closed  chan struct{} // closed when the output has ended
	silent  chan struct{} // closed when the standard error has ended

	mu      sync.Mutex
	tail    []string
	stderr  []byte
	waitFor string      // first word of the awaited line, "" for none
	reply   chan Answer // takes one answer
	pending Answer      // what the lines before the answer said
	options []Option
	name    string
}

// Answer is the line that a command asked for, with what was said before it.
type Answer struct {
	// Line is the whole line, At when it was read.
	Line string
	At   time.Time
	// Info is the last line of thinking for the first candidate that had a score; HasInfo says that there was one.
	Info    InfoLine
	HasInfo bool
}

// Start starts the program. It does not speak to it yet. The error is a *Failure.
func Start(p Program) (*Client, error) {
	path, err := exec.LookPath(p.Path)
	if err != nil {
		return nil, &Failure{Kind: Crash, Detail: "cannot start: " + err.Error()}
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, &Failure{Kind: Crash, Detail: err.Error()}
	}
	folder, err := p.Folder()
	if err != nil {
		return nil, &Failure{Kind: Crash, Detail: err.Error()}
	}
	c := &Client{program: p, ended: make(chan struct{}), closed: make(chan struct{}), silent: make(chan struct{}), reply: make(chan Answer, 1)}
	c.command = exec.Command(path, p.Args...)
	c.command.Dir = folder
	if err := c.spawn(); err != nil {
		return nil, &Failure{Kind: Crash, Detail: "cannot start: " + err.Error()}
	}
	return c, nil
}

// spawn makes the pipes, starts the process and the goroutines that read from it.
func (c *Client) spawn() error {
	var theirs [3]*os.File
	var err error
	if theirs[0], c.input, err = os.Pipe(); err != nil {
		return err
	}
	defer theirs[0].Close()
	if c.output, theirs[1], err = os.Pipe(); err != nil {
		c.input.Close()
		return err
	}
	defer theirs[1].Close()
	if c.errors, theirs[2], err = os.Pipe(); err != nil {
		c.input.Close()
		c.output.Close()
		return err
	}
	defer theirs[2].Close()
	c.command.Stdin, c.command.Stdout, c.command.Stderr = theirs[0], theirs[1], theirs[2]
	ownGroup(c.command)
	if err := c.command.Start(); err != nil {
		c.input.Close()
		c.output.Close()
		c.errors.Close()
		return err
	}
	if c.program.CPU > 0 {
		pin(c.command.Process.Pid, c.program.CPU-1)
	}
	go c.await()
	go c.readOutput()
	go c.readErrors()
	return nil
}

// await waits for the end of the process.
func (c *Client) await() {
	_ = c.command.Wait() // the state tells more than the error
	c.state = c.command.ProcessState
	close(c.ended)
	for _, end := range []chan struct{}{c.closed, c.silent} {
		select {
		case <-end:
		case <-time.After(drainTime):
		}
	}
	c.output.Close()
	c.errors.Close()
}

// readOutput takes the lines that the engine writes.
func (c *Client) readOutput() {
	defer close(c.closed)
	in := bufio.NewReaderSize(c.output, 1<<15)
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if room := keptLine - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > 0 {
			c.take(strings.TrimRight(string(line), "\r\n"), time.Now())
			line = line[:0]
		}
		if err != nil {
			return
		}
	}
}

// take looks at a line of the engine.
func (c *Client) take(line string, at time.Time) {
	if c.program.Tap != nil {
		c.program.Tap(line, at)
	}
	word, args := Split(line)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remember("< ", line)
	switch word {
	case "info":
		info, err := ParseInfo(args)
		if err == nil && info.HasScore && info.MultiPV <= 1 {
			c.pending.Info, c.pending.HasInfo = info, true
		}
	case "option":
		if o, err := ParseOption(args); err == nil && len(c.options) < keptOptions {
			c.options = append(c.options, o)
		}
	case "id":
		if field, value, err := ParseID(args); err == nil && field == "name" {
			c.name = value
		}
	}
	if word != "" && word == c.waitFor {
		c.waitFor = ""
		c.pending.Line, c.pending.At = line, at
		c.reply <- c.pending // has room: one answer is awaited at a time
	}
}

// remember keeps a line of the dialogue for the report of a failure. The caller holds mu.
func (c *Client) remember(direction, line string) {
	if len(line) > keptShown {
		line = line[:keptShown] + "..."
	}
	if len(c.tail) == keptLines {
		copy(c.tail, c.tail[1:])
		c.tail = c.tail[:keptLines-1]
	}
	c.tail = append(c.tail, direction+line)
}

// readErrors keeps the end of the standard error.
func (c *Client) readErrors() {
	defer close(c.silent)
	buffer := make([]byte, 1<<15)
	for {
		n, err := c.errors.Read(buffer)
		c.mu.Lock()
		c.stderr = append(c.stderr, buffer[:n]...)
		if over := len(c.stderr) - keptStderr; over > 0 {
			c.stderr = append(c.stderr[:0], c.stderr[over:]...)
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Name returns the name that the engine gave. It is known with usiok.
func (c *Client) Name() string { c.mu.Lock(); defer c.mu.Unlock(); return c.name }

// Options returns the options that the engine declared. They are complete with usiok.
func (c *Client) Options() []Option {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Option(nil), c.options...)
}

// Ended is closed when the process has ended.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// ExitCode returns the status of a process that has ended, -1 when a signal killed it or when it still runs.
func (c *Client) ExitCode() int {
	select {
	case <-c.ended:
		return c.state.ExitCode()
	default:
		return -1
	}
}

// Send writes a line. An engine that does not read for some seconds is an error, as is one that has closed its input.
func (c *Client) Send(line string) error {
	c.mu.Lock()
	c.remember("> ", line)
	c.mu.Unlock()
	_ = c.input.SetWriteDeadline(time.Now().Add(writeTimeout)) // where pipes have no deadlines, writing waits
	_, err := io.WriteString(c.input, line+"\n")
	return err
}

// Ask sends the lines and waits for a line that begins with the word. When ctx ends first, the failure has the kind given
// (Stall, NoBestMove); when the engine ends first, it is a Crash or a Disconnect. Other lines are looked at and dropped.
func (c *Client) Ask(ctx context.Context, word string, late FailureKind, lines ...string) (Answer, error) {
	c.Expect(word)
	for _, line := range lines {
		if err := c.Send(line); err != nil {
			break // the wait finds out what has happened
		}
	}
	return c.Wait(ctx, late)
}

// Expect makes the next line that begins with the word the one that Wait returns.
func (c *Client) Expect(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waitFor, c.pending = word, Answer{}
	select {
	case <-c.reply: // an answer that nobody waited for any more
	default:
	}
}

// Wait waits for the line that Expect named. See Ask.
func (c *Client) Wait(ctx context.Context, late FailureKind) (Answer, error) {
	select {
	case a := <-c.reply:
		return a, nil
	case <-ctx.Done():
	case <-c.closed:
	}
	select { // an answer counts even if it came together with the end
	case a := <-c.reply:
		return a, nil
	default:
	}
	select {
	case <-c.closed:
		return Answer{}, c.gone()
	default:
	}
	return Answer{}, c.failure(late, fmt.Sprintf("no answer to %q", c.lastSent()))
}

// gone returns the failure of an engine whose output has ended.
func (c *Client) gone() *Failure {
	select {
	case <-c.ended:
	case <-time.After(exitTime):
		return c.failure(Disconnect, "the program closed its output but still runs")
	}
	<-c.silent // its last words are worth waiting for; await sees to the end
	if c.state.Success() {
		return c.failure(Disconnect, "the program ended by itself")
	}
	return c.failure(Crash, "the program ended: "+c.state.String())
}

// failure returns a failure with the end of the dialogue.
func (c *Client) failure(kind FailureKind, detail string) *Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Failure{Kind: kind, Detail: detail, Lines: append([]string(nil), c.tail...), Stderr: strings.ToValidUTF8(string(c.stderr), "?")}
}

// Describe returns a failure of the kind with the end of the dialogue, for what the caller finds wrong with an answer.
func (c *Client) Describe(kind FailureKind, detail string) *Failure { return c.failure(kind, detail) }

// lastSent returns the last line that was sent.
func (c *Client) lastSent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.tail) - 1; i >= 0; i-- {
		if line, sent := strings.CutPrefix(c.tail[i], "> "); sent {
			return line
		}
	}
	return "a command"
}

// Close ends the engine: quit, two seconds to obey, then the whole process group is killed. It returns when the process has ended.
func (c *Client) Close() {
	_ = c.Send("quit") // an engine that cannot hear it is killed below
	c.input.Close()
	select {
	case <-c.ended:
	case <-time.After(quitTimeout):
	}
	c.Kill()
}

// Kill ends the engine and all that it has started, at once.
func (c *Client) Kill() {
	killGroup(c.command)
	<-c.ended
	c.input.Close()
	<-c.closed
}

// CloseInput ends the engine's input, as a client does that goes away.
func (c *Client) CloseInput() { c.input.Close() }
