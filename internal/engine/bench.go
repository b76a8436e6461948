package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// BenchNodes is the number of playouts for each position of the bench when nothing else is said.
const BenchNodes = 10_000

// benchHashMB is enough for the playouts of one position.
const benchHashMB = 256

// benchPositions are the positions of the bench, with a word for each.
var benchPositions = [...]struct{ name, position string }{
	{"start", "startpos"},
	{"opening", "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 8e8f 8g8f 8b8f P*8g 8f8d"},
	{"middle", "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"},
	{"attack", "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"},
	{"in check", "sfen lr6l/3g1kg2/p2pp2s+P/2Ps1ppp1/8L/P1nP2PR1/1P3PS2/1SGK5/LN3G3 b B2N3Pb2p 1"},
	{"many moves", "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"},
	{"endgame", "sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"},
	{"entering kings", "sfen 1K1+P+P4/+P1+P2+P3/2G1+P4/9/9/9/4+p1g2/3+p1+p1k1/5+p+p2 b RBG2S2N2L3Prbg2s2n2l4p 181"},
}

// Bench searches fixed positions with the given number of playouts each, one thread and a fixed seed, and gives the
// results to say, a line each. All options are at their defaults except the evaluators and the search's tunables, which are
// the engine's. The last line is "signature: " and 16 hexadecimal digits that depend on every search's tree: its root
// visits, its lines, the lengths of its paths, the number of nodes and edges, and how many playouts made an evaluation. Equal
// programs give equal signatures on every machine of the same architecture.
func (e *Engine) Bench(ctx context.Context, nodes int64, say func(string)) error {
	own := New()
	own.set.params, own.set.formula, own.set.policy, own.set.value = e.set.params, e.set.formula, e.set.policy, e.set.value
	own.set.policyFile, own.set.valueFile = e.set.policyFile, e.set.valueFile
	own.set.hashMB, own.set.resign, own.set.seed = benchHashMB, 0, 1
	for _, message := range own.Ready() {
		say(message)
	}
	say("kernels: " + simd.Name())
	signature := fnv.New64a()
	var total benchLine
	for _, b := range benchPositions {
		line, err := own.benchOne(ctx, b.position, nodes, signature)
		if err != nil {
			return fmt.Errorf("position %q: %w", b.name, err)
		}
		total.add(line)
		say(line.text(b.name))
	}
	say(total.text("total"))
	say(fmt.Sprintf("evaluating playouts/s: %.0f", perSecond(total.evaluations, total.took)))
	say(fmt.Sprintf("signature: %016x", signature.Sum64()))
	return nil
}

// benchLine is what one position of the bench took.
type benchLine struct {
	playouts, evaluations int64
	took                  time.Duration
}

func (l *benchLine) add(m benchLine) {
	l.playouts += m.playouts
	l.evaluations += m.evaluations
	l.took += m.took
}

func (l *benchLine) text(name string) string {
	return fmt.Sprintf("%-14s playouts %8d  evaluating %8d  nps %8.0f  evaluating/s %8.0f",
		name, l.playouts, l.evaluations, perSecond(l.playouts, l.took), perSecond(l.evaluations, l.took))
}

func perSecond(n int64, took time.Duration) float64 { return float64(n) / took.Seconds() }

// benchOne searches one position in an empty tree.
func (e *Engine) benchOne(ctx context.Context, position string, nodes int64, signature io.Writer) (benchLine, error) {
	game, err := shogi.ParsePosition(position)
	if err != nil {
		return benchLine{}, err
	}
	e.NewGame()
	before := e.searcher.Stats()
	start := time.Now()
	result := e.Search(ctx, game, search.Limits{Nodes: nodes}, func([]search.Info) {})
	took := time.Since(start)
	if err := ctx.Err(); err != nil {
		return benchLine{}, err
	}
	stats := e.searcher.Stats()
	line := benchLine{evaluations: stats.Evaluations - before.Evaluations, took: took}
	if len(result.Lines) > 0 {
		line.playouts = result.Lines[0].Nodes
	}
	sign(signature, result, e.searcher.RootMoves(), stats, line.evaluations, stats.Steps-before.Steps)
	return line, nil
}

// sign adds a search to the signature. The number of playouts is fixed, so it tells nothing; these do.
func sign(w io.Writer, r search.Result, moves []uct.RootMove, stats uct.Stats, evaluations, steps int64) {
	put := func(n int64) { _ = binary.Write(w, binary.LittleEndian, n) }
	put(int64(r.Best))
	for _, line := range r.Lines {
		put(int64(line.SelDepth))
		for _, m := range line.PV {
			put(int64(m))
		}
	}
	for _, m := range moves {
		put(int64(m.Move))
		put(m.Visits)
	}
	put(int64(stats.UsedSlots))
	put(int64(stats.UsedCells))
	put(evaluations)
	put(steps)
}

// Memory describes the tree's memory, a line each, for people. While Search runs it may be called with searching set, and then leaves out
// the probe lengths, for which the whole table is read.
func (e *Engine) Memory(searching bool) []string {
	tree := e.published.Load()
	switch {
	case tree == nil && searching:
		return []string{"hash: no tree is searched"}
	case tree == nil && e.thinker == nil:
		return []string{"hash: not allocated yet, isready does it"}
	case tree == nil:
		return []string{fmt.Sprintf("hash: %d MB, a transposition table", e.set.hashMB)}
	}
	st := tree.searcher.Stats()
	lines := []string{
		fmt.Sprintf("hash: %d MB, %d permille full", tree.mb, st.HashFull),
		fmt.Sprintf("node slots: %d of %d used, load %.3f", st.UsedSlots, st.Slots, float64(st.UsedSlots)/float64(st.Slots)),
		fmt.Sprintf("edge cells: %d of %d used", st.UsedCells, st.Cells),
		fmt.Sprintf("bytes in use: %d", st.UsedBytes()),
		fmt.Sprintf("recycled: %d nodes in %d pauses, the longest %.1f ms", st.Recycled, st.Pauses, float64(st.LongestPause.Microseconds())/1000),
	}
	if !searching {
		t := tree.searcher.TableStats()
		lines = append(lines, fmt.Sprintf("probes: mean %.2f, longest %d, longest run of slots %d, %d slots deleted", t.MeanProbe, max(len(t.ProbeLengths)-1, 0), t.LongestRun, t.Deleted))
	}
	return lines
}
