package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

func setOption(t *testing.T, e *Engine, name, text string) {
	t.Helper()
	require.NoError(t, e.Set(usi.Setting{Name: name, Value: text, HasValue: true}))
}

// writeNet writes a random value net with its own score scale and a tuned constant.
func writeNet(t *testing.T, path string, coef float64, constants []nn.Number) {
	t.Helper()
	net, _, err := value.NewNet(value.NewRandomWeights(7, 64))
	require.NoError(t, err)
	file := net.File("a test", constants)
	file.EvalCoef = coef
	data, err := file.Encode()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// TestNetFile: another net is read at Ready, brings its own scale and constants, and can be taken away again.
func TestNetFile(t *testing.T) {
	e := New()
	setOption(t, e, "USI_Hash", "1")
	p := shogi.StartPosition()
	own := e.Evaluate(&p).WinRate
	path := filepath.Join(t.TempDir(), "a net.nn")
	writeNet(t, path, 750, []nn.Number{{Name: "C_puct", Value: 0.5}, {Name: "no such constant", Value: 1}})
	setOption(t, e, "ValueFile", path)
	require.Empty(t, e.Ready())
	require.NotEqual(t, own, e.Evaluate(&p).WinRate)
	require.Equal(t, 750.0, e.evalCoef())
	require.Equal(t, 0.5, e.params()[uct.CPuct])
	setOption(t, e, "Eval_Coef", "500")
	setOption(t, e, "C_puct", "3000")
	require.Equal(t, 500.0, e.evalCoef(), "what the user sets goes before the net's own")
	require.Equal(t, 0.3, e.params()[uct.CPuct])
	setOption(t, e, "ValueFile", "")
	require.Empty(t, e.Ready())
	require.Equal(t, own, e.Evaluate(&p).WinRate)
}

// TestWrongNetFile: a file that is no fitting net is named in one message, and the built-in net stays.
func TestWrongNetFile(t *testing.T) {
	folder := t.TempDir()
	junk := filepath.Join(folder, "junk.nn")
	require.NoError(t, os.WriteFile(junk, []byte("this is no net"), 0o600))
	valueFile := filepath.Join(folder, "value.nn")
	writeNet(t, valueFile, 600, nil)
	for _, c := range []struct{ option, path string }{
		{"ValueFile", filepath.Join(folder, "missing.nn")}, {"ValueFile", folder}, {"ValueFile", junk},
		{"PolicyFile", junk}, {"PolicyFile", valueFile},
	} {
		e := New()
		setOption(t, e, "USI_Hash", "1")
		p := shogi.StartPosition()
		want := e.Evaluate(&p)
		setOption(t, e, c.option, c.path)
		messages := e.Ready()
		require.Len(t, messages, 1, c.path)
		require.Contains(t, messages[0], c.path)
		require.Contains(t, messages[0], "built-in")
		require.Equal(t, want, e.Evaluate(&p))
		require.Empty(t, e.Ready(), "it is said once")
	}
}
