package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
)

// stopTime is how long a program may take to answer stop after the match has lost patience.
const stopTime = time.Second

// program is a USI engine as a player. The process lives through several games, unless the rules say otherwise, and is
// started anew after a failure.
type program struct {
	spec   Spec
	preset preset
	rules  Rules
	cpu    int
	client *usi.Client
	// tap, when not nil, is called with each line that the program writes, from one goroutine.
	tap func(line string, at time.Time)
}

func newProgram(s Spec, rules Rules, cpu int) *program {
	return &program{spec: s, preset: s.preset(), rules: rules, cpu: cpu}
}

// start starts the process, up to usiok.
func (p *program) start(ctx context.Context) error {
	client, err := usi.Start(usi.Program{Path: p.spec.Command[0], Args: p.spec.Command[1:], CPU: p.cpu, Tap: p.tap})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, p.rules.Startup)
	defer cancel()
	if _, err := client.Ask(ctx, "usiok", usi.Stall, "usi"); err != nil {
		client.Kill()
		return err
	}
	p.client = client
	return nil
}

// configure sends the options.
func (p *program) configure() error {
	settings, err := p.spec.settings(p.client.Options(), p.rules)
	if err != nil {
		return p.fail(p.client.Describe(usi.Crash, err.Error()))
	}
	for _, o := range settings {
		_ = p.client.Send(usi.Setting{Name: o.Name, Value: o.Value, HasValue: true}.String()) // isready finds out whether it is alive
	}
	return nil
}

// ready waits until the program is ready to play.
func (p *program) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.rules.Startup)
	defer cancel()
	if _, err := p.client.Ask(ctx, "readyok", usi.Stall, "isready"); err != nil {
		return p.fail(err)
	}
	return nil
}

// NewGame brings the program to the start of a game: options, isready, usinewgame.
func (p *program) NewGame(ctx context.Context, _ uint64) error {
	if p.rules.Restart {
		p.Close()
	}
	if p.client == nil {
		if err := p.start(ctx); err != nil {
			return err
		}
		if err := p.configure(); err != nil {
			return err
		}
	}
	if err := p.ready(ctx); err != nil {
		return err
	}
	_ = p.client.Send("usinewgame")
	return nil
}

// fail ends the process after a failure.
func (p *program) fail(err error) error {
	p.client.Kill()
	p.client = nil
	return err
}

// Think sends position and go and waits for the move. When the context's deadline passes, the program is told to stop; if it
// does so, its late answer is returned.
func (p *program) Think(ctx context.Context, t Turn) (Answer, error) {
	position := "position " + t.Game.USI()
	command := t.command(p.preset.swapClocks)
	p.client.Expect("bestmove")
	_ = p.client.Send(position)
	start := time.Now()
	_ = p.client.Send(command)
	answer, err := p.client.Wait(ctx, usi.NoBestMove)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		_ = p.client.Send("stop")
		p.Close()
		return Answer{}, err
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		_ = p.client.Send("stop")
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		answer, err = p.client.Wait(late, usi.NoBestMove)
	}
	if err != nil {
		var failure *usi.Failure
		if errors.As(err, &failure) && failure.Kind == usi.NoBestMove {
			failure.Detail = fmt.Sprintf("no answer to %q in %s", command, time.Since(start).Round(time.Millisecond))
		}
		return Answer{}, p.fail(err)
	}
	_, args := usi.Split(answer.Line)
	best, _, _ := usi.ParseBestMove(args) // an answer that is no move is an illegal move; a bad ponder move does not matter
	return Answer{Move: best, Text: args, Wall: answer.At.Sub(start), Info: answer.Info.Info, HasInfo: answer.HasInfo}, nil
}

// Evidence returns the end of the dialogue.
func (p *program) Evidence() ([]string, string) {
	if p.client == nil {
		return nil, ""
	}
	end := p.client.Describe("", "")
	return end.Lines, end.Stderr
}

// GameOver tells the program the result.
func (p *program) GameOver(result string) {
	if p.client != nil {
		_ = p.client.Send("gameover " + result)
	}
}

// Close ends the program.
func (p *program) Close() {
	if p.client != nil {
		p.client.Close()
		p.client = nil
	}
}
