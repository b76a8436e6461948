package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// gnushogi is GNU Shogi as a player. It does not speak USI but an early form of xboard's protocol (its mode -X):
//
//	new, level 0 0:01                    a new game with one second a move
//	edit, #, P7f, S3g+, P*, c, …, .      a position: Black's pieces, then White's behind c
//	black or white, force, moves         whose turn it is, and moves that are only played
//	switch                               think for the side to move: the answer is "1. ... 7g7f 0"
//	3c3d                                 the opponent's move; it is echoed as "1. 3c3d 0", and the answer follows
//
// Squares and moves are written as in USI. A move that it takes for illegal is answered by a line "Illegal move …".
type gnushogi struct {
	spec   Spec
	rules  Rules
	cpu    int
	client *usi.Client
	said   chan utterance
	// known is the game as the program knows it, nil when it must be told anew.
	known *shogi.Game
	// over says that the program takes the game for finished, which it then is not: it is told the position without the way to it.
	over bool
	// spoiled says that the program may still write something that belongs to an earlier question.
	spoiled bool
}

// utterance is a line that the program wrote.
type utterance struct {
	line string
	at   time.Time
}

// maxWaiting is how many lines wait to be looked at; what a program writes beyond that is lost.
const maxWaiting = 1000

func newGnushogi(s Spec, rules Rules, cpu int) *gnushogi {
	return &gnushogi{spec: s, rules: rules, cpu: cpu}
}

// greeting begins the program's first line, which is also its name.
const greeting = "GNU Shogi"

// start starts the process and waits for its greeting, which is returned.
func (p *gnushogi) start(ctx context.Context) (name string, err error) {
	said := make(chan utterance, maxWaiting)
	p.said, p.known, p.over, p.spoiled = said, nil, false, false
	p.client, err = usi.Start(usi.Program{Path: p.spec.Command[0], Args: p.spec.Command[1:], CPU: p.cpu, Tap: func(line string, at time.Time) {
		select {
		case said <- utterance{line, at}:
		default:
		}
	}})
	if err != nil {
		p.client = nil
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, p.rules.Startup)
	defer cancel()
	for {
		h, err := p.next(ctx, usi.Stall)
		if err != nil {
			p.Close()
			return "", err
		}
		if strings.HasPrefix(h.line, greeting) {
			return usi.Text(h.line), nil
		}
	}
}

// next waits for a line. A late program is a failure of the given kind.
func (p *gnushogi) next(ctx context.Context, late usi.FailureKind) (utterance, error) {
	ended := p.client.Ended()
	for {
		select {
		case h := <-p.said: // what came before the end counts
			return h, nil
		default:
		}
		select {
		case h := <-p.said:
			return h, nil
		case <-ctx.Done():
			return utterance{}, p.client.Describe(late, "no answer")
		case <-ended:
			p.client.Expect("")
			if _, err := p.client.Wait(context.WithoutCancel(ctx), late); len(p.said) == 0 {
				return utterance{}, err
			}
		}
	}
}

// NewGame makes sure that the program runs. It has no use for the seed.
func (p *gnushogi) NewGame(ctx context.Context, _ uint64) error {
	if p.rules.Restart || p.spoiled {
		p.Close()
	}
	p.known, p.over = nil, false
	if p.client != nil {
		return nil
	}
	_, err := p.start(ctx)
	return err
}

// Think tells the program what it does not know yet and waits for its move.
func (p *gnushogi) Think(ctx context.Context, t Turn) (Answer, error) {
	for len(p.said) > 0 {
		if _, kind := readReply((<-p.said).line); kind == replyOver { // behind its own move, as at a repetition
			p.known, p.over = nil, true
		}
	}
	commands := p.commands(&t)
	start := time.Now()
	for _, c := range commands {
		_ = p.client.Send(c) // the wait finds out whether it is alive
	}
	p.known, p.over, p.spoiled = nil, false, true
	for {
		h, err := p.next(ctx, usi.NoBestMove)
		if err != nil {
			return Answer{}, p.fail(err, commands[len(commands)-1], time.Since(start))
		}
		text, kind := readReply(h.line)
		switch kind {
		case replyMove:
			a := Answer{Text: text, Wall: h.at.Sub(start)}
			a.Move, err = shogi.ParseMove(text)
			if err == nil && t.Game.Position().IsLegal(a.Move) {
				p.remember(t.Game, a.Move)
			}
			return a, nil
		case replyOver:
			return Answer{Move: shogi.MoveResign, Text: text, Wall: h.at.Sub(start)}, nil
		case replyRefusal:
			return Answer{Move: shogi.MoveNone, Text: text, Wall: h.at.Sub(start)}, nil
		}
	}
}

// fail ends the process after a failure. last is what it was asked.
func (p *gnushogi) fail(err error, last string, after time.Duration) error {
	var f *usi.Failure
	if errors.As(err, &f) && f.Kind == usi.NoBestMove {
		f.Detail = fmt.Sprintf("no answer to %q in %s", last, after.Round(time.Millisecond))
	}
	p.Close()
	return err
}

// remember notes that the program knows the game with its own move. It does not when the move may have ended the game in
// the program's eyes, which then takes no more moves.
func (p *gnushogi) remember(g *shogi.Game, m shogi.Move) {
	after := g.Clone()
	if err := after.Do(m); err != nil || !after.Position().HasLegalMove() {
		return
	}
	p.known, p.spoiled = after, false
}

// commands returns what the program must be told to think about the turn: the opponent's move, or the whole game.
func (p *gnushogi) commands(t *Turn) []string {
	moves := t.Game.Moves()
	if k := p.known; k != nil && k.Start() == t.Game.Start() && len(moves) == len(k.Moves())+1 && slices.Equal(k.Moves(), moves[:len(moves)-1]) {
		return []string{moves[len(moves)-1].String()}
	}
	seconds := int(moveTime(t.Control) / time.Second)
	commands := []string{"new", fmt.Sprintf("level 0 %d:%02d", seconds/60, seconds%60)}
	start := t.Game.Start()
	if p.over {
		start, moves = *t.Game.Position(), nil
	}
	if start != shogi.StartPosition() {
		commands = append(commands, edit(&start)...)
	}
	side := "black"
	if start.Side() == shogi.White {
		side = "white"
	}
	commands = append(commands, side, "force")
	for _, m := range moves {
		commands = append(commands, m.String())
	}
	return append(commands, "switch")
}

// moveTime returns the time for a move of a control that CheckTime has let pass.
func moveTime(t TimeControl) time.Duration { return t.MoveTime + t.Byoyomi }

// edit returns the commands that set up the pieces of a position.
func edit(p *shogi.Position) []string {
	commands := []string{"edit", "#"}
	for _, c := range []shogi.Color{shogi.Black, shogi.White} {
		if c == shogi.White {
			commands = append(commands, "c")
		}
		for s := range shogi.Square(shogi.NumSquares) {
			if piece := p.PieceAt(s); piece != shogi.Empty && piece.Color() == c {
				mark := ""
				if piece.Type().IsPromoted() {
					mark = "+"
				}
				commands = append(commands, piece.Type().Unpromote().String()+s.String()+mark)
			}
		}
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			for range p.Hand(c).Count(t) {
				commands = append(commands, t.String()+"*")
			}
		}
	}
	return append(commands, ".")
}

// replyKind says what a line of the program is to the match.
type replyKind int

const (
	replyOther   replyKind = iota
	replyMove              // its move
	replyOver              // it says that the game is over, without a move
	replyRefusal           // it does not take a move
)

// readReply reads a line of the program. The text is the move, or what else there is to say.
func readReply(line string) (text string, kind replyKind) {
	words := strings.Fields(line)
	switch {
	case len(words) >= 3 && strings.HasSuffix(words[0], ".") && words[1] == "...":
		return words[2], replyMove
	case strings.HasPrefix(line, "Illegal ") || strings.HasPrefix(line, "Ambiguous "):
		return usi.Text(line), replyRefusal
	case strings.HasSuffix(line, " mates!") || strings.HasPrefix(line, "Drawn game") || strings.Contains(line, "Resign"):
		return usi.Text(line), replyOver
	}
	return "", replyOther
}

// GameOver is nothing to the program: the next game begins with new.
func (p *gnushogi) GameOver(string) {}

// Evidence returns the end of the dialogue.
func (p *gnushogi) Evidence() ([]string, string) {
	if p.client == nil {
		return nil, ""
	}
	end := p.client.Describe("", "")
	return end.Lines, end.Stderr
}

// Close ends the process at once: told to quit it would write its game into a file.
func (p *gnushogi) Close() {
	if p.client != nil {
		p.client.Kill()
		p.client = nil
	}
}

// identifyGnushogi is Identify for GNU Shogi, which has no options.
func identifyGnushogi(ctx context.Context, s Spec, rules Rules) (Identity, error) {
	settings, err := s.settings(nil, rules)
	if err != nil {
		return Identity{}, err
	}
	player := newGnushogi(s, rules, 0)
	name, err := player.start(ctx)
	if err != nil {
		return Identity{}, fmt.Errorf("%s: %w", s.Name, explain(err))
	}
	defer player.Close()
	hash, err := s.hash(s.Command[0], nil)
	return Identity{Engine: name, SHA256: hash, Options: settings}, err
}
