package kifu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// holds says what a format can hold.
type holds struct {
	variations, comments, times, fractions, bookmarks, header, ply bool
	ends                                                           []kifu.End
}

var allEnds = []kifu.End{kifu.Resign, kifu.Abort, kifu.Repetition, kifu.Impasse, kifu.Mate, kifu.NoMate, kifu.TimeUp, kifu.IllegalWin,
	kifu.IllegalLoss, kifu.Declaration, kifu.ForfeitWin, kifu.ForfeitLoss, kifu.Sealed, kifu.AgreedDraw, kifu.MaxMoves, kifu.Takeback,
	kifu.Fault, kifu.OtherEnd}

var csaAllEnds = []kifu.End{kifu.Resign, kifu.Abort, kifu.Repetition, kifu.Impasse, kifu.Mate, kifu.NoMate, kifu.TimeUp, kifu.IllegalWin,
	kifu.IllegalLoss, kifu.FoulLoss, kifu.Declaration, kifu.AgreedDraw, kifu.MaxMoves, kifu.Takeback, kifu.Fault, kifu.OtherEnd}

var capacities = map[kifu.Format]holds{
	kifu.CSA:  {comments: true, times: true, fractions: true, header: true, ends: csaAllEnds},
	kifu.KIF:  {variations: true, comments: true, times: true, bookmarks: true, header: true, ply: true, ends: allEnds},
	kifu.KIFU: {variations: true, comments: true, times: true, bookmarks: true, header: true, ply: true, ends: allEnds},
	kifu.KI2:  {variations: true, comments: true, bookmarks: true, header: true, ply: true, ends: allEnds},
	kifu.KI2U: {variations: true, comments: true, bookmarks: true, header: true, ply: true, ends: allEnds},
	kifu.USI:  {ply: true, ends: []kifu.End{kifu.Resign, kifu.Declaration}},
}

// generator makes random records that a format can hold.
type generator struct {
	*rand.Rand
	holds
}

var startNames = []string{"平手", "平手", "香落ち", "右香落ち", "角落ち", "飛車落ち", "飛香落ち", "二枚落ち", "三枚落ち", "四枚落ち", "五枚落ち",
	"左五枚落ち", "六枚落ち", "左七枚落ち", "右七枚落ち", "八枚落ち", "十枚落ち", "その他"}

func (g *generator) record(t testing.TB) *kifu.Record {
	name := startNames[g.IntN(len(startNames))]
	start, ok := kifu.Handicap(name)
	if !ok {
		start = shogi.StartPosition()
		for range g.IntN(80) {
			if m := g.move(&start); m != shogi.MoveNone {
				start.Do(m)
			}
		}
		if setup := start.Setup(); !g.ply {
			setup.Ply = 1
			var err error
			start, err = setup.Position()
			require.NoError(t, err)
		}
	}
	r := kifu.New(start)
	if g.header {
		r.Header = []kifu.Field{{Key: kifu.KeyWhite, Value: "ＡＢ：Ｃ"}, {Key: kifu.KeyEvent, Value: ""}, {Key: "掲載", Value: "x, y"}, {Key: kifu.KeyBlack, Value: "髙橋①"}}
	}
	g.decorate(r.Root)
	g.line(r.Root, start, 40+g.IntN(100), 3, [2]time.Duration{})
	return r
}

func (g *generator) move(p *shogi.Position) shogi.Move {
	moves := p.AppendLegal(make([]shogi.Move, 0, shogi.MaxMoves))
	if len(moves) == 0 {
		return shogi.MoveNone
	}
	return moves[g.IntN(len(moves))]
}

// line appends moves and, at some of them, variations up to the depth.
func (g *generator) line(n *kifu.Node, p shogi.Position, length, depth int, totals [2]time.Duration) {
	for range length {
		branches := 1
		if g.variations && depth > 0 && g.IntN(12) == 0 {
			branches += 1 + g.IntN(2)
		}
		var first *kifu.Node
		state, sums := p, totals
		for i := range branches {
			m := g.move(&state)
			if m == shogi.MoveNone {
				return
			}
			if slices.ContainsFunc(n.Children, func(sibling *kifu.Node) bool { return sibling.Move == m }) {
				continue
			}
			child := n.Add(&kifu.Node{Move: m})
			g.decorate(child)
			next, after := state, sums
			g.clock(child, state.Side(), &after)
			next.Do(m)
			if i == 0 {
				first, p, totals = child, next, after
			} else {
				g.line(child, next, g.IntN(15), depth-1, after)
			}
		}
		n = first
	}
	g.end(n, &p, totals)
}

func (g *generator) end(n *kifu.Node, p *shogi.Position, totals [2]time.Duration) {
	if g.IntN(4) == 0 {
		return
	}
	end := &kifu.Node{End: g.ends[g.IntN(len(g.ends))]}
	if end.End == kifu.OtherEnd {
		end.EndText = "SURPRISE"
	}
	g.decorate(end)
	g.clock(end, p.Side(), &totals)
	illegal := shogi.NewDrop(shogi.Pawn, 40)
	if end.End == kifu.IllegalWin && p.PieceAt(illegal.To()) == shogi.Empty && !p.IsLegal(illegal) {
		n = n.Add(&kifu.Node{Move: illegal, Illegal: true})
		end.Timed, end.Time, end.Total = false, 0, 0
	}
	n.Add(end)
}

func (g *generator) clock(n *kifu.Node, side shogi.Color, totals *[2]time.Duration) {
	if !g.times || g.IntN(5) == 0 {
		return
	}
	unit := time.Second
	if g.fractions && g.IntN(2) == 0 {
		unit = time.Millisecond
	}
	n.Timed, n.Time = true, time.Duration(g.IntN(5000))*unit
	totals[side] += n.Time
	n.Total = totals[side]
}

func (g *generator) decorate(n *kifu.Node) {
	for range g.IntN(8) - 5 {
		if g.comments {
			n.Comments = append(n.Comments, []string{"", " 一行 ", "* 113 -3334FU", "'remark", "'CSA encoding=UTF-8", "変化：3手", "2 投了"}[g.IntN(7)])
		}
	}
	if g.bookmarks && g.IntN(10) == 0 {
		n.Bookmark = "しおり 1"
	}
}

func TestRoundTrips(t *testing.T) {
	games := 30
	if testing.Short() {
		games = 8
	}
	for f, what := range capacities {
		for seed := range games {
			g := &generator{rand.New(rand.NewPCG(uint64(seed), uint64(f))), what}
			r := g.record(t)
			text, dropped := write(t, f, r)
			require.Empty(t, dropped)
			got, sniffed, err := kifu.Read([]byte(text))
			require.NoError(t, err, "%s, seed %d:\n%s", f, seed, text)
			require.Equal(t, f, sniffed)
			require.Equal(t, []*kifu.Record{r}, got, "%s, seed %d:\n%s", f, seed, text)
			requireElsewhere(t, r)
		}
	}
}

// requireElsewhere writes a record that was read without error in each format: what is written must be readable again without
// an error, with the same moves, and hold all that was not reported as left out.
func requireElsewhere(t *testing.T, r *kifu.Record) {
	t.Helper()
	want, err := r.Game()
	require.NoError(t, err)
	for f := kifu.CSA; f <= kifu.USI; f++ {
		text, dropped := write(t, f, r)
		got, err := kifu.ReadFormat(f, []byte(text))
		require.NoError(t, err, "%s:\n%s", f, text)
		require.Len(t, got, 1)
		g, err := got[0].Game()
		require.NoError(t, err)
		require.Equal(t, want.Moves(), g.Moves(), "%s:\n%s", f, text)
		if len(dropped) == 0 {
			require.Equal(t, r, got[0], "%s:\n%s", f, text)
		}
	}
}

// TestManyGames keeps the games of a CSA and a USI file apart.
func TestManyGames(t *testing.T) {
	for _, f := range []kifu.Format{kifu.CSA, kifu.USI} {
		var games []*kifu.Record
		for seed := range 5 {
			g := &generator{rand.New(rand.NewPCG(uint64(seed), 7)), capacities[f]}
			games = append(games, g.record(t))
		}
		text, dropped := write(t, f, games...)
		require.Empty(t, dropped)
		requireSame(t, f, text, games...)
	}
	var out bytes.Buffer
	_, err := kifu.Write(&out, kifu.KIF, kifu.New(shogi.StartPosition()), kifu.New(shogi.StartPosition()))
	require.ErrorContains(t, err, "one game")
	require.Zero(t, out.Len())
}

// TestDropped names what each format leaves out of a record that has everything.
func TestDropped(t *testing.T) {
	r := kifu.New(shogi.StartPosition())
	r.Set(kifu.KeyBlack, "a")
	first := r.Root.Add(&kifu.Node{Move: parseMove(t, "7g7f"), Timed: true, Time: 1500 * time.Millisecond, Total: 3 * time.Second,
		Comments: []string{"good 🙂"}, Bookmark: "here"})
	r.Root.Add(&kifu.Node{Move: parseMove(t, "2g2f")})
	first.Add(&kifu.Node{End: kifu.ForfeitLoss})
	want := map[kifu.Format][]string{
		kifu.CSA:  {"variations: 1", "cumulative times that are not the sum of the times: 1", "bookmarks: 1", "end words that CSA lacks: 1"},
		kifu.KIF:  {"fractions of seconds: 1", "characters that Shift_JIS lacks (🙂): 1"},
		kifu.KIFU: {"fractions of seconds: 1"},
		kifu.KI2U: {"times: 1"},
		kifu.USI:  {"header fields: 1", "variations: 1", "comments: 1", "bookmarks: 1", "times: 1", "end words other than 投了 and 入玉勝ち: 1"},
	}
	for f, list := range want {
		_, dropped := write(t, f, r)
		require.Equal(t, list, dropped, f.String())
	}
}

func parseMove(t testing.TB, text string) shogi.Move {
	m, err := shogi.ParseMove(text)
	require.NoError(t, err)
	return m
}

// TestFaultyTrees refuses records that no file could have.
func TestFaultyTrees(t *testing.T) {
	legal, illegal := parseMove(t, "7g7f"), parseMove(t, "7g7e")
	for reason, root := range map[string]*kifu.Node{
		"no root":         nil,
		"illegal move":    {Children: []*kifu.Node{{Move: illegal}}},
		"is legal":        {Children: []*kifu.Node{{Move: legal, Illegal: true}}},
		"is missing":      {Children: []*kifu.Node{nil}},
		"both the move":   {Children: []*kifu.Node{{Move: legal, End: kifu.Resign}}},
		"follows the end": {Children: []*kifu.Node{{End: kifu.Resign, Children: []*kifu.Node{{Move: legal}}}}},
		"follows an ille": {Children: []*kifu.Node{{Move: illegal, Illegal: true, Children: []*kifu.Node{{Move: legal}}}}},
		"unknown end":     {Children: []*kifu.Node{{End: kifu.OtherEnd + 1}}},
		"root has a move": {Move: legal},
	} {
		var out bytes.Buffer
		_, err := kifu.Write(&out, kifu.KIFU, &kifu.Record{Start: shogi.StartPosition(), Root: root})
		require.ErrorContains(t, err, reason)
		require.Zero(t, out.Len(), fmt.Sprint(reason))
	}
}
