package dashboard

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// judges takes evaluations apart for pages, one at a time.
type judges struct {
	mu     sync.Mutex
	value  *value.Net
	policy *policy.Net
	made   *inspect.Judges
}

// use makes the judges explain these nets; nil stands for the binary's own.
func (j *judges) use(v *value.Net, p *policy.Net) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if v != j.value || p != j.policy {
		j.value, j.policy, j.made = v, p, nil
	}
}

// get returns the judges. The caller holds mu.
func (j *judges) get() *inspect.Judges {
	if j.made != nil {
		return j.made
	}
	v, p := j.value, j.policy
	if v == nil {
		v = value.Default()
	}
	if p == nil {
		p = policy.Default()
	}
	j.made = inspect.NewJudges(v, p, alphabeta.DefaultWeights())
	return j.made
}

// answer takes a position apart. game is what the request's path leads on from where it names no position. engine says whose terms a
// conflict lists first.
func (j *judges) answer(r *BreakdownRequest, game *shogi.Game, engine string) (*Breakdown, error) {
	position, last, err := positionOf(r, game)
	if err != nil {
		return nil, err
	}
	m := &Breakdown{Type: TypeBreakdown, ID: r.ID, Kind: r.Kind, Position: position.SFEN()}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch judges := j.get(); r.Kind {
	case BreakdownOcclusion:
		o := judges.Occlusion(&position)
		m.WinRate = float32(o.WinRate)
		for _, p := range o.Pieces {
			worth := PieceWorth{Square: p.Square, Piece: p.Piece, Count: p.Count, Change: float32(p.Change)}
			if p.Square == "" {
				worth.Square = "hand"
			}
			m.Pieces = append(m.Pieces, worth)
		}
	case BreakdownPolicy:
		m.Moves = policyMoves(judges.Moves(&position, last))
	case BreakdownFeatures:
		sum := judges.Features(&position)
		m.Score = sum.Score
		for _, p := range sum.Parts {
			const thousandths = 1000
			m.Terms = append(m.Terms, Term{Name: p.Name, Weight: float32(p.Weight) / thousandths, Value: float32(p.Raw), Product: float32(p.Score)})
		}
	case BreakdownConflict:
		return m, j.conflict(m, r, &position, last, engine)
	}
	return m, nil
}

// policyMoves returns what the policy net thinks of moves as a message has it.
func policyMoves(terms []inspect.MoveTerms) []PolicyMove {
	moves := make([]PolicyMove, len(terms))
	for i, t := range terms {
		moves[i] = PolicyMove{Move: t.Move, Prior: float32(t.Prior), Logit: float32(t.Logit), Base: float32(t.Base)}
		for _, p := range t.Terms {
			moves[i].Parts = append(moves[i].Parts, Term{Name: p.Name, Product: float32(p.Share), Value: float32(p.Effect)})
		}
	}
	return moves
}

// positionOf returns the position that a request is about, and the move that led to it.
func positionOf(r *BreakdownRequest, game *shogi.Game) (shogi.Position, shogi.Move, error) {
	position, last := shogi.StartPosition(), shogi.MoveNone
	if game != nil {
		position = *game.Position()
		if moves := game.Moves(); len(moves) > 0 {
			last = moves[len(moves)-1]
		}
	}
	if r.Position != "" && r.Position != "startpos" {
		var err error
		if position, err = shogi.ParseSFEN(r.Position); err != nil {
			return position, last, err
		}
		last = shogi.MoveNone
	} else if r.Position != "" {
		position, last = shogi.StartPosition(), shogi.MoveNone
	}
	for _, word := range r.Path {
		move, err := shogi.ParseMove(word)
		if err != nil {
			return position, last, err
		}
		if !position.IsLegal(move) {
			return position, last, fmt.Errorf("illegal move %s", move)
		}
		position.Do(move)
		last = move
	}
	return position, last, nil
}

// conflict fills in why line A is thought better than B. The caller holds mu.
func (j *judges) conflict(m *Breakdown, r *BreakdownRequest, p *shogi.Position, last shogi.Move, engine string) error {
	a, err := parseLine(r.A)
	if err != nil {
		return err
	}
	b, err := parseLine(r.B)
	if err != nil {
		return err
	}
	c, err := j.get().Conflict(p, last, a, b)
	if err != nil {
		return err
	}
	m.A, m.B = c.A, c.B
	m.Comparisons = []Comparison{comparison("policy", &c.Policy), comparison("features", &c.Features), comparison("value", &c.Value)}
	first := m.Comparisons[0]
	if engine == search.EngineAlphaBeta {
		first = m.Comparisons[1]
	}
	m.Terms, m.Basis = first.Terms, first.Name
	if len(first.Terms) > 0 {
		t := first.Terms[0]
		better, worse := m.A, m.B
		if t.Difference < 0 {
			better, worse = m.B, m.A
		}
		m.Text = fmt.Sprintf("%s: %s beats %s most by %s (%.2f)", first.Name, better, worse, t.Name, math.Abs(float64(t.Difference)))
	}
	return nil
}

// parseLine reads moves.
func parseLine(text string) (line []shogi.Move, err error) {
	words := strings.Fields(text)
	if len(words) > maxMoves {
		return nil, fmt.Errorf("want at most %d moves", maxMoves)
	}
	for _, word := range words {
		move, err := shogi.ParseMove(word)
		if err != nil {
			return nil, err
		}
		line = append(line, move)
	}
	return line, nil
}

func comparison(name string, c *inspect.Comparison) Comparison {
	m := Comparison{Name: name, A: float32(c.A), B: float32(c.B), Difference: float32(c.Difference)}
	for _, t := range c.Terms {
		m.Terms = append(m.Terms, Term{Name: t.Name, Product: float32(t.A), B: float32(t.B), Difference: float32(t.Difference)})
	}
	return m
}

// sendBreakdown answers a request.
func (l *Live) sendBreakdown(c *client, r *BreakdownRequest) error {
	l.mu.Lock()
	game, engine := l.history.game, l.subject.Engine
	if game != nil {
		game = game.Clone()
	}
	l.mu.Unlock()
	return l.turns.slowly(c, func() error {
		m, err := l.judges.answer(r, game, engine)
		if err != nil {
			return err
		}
		c.say(m)
		return nil
	})
}
