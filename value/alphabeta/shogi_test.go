package alphabeta

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// positions returns the handed positions, in a short test a few.
func positions(t testing.TB) []string {
	list := everyPosition(t)
	if testing.Short() {
		const few = 4
		list = list[len(list)-few:]
	}
	return list
}

func everyPosition(t testing.TB) []string {
	t.Helper()
	file, err := os.Open("testdata/positions.sfen")
	require.NoError(t, err)
	defer file.Close()
	var list []string
	for in := bufio.NewScanner(file); in.Scan(); {
		if line := in.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	require.NotEmpty(t, list)
	return list
}

func gameAt(t testing.TB, sfen string) *shogi.Game {
	t.Helper()
	g, err := shogi.ParsePosition(sfen)
	require.NoError(t, err)
	return g
}

// shogiAt returns shogi at the position, judged by features, without path facts.
func shogiAt(t testing.TB, sfen string) *Shogi {
	t.Helper()
	g := NewShogi(DefaultWeights(), ShogiRules{NoRepetition: true})
	g.Reset(gameAt(t, sfen))
	return g
}

// minimaxNodes bounds the trees that minimax walks in these tests.
func minimaxNodes() int64 {
	if testing.Short() {
		return 5_000
	}
	return 50_000
}

// needsTable reports whether a driver searches the same tree again and again.
func needsTable(d Driver) bool { return d == MTDF || d == SSS || d == Dual }

// TestDriversOnPositions compares all drivers at fixed depth on shogi positions, with and without table, and in the quiescent form.
func TestDriversOnPositions(t *testing.T) {
	for _, sfen := range positions(t) {
		for depth := 1; depth <= 5; depth++ {
			g := shogiAt(t, sfen)
			s, err := New[shogi.Move](g, testMode(Minimax, 0), nil)
			require.NoError(t, err)
			want := s.Run(Goal[shogi.Move]{Depth: depth, Nodes: minimaxNodes()})
			if want.Stopped {
				break
			}
			for _, d := range Drivers() {
				for _, table := range []int{0, 1 << 14} {
					if needsTable(d) && table == 0 && depth > 2 {
						continue // it would search the same tree a thousand times
					}
					got := run(t, g, testMode(d, table), depth)
					require.Equal(t, want.Score(), got.Score(), "%s, table %d, depth %d, %s", d, table, depth, sfen)
					require.Equal(t, want.Move(), got.Move(), "%s, table %d, depth %d, %s", d, table, depth, sfen)
					if d == AlphaBeta {
						require.LessOrEqual(t, got.Stats.Nodes, want.Stats.Nodes, sfen)
					}
				}
			}
		}
	}
}

// TestDriversWithQuiescence does the same where leaves are searched on, with check extension.
func TestDriversWithQuiescence(t *testing.T) {
	for _, sfen := range positions(t) {
		for depth := 1; depth <= 3; depth++ {
			g := shogiAt(t, sfen)
			c := Config{Driver: Minimax, Quiescence: 6, CheckExtension: true, EqualDepth: true}
			s, err := New[shogi.Move](g, c, nil)
			require.NoError(t, err)
			want := s.Run(Goal[shogi.Move]{Depth: depth, Nodes: minimaxNodes()})
			if want.Stopped {
				break
			}
			for _, d := range Drivers() {
				c.Driver, c.TableSize = d, 1<<14
				got := run(t, g, c, depth)
				require.Equal(t, want.Score(), got.Score(), "%s, depth %d, %s", d, depth, sfen)
				require.Equal(t, want.Move(), got.Move(), "%s, depth %d, %s", d, depth, sfen)
			}
		}
	}
}

// TestLinesEndAtTheScore runs the configuration for play, in which path facts and entries of other depths count.
func TestLinesEndAtTheScore(t *testing.T) {
	for _, sfen := range positions(t) {
		for _, d := range []Driver{AlphaBeta, Scout, PVS, MTDF} {
			c := Default()
			c.Driver, c.TableSize = d, 1<<14
			g := NewShogi(DefaultWeights(), ShogiRules{Declaration: shogi.CSARule27})
			g.Reset(gameAt(t, sfen))
			s, err := New[shogi.Move](g, c, nil)
			require.NoError(t, err)
			for _, nodes := range []int64{500, 3000, 20000} {
				out := s.Run(Goal[shogi.Move]{Depth: 6, Nodes: nodes})
				if out.Depth > 0 {
					require.Equal(t, out.Score(), endScore[shogi.Move](t, g, out.Lines[0]), "%s %d %s", d, nodes, sfen)
				}
			}
		}
	}
}

// Row 18: mates have scores far above evaluations, the shorter the better, and are found.
func TestMates(t *testing.T) {
	data, err := os.ReadFile("testdata/mates.json")
	require.NoError(t, err)
	var cases []struct {
		SFEN       string   `json:"sfen"`
		MateIn     int      `json:"mate_in"`
		FirstMoves []string `json:"first_moves"`
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	require.NotEmpty(t, cases)
	for _, tc := range cases {
		if testing.Short() && tc.MateIn > 1 {
			continue
		}
		c := Default()
		c.TableSize, c.Quiescence = 1<<16, 0
		g := shogiAt(t, tc.SFEN)
		s, err := New[shogi.Move](g, c, nil)
		require.NoError(t, err)
		out := s.Run(Goal[shogi.Move]{Depth: 5, Nodes: 1_000_000})
		plies, ok := IsMate(out.Score())
		require.True(t, ok && plies > 0, "%s: %d", tc.SFEN, out.Score())
		require.LessOrEqual(t, plies, tc.MateIn, tc.SFEN)
		require.Equal(t, out.Score(), endScore[shogi.Move](t, g, out.Lines[0]), tc.SFEN)
		if plies == tc.MateIn {
			require.Contains(t, tc.FirstMoves, out.Move().String(), tc.SFEN)
		}
	}
}

// Row 17: forces keys of 16 bits: false hits are found, counted and not believed.
func TestCheckKeys(t *testing.T) {
	for _, d := range []Driver{AlphaBeta, PVS, MTDF} {
		c := testMode(d, 1<<16)
		c.CheckKeys = true
		g := shogiAt(t, everyPosition(t)[5])
		want := run(t, g, c, 4)
		require.Zero(t, want.Stats.Collisions, "64-bit keys")
		require.Positive(t, want.Stats.Hits)
		c.KeyBits = 16
		got := run(t, g, c, 4)
		require.Positive(t, got.Stats.Collisions, "16-bit keys")
		require.Equal(t, want.Score(), got.Score())
		require.Equal(t, want.Move(), got.Move())
	}
}

// walk plays random moves from a position and calls visit before each, and at the end.
func walk(t testing.TB, start shogi.Position, seed uint64, plies int, visit func(p *shogi.Position, m shogi.Move)) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	p := start
	for range plies {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[random.IntN(len(moves))]
		visit(&p, m)
		p.Do(m)
	}
}

// Row 11: compares the sums that moves carry along with those from scratch.
func FuzzSums(f *testing.F) {
	f.Add(uint64(1), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, plies uint8) {
		e := NewFeatures(DefaultWeights())
		sums := e.Sum(new(shogi.StartPosition()))
		walk(t, shogi.StartPosition(), seed, int(plies), func(p *shogi.Position, m shogi.Move) {
			require.Equal(t, e.Sum(p), sums, p.SFEN())
			e.Update(&sums, p, m)
		})
	})
}

// FuzzCaptures compares the captures with the legal moves.
func FuzzCaptures(f *testing.F) {
	f.Add(uint64(1), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, plies uint8) {
		var c capturing
		walk(t, shogi.StartPosition(), seed, int(plies), func(p *shogi.Position, _ shogi.Move) {
			if p.InCheck() {
				return
			}
			got := c.appendTo(nil, p, leastCapture)
			want := make(map[shogi.Move]bool)
			legal := p.AppendLegal(nil)
			for _, m := range legal {
				if p.PieceAt(m.To()) == shogi.Empty || m.IsDrop() {
					continue
				}
				promoted := shogi.NewPromotion(m.From(), m.To())
				if p.SEE(m) >= 0 && (m.IsPromotion() || !p.IsLegal(promoted)) {
					want[m] = true
				}
			}
			for _, m := range got {
				require.True(t, want[m], "%s in %s", m, p.SFEN())
				delete(want, m)
			}
			for m := range want {
				attacker, victim := p.PieceAt(m.From()).Type(), p.PieceAt(m.To()).Type()
				require.Fail(t, "missing", "%s in %s (%s takes %s)", m, p.SFEN(), attacker, victim)
			}
		})
	})
}

// FuzzBreakdown checks that features sum up to the score and that the two sides see the same.
func FuzzBreakdown(f *testing.F) {
	f.Add(uint64(1), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, plies uint8) {
		e := NewFeatures(DefaultWeights())
		walk(t, shogi.StartPosition(), seed, int(plies), func(p *shogi.Position, _ shogi.Move) {
			b := e.Explain(p)
			sum := 0
			for i, part := range b.Parts {
				require.EqualValues(t, i, part.Feature)
				sum += part.Score
			}
			sums := e.Sum(p)
			require.Equal(t, b.Score, clamp(sum), p.SFEN())
			require.Equal(t, b.Score, e.Score(p, &sums), p.SFEN())
			require.Equal(t, -b.Score, b.Flip().Score)
		})
	})
}

// TestBothSidesAlike turns positions round: the score must not change.
func TestBothSidesAlike(t *testing.T) {
	e := NewFeatures(DefaultWeights())
	for _, sfen := range positions(t) {
		p := gameAt(t, sfen).Position()
		setup := p.Setup()
		turned := shogi.Setup{Hands: [2]shogi.Hand{setup.Hands[1], setup.Hands[0]}, Side: setup.Side.Opponent(), Ply: setup.Ply}
		for s := shogi.Square(0); s < shogi.NumSquares; s++ {
			if piece := setup.Board[s]; piece != shogi.Empty {
				turned.Board[s.Flip()] = shogi.NewPiece(piece.Color().Opponent(), piece.Type())
			}
		}
		q, err := turned.Position()
		require.NoError(t, err)
		require.Equal(t, e.Explain(p), e.Explain(&q), sfen)
	}
}

func TestNetAsValue(t *testing.T) {
	g := NewShogiValue(value.NewNetEvaluator(value.Default()), value.EvalCoef, ShogiRules{NoRepetition: true})
	for _, sfen := range positions(t)[:4] {
		g.Reset(gameAt(t, sfen))
		want := run(t, g, testMode(Minimax, 0), 1)
		for _, d := range Drivers() {
			got := run(t, g, testMode(d, 1<<10), 1)
			require.Equal(t, want.Score(), got.Score(), "%s %s", d, sfen)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	for _, sfen := range positions(t)[:4] {
		c := Default()
		c.TableSize = 1 << 14
		g := NewShogi(DefaultWeights(), ShogiRules{Declaration: shogi.CSARule27})
		g.Reset(gameAt(t, sfen))
		s, err := New[shogi.Move](g, c, nil)
		require.NoError(t, err)
		s.Run(Goal[shogi.Move]{Depth: 5, Nodes: 30_000})
		s.rootDepth = 3
		allocated := testing.AllocsPerRun(3, func() { s.node(-infinity, infinity, 3, 0) })
		require.Zero(t, allocated, sfen)
	}
}

// BenchmarkSearch reports moves made a second, quiescence included, with the feature evaluation.
func BenchmarkSearch(b *testing.B) {
	for _, sfen := range everyPosition(b)[:3] {
		b.Run("", func(b *testing.B) {
			g := NewShogi(DefaultWeights(), ShogiRules{Declaration: shogi.CSARule27})
			g.Reset(gameAt(b, sfen))
			s, err := New[shogi.Move](g, Default(), nil)
			require.NoError(b, err)
			nodes := int64(0)
			for b.Loop() {
				s.Clear()
				nodes += s.Run(Goal[shogi.Move]{Depth: 20, Nodes: 200_000}).Stats.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
