package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// treeBreakdownCmd takes the evaluations of a position apart.
type treeBreakdownCmd struct {
	Position string `arg:"" optional:"" default:"startpos" help:"Position: startpos, sfen ..., each with moves ... (${default})."`
	Compare  string `placeholder:"A,B" help:"Say why the line A is thought better than B, such as '7g7f,2g2f' or '7g7f 3c3d,2g2f'."`
	Most     int    `default:"5" help:"Most moves of the policy to take apart, 0 for all (${default})."`
	JSON     bool   `name:"json" help:"Print everything as JSON."`

	PolicyFile string `type:"existingfile" help:"Another policy net."`
	ValueFile  string `type:"existingfile" help:"Another value net."`
	Weights    string `type:"existingfile" help:"Other weights of alpha-beta's features."`
}

// Help shows examples.
func (treeBreakdownCmd) Help() string {
	return `Examples:
  yomi tree breakdown
  yomi tree breakdown "startpos moves 7g7f 3c3d 2g2f"
  yomi tree breakdown "startpos moves 7g7f 3c3d" --compare "2g2f,8h2b+ 3a2b"
  yomi tree breakdown "sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1" --json

Everything is as the side to move sees it. The board shows how its win rate changes when a piece is taken off. A policy's terms add up to
the move's logit, of which priors grow with the exponential; "alone" is what the logit loses without that one term.`
}

// Run prints the breakdown.
func (c *treeBreakdownCmd) Run(s streams) error {
	if c.Most < 0 {
		return fmt.Errorf("--most must not be negative")
	}
	game, err := shogi.ParsePosition(c.Position)
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	judges, err := c.judges()
	if err != nil {
		return err
	}
	last := shogi.MoveNone
	if moves := game.Moves(); len(moves) > 0 {
		last = moves[len(moves)-1]
	}
	p := game.Position()
	var conflict *inspect.Conflict
	if c.Compare != "" {
		if conflict, err = compareLines(judges, p, last, c.Compare); err != nil {
			return fmt.Errorf("--compare: %w", err)
		}
	}
	b := judges.Explain(p, last)
	if c.JSON {
		out := json.NewEncoder(s.Out)
		out.SetIndent("", "  ")
		return out.Encode(struct {
			inspect.Breakdown
			Conflict *inspect.Conflict `json:"conflict,omitempty"`
		}{b, conflict})
	}
	if conflict != nil {
		printConflict(s.Out, conflict)
		return nil
	}
	printOcclusion(s.Out, p, &b.Occlusion)
	printFeatures(s.Out, &b.Features)
	printMoves(s.Out, b.Moves, c.Most)
	return nil
}

// judges returns the evaluators that are asked for.
func (c *treeBreakdownCmd) judges() (*inspect.Judges, error) {
	v, p, w := value.Default(), policy.Default(), alphabeta.DefaultWeights()
	read := func(path string, use func(data []byte) error) error {
		if path == "" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = use(data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	if err := read(c.ValueFile, func(data []byte) (err error) { v, err = value.DecodeNet(data); return err }); err != nil {
		return nil, err
	}
	if err := read(c.PolicyFile, func(data []byte) (err error) { p, err = policy.DecodeNet(data); return err }); err != nil {
		return nil, err
	}
	if err := read(c.Weights, func(data []byte) (err error) { w, err = alphabeta.ParseWeights(string(data)); return err }); err != nil {
		return nil, err
	}
	return inspect.NewJudges(v, p, w), nil
}

// compareLines reads "A,B" and compares the lines.
func compareLines(j *inspect.Judges, p *shogi.Position, last shogi.Move, text string) (*inspect.Conflict, error) {
	words := strings.Split(text, ",")
	if len(words) != 2 {
		return nil, fmt.Errorf("bad lines %q: want two, such as 7g7f,2g2f", text)
	}
	var lines [2][]shogi.Move
	for i, word := range words {
		for _, move := range strings.Fields(word) {
			m, err := shogi.ParseMove(move)
			if err != nil {
				return nil, err
			}
			lines[i] = append(lines[i], m)
		}
	}
	c, err := j.Conflict(p, last, lines[0], lines[1])
	return &c, err
}

// printOcclusion prints a board of the changes, in hundredths, and below it those of pieces in hand.
func printOcclusion(w io.Writer, p *shogi.Position, o *inspect.Occlusion) {
	fmt.Fprintf(w, "%s to move, win rate %.1f %%. Without a piece it is better or worse by, in percent:\n\n", sideName(p), 100*o.WinRate)
	changes := make(map[string]inspect.OccludedPiece)
	for _, piece := range o.Pieces {
		changes[piece.Square] = piece
	}
	for file := 9; file >= 1; file-- {
		fmt.Fprintf(w, "%9d", file)
	}
	fmt.Fprintln(w)
	for rank := 1; rank <= 9; rank++ {
		for file := 9; file >= 1; file-- {
			square := shogi.NewSquare(file, rank)
			cell := "."
			if piece := p.PieceAt(square); piece != shogi.Empty {
				cell = piece.String() + "     "
				if x, ok := changes[square.String()]; ok {
					cell = fmt.Sprintf("%s %+5.1f", x.Piece, 100*x.Change)
				}
			}
			fmt.Fprintf(w, "%9s", cell)
		}
		fmt.Fprintf(w, "  %c\n", 'a'+rank-1)
	}
	for _, piece := range o.Pieces {
		if piece.Count > 0 {
			fmt.Fprintf(w, "in hand, one of %d: %s %+5.1f\n", piece.Count, piece.Piece, 100*piece.Change)
		}
	}
}

func printFeatures(w io.Writer, f *inspect.FeatureSum) {
	fmt.Fprintf(w, "\nAlpha-beta's features, phase %d of 256:\n", f.Phase)
	fmt.Fprintf(w, "  %-14s %8s   %8s   %8s\n", "feature", "value", "weight", "score")
	for _, part := range f.Parts {
		fmt.Fprintf(w, "  %-14s %8d × %8.3f = %8d\n", part.Name, part.Raw, float64(part.Weight)/1000, part.Score)
	}
	fmt.Fprintf(w, "  %-14s %8s   %8s   %8d\n", "sum", "", "", f.Score)
}

func printMoves(w io.Writer, moves []inspect.MoveTerms, most int) {
	if len(moves) == 0 {
		return
	}
	if most == 0 {
		most = len(moves)
	}
	fmt.Fprintf(w, "\nThe policy, %d of %d moves; the position alone gives each %+.3f:\n", min(most, len(moves)), len(moves), moves[0].Base)
	for _, m := range moves[:min(most, len(moves))] {
		fmt.Fprintf(w, "  %-5s %5.1f %%, logit %+.3f\n", m.Move, 100*m.Prior, m.Logit)
		for _, term := range m.Terms {
			fmt.Fprintf(w, "    %-12s %+7.3f   (alone %+7.3f)\n", term.Name, term.Share, term.Effect)
		}
	}
}

func printConflict(w io.Writer, c *inspect.Conflict) {
	fmt.Fprintf(w, "A: %s\nB: %s\n", c.A, c.B)
	for _, part := range []struct {
		title, format string
		is            *inspect.Comparison
	}{
		{"Win rate by the value net at the lines' ends", "%8.3f", &c.Value},
		{"Score by alpha-beta's features there", "%8.0f", &c.Features},
		{"Logit of the first moves by the policy net", "%8.3f", &c.Policy},
	} {
		row := func(name string, a, b, difference float64) {
			fmt.Fprintf(w, "  %-14s "+part.format+" "+part.format+" "+strings.Replace(part.format, "%", "%+", 1)+"\n", name, a, b, difference)
		}
		fmt.Fprintf(w, "\n%s:\n  %-14s %8s %8s %8s\n", part.title, "", "A", "B", "A - B")
		row("whole", part.is.A, part.is.B, part.is.Difference)
		for _, t := range part.is.Terms {
			row(t.Name, t.A, t.B, t.Difference)
		}
	}
}
