package alphabeta

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

func TestWeightsErrorsNameTheToken(t *testing.T) {
	for _, tc := range []struct{ old, new, want string }{
		{"piece P    90", "piece P    9o", `bad number "9o"`},
		{"piece P    90", "piece Q    90", `unknown name "Q"`},
		{"piece P    90", "pieces P   90", `unknown word "pieces"`},
		{"piece P    90", "piece", `"piece": a name is missing`},
		{"piece P    90", "piece P", `"piece P" has 0 numbers, want 1`},
		{"piece P    90", "piece P 90 1", `"piece P" has 2 numbers, want 1`},
		{"piece P    90", "piece P 90000", `bad number "90000": want -5000 to 5000`},
		{"piece P    90", "piece L    90", `"piece L" stands there twice`},
		{"piece P    90", "", `"piece P" is missing`},
		{"side_bonus 50", "", `"side_bonus" is missing`},
		{"rank P    0", "rank P   ", `"rank P" has 8 numbers, want 9`},
	} {
		_, err := ParseWeights(strings.Replace(WeightsText(), tc.old, tc.new, 1))
		require.ErrorContains(t, err, tc.want)
		if !strings.Contains(tc.want, "missing") || strings.Contains(tc.want, "name") {
			require.Regexp(t, `^line \d+: `, err.Error())
		}
	}
}

func TestDefaultWeights(t *testing.T) {
	w := DefaultWeights()
	for pt := shogi.Pawn; pt < shogi.NumPieceTypes; pt++ {
		if pt != shogi.King {
			require.Equal(t, shogi.ExchangeValue(pt), w.Piece[pt], "on the board %s is worth what it is in exchanges", pt)
		}
	}
	require.Equal(t, [2]int{500, 500}, w.Feature[FeatureMobility])
	require.Len(t, FeatureNames(), int(NumFeatures))
}

func TestSetWeight(t *testing.T) {
	w := DefaultWeights()
	require.NoError(t, w.Set("king_safety=1500"))
	require.Equal(t, [2]int{1500, 1500}, w.Feature[FeatureKingSafety])
	require.NoError(t, w.Set("threats=-3,7"))
	require.Equal(t, [2]int{-3, 7}, w.Feature[FeatureThreats])
	require.ErrorIs(t, w.Set("safety=1"), ErrUnknownWeight)
	require.ErrorContains(t, w.Set("threats=x"), `bad weight "x"`)
	require.ErrorContains(t, w.Set("threats=1,"), `bad weight ""`)
	require.ErrorContains(t, w.Set("threats"), `bad weight ""`)
}

// TestWeightsCount doubles each feature's weight: its contribution and nothing else follows.
func TestWeightsCount(t *testing.T) {
	p := gameAt(t, everyPosition(t)[1]).Position()
	before := NewFeatures(DefaultWeights()).Explain(p)
	for f := range Feature(NumFeatures) {
		w := DefaultWeights()
		w.Feature[f] = [2]int{0, 0}
		after := NewFeatures(w).Explain(p)
		require.Zero(t, after.Parts[f].Score)
		require.Equal(t, before.Score-before.Parts[f].Score, after.Score, f.String())
	}
}

func FuzzParseWeights(f *testing.F) {
	f.Add(WeightsText())
	f.Add("piece P 90\npiece P 90")
	f.Add("weight material 1")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWeights(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		NewFeatures(w).Explain(new(shogi.StartPosition()))
	})
}

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig(Default(), "driver=mtdf, ordering=heuristic,killers=off,table=4096,aspiration=0,multipv=3")
	require.NoError(t, err)
	require.Equal(t, MTDF, c.Driver)
	require.Equal(t, OrderHeuristic, c.Ordering)
	require.False(t, c.Killers)
	require.True(t, c.History)
	require.Equal(t, 4096, c.TableSize)
	for text, want := range map[string]string{
		"driver=x": `bad driver "x"`, "ordering=x": `bad ordering "x"`, "killers=x": `bad value "x" for killers`, "table=-1": `bad value "-1" for table`,
		"x=1": `unknown setting "x"`, "killers": `bad setting "killers"`, "key-bits=65": "key-bits 65", "driver=sss-open,multipv=2": "finds one line only",
	} {
		_, err := ParseConfig(Default(), text)
		require.ErrorContains(t, err, want)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add(Default().String())
	f.Add("driver=mtdf,killers=off,table=12")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseConfig(Config{}, text)
		if err != nil {
			return
		}
		again, err := ParseConfig(Config{}, c.String())
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
