package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// cheap makes searches of the tests quick.
var cheap = []string{"--option", "USI_Hash=16", "--option", "PolicyEvaluator=heuristic", "--option", "ValueEvaluator=material"}

func yomiTree(t *testing.T, script string, args ...string) (status int, out, errs string) {
	t.Helper()
	if script != "" {
		path := filepath.Join(t.TempDir(), "script")
		require.NoError(t, os.WriteFile(path, []byte(script), 0o644))
		args = append(args, "--script", path)
	}
	return yomi(append([]string{"tree"}, args...)...)
}

const treePosition = "sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"

// Rows 1, 3 and 22: record, print, go through.
func TestTreeTrace(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "x.trace")
	status, out, errs := yomiTree(t, "", append([]string{"--nodes", "200", "--record", trace}, cheap...)...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "bestmove ")
	require.Contains(t, out, "root N 201")

	status, out, errs = yomi("tree", "log", trace, "--filter", "event start,select,end depth 0")
	require.Zero(t, status, errs)
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 202)
	require.Contains(t, out, " START uct, 30 legal moves")
	require.Contains(t, out, " [ply 0] MAX SELECT ")

	status, out, errs = yomiTree(t, `n
/event select depth 1
formula
board
candidates
b
n 5
g 400
tree
s 1
?event prove
clock
help
fromula
s 7
n x
/colour red
o tree.gif
q
n`, trace)
	require.Zero(t, status, errs)
	for _, want := range []string{"events of 1 searches", "1/", "MIN node at ply 1", "= Q ", "\npath: ", "MAX node at ply 0", "400/", "uct, ",
		"no clock runs", "go N events forward", `unknown command "fromula", did you mean "formula"?`, "searches 1 to 1", `bad number "x"`, `unknown word "colour"`, "want a name that ends in .svg"} {
		require.Contains(t, out, want)
	}

	cut := filepath.Join(t.TempDir(), "cut.trace")
	text, err := os.ReadFile(trace)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cut, text[:len(text)-9], 0o644))
	status, _, errs = yomi("tree", "log", cut)
	require.Zero(t, status)
	require.Contains(t, errs, "the end of the trace is missing")
}

// Rows 4 and 5: pictures of both searches, from a search and from a trace.
func TestTreePictures(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "x.trace")
	for _, args := range [][]string{
		append([]string{"--nodes", "200", "-o", filepath.Join(dir, "a.svg"), "--record", trace}, cheap...),
		{"--engine", "alphabeta", "--position", treePosition, "--depth", "2", "-o", filepath.Join(dir, "b.svg"), "--boards", "--japanese"},
		{"--engine", "alphabeta", "--depth", "2", "-o", filepath.Join(dir, "c.dot")},
		{trace, "-o", filepath.Join(dir, "d.svg"), "--search", "1"},
	} {
		status, out, errs := yomiTree(t, "", args...)
		require.Zero(t, status, errs)
		require.Contains(t, out, "drawn to "+dir)
	}
	for name, want := range map[string]string{"a.svg": "201 visits", "b.svg": "pruned", "c.dot": "digraph", "d.svg": "201 visits"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, strings.Contains(string(text), want), "%s: %s", name, want)
	}
}

func TestTreePNG(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil || testing.Short() {
		t.Skip("needs Chromium")
	}
	path := filepath.Join(t.TempDir(), "a.png")
	status, _, errs := yomiTree(t, "", append([]string{"--nodes", "50", "-o", path}, cheap...)...)
	require.Zero(t, status, errs)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(text[:4]))
}

// Row 10: the effect of move ordering, side by side.
func TestTreeCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	status, out, errs := yomiTree(t, "", "--compare", "ordering=none,heuristic,memory", "--position", treePosition, "--depth", "2", "-o", path)
	require.Zero(t, status, errs)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, value := range []string{"none", "heuristic", "memory"} {
		require.Contains(t, out, "ordering="+value+": depth 2, best ")
		require.True(t, strings.Contains(string(text), "ordering="+value+": depth 2, best "), value)
	}
	path = filepath.Join(t.TempDir(), "a.dot")
	status, _, errs = yomiTree(t, "", "--compare", "ordering=none,heuristic", "--position", treePosition, "--depth", "2", "-o", path)
	require.Zero(t, status, errs)
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	for _, part := range []string{`label="ordering=none: depth 2, best `, `label="ordering=heuristic: depth 2, best `, "\tt0n0 -> t0n", "\tt1n0 -> t1n"} {
		require.Contains(t, string(text), part)
	}
	if graphviz, err := exec.LookPath("dot"); err == nil {
		out, err := exec.Command(graphviz, "-Tsvg", "-o", os.DevNull, path).CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// Row 6: stop, look, step, go on.
func TestTreeStep(t *testing.T) {
	plain := append([]string{"--nodes", "300", "--position", treePosition}, cheap...)
	_, want, _ := yomiTree(t, "", plain...)
	status, out, errs := yomiTree(t, `board
candidates
s
s 3
break ply 2
break square 2i
breaks
c
board
candidates
window
tree
p
remove 2
remove 9
sneeze
s x
break nowhere
break proof
remove 1
c
q`, append(plain, "--step")...)
	require.Zero(t, status, errs)
	for _, text := range []string{"START uct", "no move is selected here", "breakpoint 1: ply 2\nbreakpoint 2: square 2i", "breakpoint 1 (ply 2): ", "path: ", "> ",
		"uct, ", `no breakpoint "9"`, `unknown command "sneeze"`, `bad number "x"`, `bad breakpoint "nowhere"`} {
		require.Contains(t, out, text)
	}
	require.Equal(t, steady(want), steady(out[strings.LastIndex(out, "bestmove"):]), "the result is that of a search without stops")

	require.Contains(t, out, "no window at this event (select)", "the tree search has none")
	status, out, errs = yomiTree(t, "window\nq", "--engine", "alphabeta", "--depth", "2", "--step", "--break", "prune")
	require.Zero(t, status, errs)
	require.Contains(t, out, "breakpoint 1 (prune): [ply 1] MIN PRUNE skipped ")
	require.Contains(t, out, "MIN node at ply 1: alpha ")
}

// steady takes the figures away that depend on the time.
func steady(text string) string {
	var words []string
	fields := strings.Fields(text)
	for i, w := range fields {
		if i > 0 && (fields[i-1] == "nps" || fields[i-1] == "time") {
			w = "N"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func TestTreeRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"--break needs --step":                  {"--break", "merge"},
		"--compare needs --picture":             {"--compare", "ordering=none,heuristic"},
		"want a setting with two values":        {"--compare", "ordering=none", "-o", "x.svg"},
		`did you mean "ordering"`:               {"--compare", "orderin=none,heuristic", "-o", "x.svg"},
		"does not go with --step":               {"--compare", "ordering=none,heuristic", "--step"},
		`bad picture "x.gif"`:                   {"-o", "x.gif"},
		`did you mean "Threads"`:                {"--option", "Thread=2"},
		"want NAME=VALUE":                       {"--option", "Threads"},
		"--position":                            {"--position", "nowhere"},
		"--most":                                {"--most", "0"},
		"must not be negative":                  {"--nodes=-1"},
		"bad breakpoint":                        {"--step", "--break", "sneeze", "--script", os.DevNull},
		`bad ply "-1"`:                          {"--step", "--break", "ply -1", "--script", os.DevNull},
		"--search has no effect with a search":  {"--search", "1"},
		"--script has no effect with a search":  {"--script", os.DevNull},
		"--address has no effect with a search": {"--address", "127.0.0.1:0"},
		"--record has no effect with --compare": {"--compare", "ordering=none,heuristic", "-o", "x.svg", "--record", "x.trace"},
		"--engine uct has no effect":            {"--compare", "ordering=none,heuristic", "-o", "x.svg", "--engine", "uct"},
		"they need --picture":                   {"--nodes", "1", "--boards"},
		"--search has no effect with a trace that is gone through": {"tree_test.go", "--search", "7"},
		"--nodes has no effect with a picture of a trace":          {"tree_test.go", "-o", "x.svg", "--nodes", "7"},
		"--option has no effect with --serve":                      {"tree_test.go", "--serve", "--option", "Threads=2"},
	} {
		status, _, errs := yomi(append([]string{"tree"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}
