package inspect

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

func newJudges() *Judges {
	return NewJudges(value.Default(), policy.Default(), alphabeta.DefaultWeights())
}

// judged are positions of many kinds: start, middle game with hands, check, ending, one king.
var judged = []string{
	"startpos",
	"sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
	"sfen l3k2nl/4g1gs1/p2p1p1pp/2p3p2/1p7/2P1SP3/PP1PP1PP1/2G1G2R1/L1K4NL b BNSPrbsn 1",
	"sfen 4k4/9/4G4/9/4r4/9/9/9/4K4 b R2b3g4s4n4l18p 1",
	"sfen 4k4/9/9/9/9/9/9/9/9 b R 1",
}

// An occluded piece's win rate is that of the position without it, and every piece but the kings is there or cannot go.
func TestOcclusion(t *testing.T) {
	j, direct := newJudges(), value.NewNetEvaluator(value.Default())
	for _, text := range judged {
		p := gameAt(t, text).Position()
		o := j.Occlusion(p)
		require.Equal(t, float64(direct.WinRate(p)), o.WinRate)
		found := make(map[string]OccludedPiece)
		for _, piece := range o.Pieces {
			found[piece.Piece+"@"+piece.Square] = piece
		}
		require.Len(t, found, len(o.Pieces), "each once")
		for s := shogi.Square(0); s < shogi.NumSquares; s++ {
			if piece := p.PieceAt(s); piece != shogi.Empty {
				without := p.Setup()
				without.Board[s] = shogi.Empty
				checkOccluded(t, found, piece.String()+"@"+s.String(), piece.Type() == shogi.King, &without, direct, o.WinRate)
			}
		}
		for c := shogi.Black; c <= shogi.White; c++ {
			for kind := shogi.Pawn; kind <= shogi.Gold; kind++ {
				if n := p.Hand(c).Count(kind); n > 0 {
					without := p.Setup()
					without.Hands[c] = without.Hands[c].Add(kind, -1)
					name := shogi.NewPiece(c, kind).String() + "@"
					require.Equal(t, n, found[name].Count)
					checkOccluded(t, found, name, false, &without, direct, o.WinRate)
				}
			}
		}
		require.Empty(t, found, text)
	}
}

// checkOccluded takes the piece off the list when it is right.
func checkOccluded(t *testing.T, found map[string]OccludedPiece, name string, king bool, without *shogi.Setup, direct *value.NetEvaluator, all float64) {
	t.Helper()
	p, err := without.Position()
	piece, ok := found[name]
	require.Equal(t, err == nil && !king, ok, name)
	if !ok {
		return
	}
	require.Equal(t, float64(direct.WinRate(&p)), piece.WinRate)
	require.Equal(t, piece.WinRate-all, piece.Change)
	delete(found, name)
}

// The piece between the rook and the king that is not to move cannot be taken off.
func TestOcclusionLeavesShieldsOut(t *testing.T) {
	p := gameAt(t, "sfen 4k4/9/4g4/9/4R4/9/9/4G4/4K4 b - 1").Position()
	var names []string
	for _, piece := range newJudges().Occlusion(p).Pieces {
		names = append(names, piece.Piece+piece.Square)
	}
	require.Equal(t, []string{"R5e", "G5h"}, names)
}

// mirrored returns the setup with left and right swapped, or, turned, with the board turned around and the sides swapped.
func mirrored(t *testing.T, p *shogi.Position, turned bool) *shogi.Position {
	t.Helper()
	from := p.Setup()
	to := shogi.Setup{Hands: from.Hands, Side: from.Side, Ply: from.Ply}
	if turned {
		to.Hands[0], to.Hands[1] = from.Hands[1], from.Hands[0]
		to.Side = from.Side.Opponent()
	}
	for s, piece := range from.Board {
		if turned && piece != shogi.Empty {
			piece = shogi.NewPiece(piece.Color().Opponent(), piece.Type())
		}
		to.Board[mirrorSquare(shogi.Square(s), turned)] = piece
	}
	out, err := to.Position()
	require.NoError(t, err)
	return &out
}

func mirrorSquare(s shogi.Square, turned bool) shogi.Square {
	if turned {
		return s.Flip()
	}
	return shogi.NewSquare(10-s.File(), s.Rank())
}

// Turned positions give turned maps, and mirrored ones mirrored maps unless a king is on the fifth file, where the net takes sides.
func TestOcclusionIsMirrored(t *testing.T) {
	j := newJudges()
	for _, c := range []struct {
		sfen   string
		turned bool
	}{
		{judged[0], true}, {judged[1], true}, {judged[2], true}, {judged[3], true}, {judged[1], false},
		{"sfen l6nl/3kg1gs1/p2p1p1pp/2p3p2/1p7/2P1SP3/PP1PP1PP1/2G1G2R1/L1K4NL b BNSPrbsn 1", false},
	} {
		p := gameAt(t, c.sfen).Position()
		want := make(map[string]float64)
		a := j.Occlusion(p)
		for _, piece := range a.Pieces {
			name := piece.Piece
			if c.turned {
				name = swapCase(name)
			}
			if piece.Square != "" {
				s, err := shogi.ParseSquare(piece.Square)
				require.NoError(t, err)
				name += mirrorSquare(s, c.turned).String()
			}
			want[name] = piece.Change
		}
		b := j.Occlusion(mirrored(t, p, c.turned))
		require.Equal(t, a.WinRate, b.WinRate)
		got := make(map[string]float64)
		for _, piece := range b.Pieces {
			got[piece.Piece+piece.Square] = piece.Change
		}
		require.Equal(t, want, got, c.sfen)
	}
}

func swapCase(piece string) string {
	if lower := strings.ToLower(piece); lower != piece {
		return lower
	}
	return strings.ToUpper(piece)
}

// The shares add up to the logits, the priors are those of the evaluator, best first.
func TestMoveTerms(t *testing.T) {
	j, direct := newJudges(), policy.NewNetEvaluator(policy.Default())
	for _, text := range judged {
		g := gameAt(t, text)
		p, legal := g.Position(), g.Position().AppendLegal(nil)
		priors := make([]float32, len(legal))
		direct.Priors(p, shogi.MoveNone, legal, priors)
		want := make(map[string]float32)
		for i, m := range legal {
			want[m.String()] = priors[i]
		}
		moves := j.Moves(p, shogi.MoveNone)
		require.Len(t, moves, len(legal))
		for i, m := range moves {
			require.InDelta(t, want[m.Move], m.Prior, 1e-5)
			require.True(t, i == 0 || m.Prior <= moves[i-1].Prior)
			sum := m.Base
			for k, term := range m.Terms {
				sum += term.Share
				require.True(t, k == 0 || math.Abs(term.Share) <= math.Abs(m.Terms[k-1].Share))
			}
			require.InDelta(t, m.Logit, sum, 1e-9)
		}
	}
}

// Row 12: the parts of alpha-beta's evaluation add up to its score exactly.
func TestFeatureSum(t *testing.T) {
	j, direct := newJudges(), alphabeta.NewFeatures(alphabeta.DefaultWeights())
	random := rand.New(rand.NewPCG(1, 1))
	g := gameAt(t, "startpos")
	for range 200 {
		legal := g.Position().AppendLegal(nil)
		if len(legal) == 0 {
			break
		}
		require.NoError(t, g.Do(legal[random.IntN(len(legal))]))
		p := g.Position()
		sums := direct.Sum(p)
		f := j.Features(p)
		require.Equal(t, direct.Score(p, &sums), f.Score)
		sum := 0
		for i, part := range f.Parts {
			require.Equal(t, alphabeta.FeatureNames()[i], part.Name)
			require.Equal(t, part.Raw*part.Weight/1000, part.Score)
			sum += part.Score
		}
		require.Equal(t, f.Score, sum)
	}
}

// Row 14: a conflict's differences add up, the largest first; swapped lines swap them.
func TestConflict(t *testing.T) {
	j := newJudges()
	direct := value.NewNetEvaluator(value.Default())
	p := gameAt(t, judged[1]).Position()
	legal := p.AppendLegal(nil)
	for i := 0; i+7 < len(legal); i += 7 {
		a, b := legal[i], legal[i+7]
		lineA, lineB := []shogi.Move{a}, []shogi.Move{b}
		next := *p
		next.Do(b)
		lineB = append(lineB, next.AppendLegal(nil)[0]) // one longer
		c, err := j.Conflict(p, shogi.MoveNone, lineA, lineB)
		require.NoError(t, err)
		require.Equal(t, a.String(), c.A)
		require.Equal(t, b.String()+" "+lineB[1].String(), c.B)
		for _, x := range []Comparison{c.Policy, c.Features} {
			sum := 0.0
			for k, term := range x.Terms {
				require.Equal(t, term.A-term.B, term.Difference)
				require.NotZero(t, term.Difference)
				require.True(t, k == 0 || math.Abs(term.Difference) <= math.Abs(x.Terms[k-1].Difference))
				sum += term.Difference
			}
			require.InDelta(t, x.Difference, sum, 1e-9)
			require.Equal(t, x.A-x.B, x.Difference)
		}
		after := *p
		after.Do(a)
		require.Equal(t, 1-float64(direct.WinRate(&after)), c.Value.A)
		require.Equal(t, -float64(j.Features(&after).Score), c.Features.A)
		next.Do(lineB[1])
		require.Equal(t, float64(direct.WinRate(&next)), c.Value.B)
		require.Equal(t, float64(j.Features(&next).Score), c.Features.B)

		other, err := j.Conflict(p, shogi.MoveNone, lineB, lineA)
		require.NoError(t, err)
		require.Equal(t, -c.Value.Difference, other.Value.Difference)
		require.Equal(t, len(c.Policy.Terms), len(other.Policy.Terms))
	}
	_, err := j.Conflict(p, shogi.MoveNone, nil, legal[:1])
	require.EqualError(t, err, "line A: it has no move")
	_, err = j.Conflict(p, shogi.MoveNone, legal[:1], []shogi.Move{legal[0], legal[0]})
	require.EqualError(t, err, "line B: illegal move "+legal[0].String())
}

// The page reads the breakdown as JSON.
func TestBreakdownJSON(t *testing.T) {
	g := gameAt(t, "startpos moves 7g7f")
	b := newJudges().Explain(g.Position(), g.Moves()[0])
	require.Equal(t, "w", b.Side)
	text, err := json.Marshal(b)
	require.NoError(t, err)
	var back Breakdown
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, b, back)
	for _, name := range []string{`"sfen"`, `"occlusion"`, `"win_rate"`, `"change"`, `"moves"`, `"share"`, `"effect"`, `"features"`, `"raw"`} {
		require.Contains(t, string(text), name)
	}
}
