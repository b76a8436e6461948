package kifu_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

const testdata = "../../testdata"

// parseCase is a row of testdata/rules_cases.json about reading a file.
type parseCase struct {
	ID    string
	Kind  string
	Input struct {
		File, SFEN, Moves, Move, Text string
	}
	Answer json.RawMessage
}

// parseAnswer is what the file must say.
type parseAnswer struct {
	InitialSFEN string `json:"initial_sfen"`
	FinalSFEN   string `json:"final_sfen"`
	Moves       []string
	Special     string
	Times       []int
	Names       []string
	Variations  [][2]json.RawMessage
	IllegalAt   int `json:"illegal_at"`
	Winner      string
	Loser       string
	Evals       [][2]int
}

func readCases(t *testing.T, kind string) []parseCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, "rules_cases.json"))
	require.NoError(t, err)
	var all, some []parseCase
	require.NoError(t, json.Unmarshal(data, &all))
	for _, c := range all {
		if c.Kind == kind {
			some = append(some, c)
		}
	}
	require.NotEmpty(t, some)
	return some
}

func readRecord(t *testing.T, name string) ([]*kifu.Record, kifu.Format, error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	require.NoError(t, err)
	return kifu.Read(data)
}

// csaEnds are the ends that the CSA cases name in CSA's words.
var csaEnds = map[string]kifu.End{"CHUDAN": kifu.Abort, "TORYO": kifu.Resign, "+ILLEGAL_ACTION": kifu.FoulLoss,
	"TSUMI": kifu.Mate, "KACHI": kifu.Declaration}

// usi returns the moves of a line, its illegal last one too.
func usi(line []*kifu.Node) []string {
	moves := []string{}
	for _, n := range line {
		if n.End == kifu.NoEnd {
			moves = append(moves, n.Move.String())
		}
	}
	return moves
}

func TestHandedFiles(t *testing.T) {
	formats := map[string][]kifu.Format{"kif_parse": {kifu.KIF, kifu.KIFU}, "ki2_parse": {kifu.KI2U}, "csa_parse": {kifu.CSA}}
	for kind, wanted := range formats {
		for _, c := range readCases(t, kind) {
			t.Run(c.ID, func(t *testing.T) {
				var a parseAnswer
				require.NoError(t, json.Unmarshal(c.Answer, &a))
				records, f, err := readRecord(t, c.Input.File)
				require.Contains(t, wanted, f)
				require.Len(t, records, 1)
				if a.IllegalAt > 0 {
					require.ErrorContains(t, err, "illegal move")
				} else {
					require.NoError(t, err)
				}
				checkAnswer(t, records[0], &a)
			})
		}
	}
}

func checkAnswer(t *testing.T, r *kifu.Record, a *parseAnswer) {
	line := r.Main()
	require.Equal(t, a.InitialSFEN, r.Start.SFEN())
	require.Equal(t, a.Moves, usi(line))
	g, err := r.Game()
	require.NoError(t, err)
	if a.FinalSFEN != "" {
		require.Equal(t, a.FinalSFEN, g.Position().SFEN())
	}
	if a.IllegalAt > 0 {
		require.True(t, line[a.IllegalAt-1].Illegal)
	}
	if a.Special != "" {
		end := line[len(line)-1].End
		if want, found := csaEnds[a.Special]; found {
			require.Equal(t, want, end)
		} else {
			require.Equal(t, a.Special, end.String())
		}
	}
	for i, seconds := range a.Times {
		require.Equal(t, time.Duration(seconds)*time.Second, line[i].Time, "move %d", i+1)
	}
	if a.Names != nil {
		require.Equal(t, a.Names, []string{r.Get(kifu.KeyBlack), r.Get(kifu.KeyWhite)})
	}
	winners := map[string]kifu.Result{"black": kifu.BlackWins, "white": kifu.WhiteWins}
	if a.Winner != "" {
		require.Equal(t, winners[a.Winner], r.Result())
	}
	if a.Loser == "white" {
		require.Equal(t, kifu.BlackWins, r.Result())
	}
	for _, eval := range a.Evals {
		require.Regexp(t, "^\\* "+json.Number(jsonInt(eval[1])).String()+" ", line[eval[0]-1].Comments[0])
	}
	var want, got [][]string
	for _, v := range a.Variations {
		var moves []string
		require.NoError(t, json.Unmarshal(v[1], &moves))
		want = append(want, append([]string{string(v[0])}, moves...))
	}
	got = variationsOf(r.Root, 1)
	require.ElementsMatch(t, want, got)
}

func jsonInt(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// variationsOf returns every continuation that is not the main line: the number of its first move, and its moves.
func variationsOf(n *kifu.Node, number int) [][]string {
	var list [][]string
	for i, child := range n.Children {
		if i > 0 {
			v := &kifu.Record{Root: &kifu.Node{Children: []*kifu.Node{child}}}
			list = append(list, append([]string{jsonInt(number)}, usi(v.Main())...))
		}
		list = append(list, variationsOf(child, number+1)...)
	}
	return list
}

func TestHandedUSI(t *testing.T) {
	for _, c := range readCases(t, "usi_position") {
		var want string
		require.NoError(t, json.Unmarshal(c.Answer, &want))
		records, f, err := kifu.Read([]byte(c.Input.Text))
		require.NoError(t, err)
		require.Equal(t, kifu.USI, f)
		g, err := records[0].Game()
		require.NoError(t, err)
		require.Equal(t, want, g.Position().SFEN(), c.ID)
	}
	records, _, err := readRecord(t, "records/usi_lines.txt")
	require.NoError(t, err)
	require.Len(t, records, 9)
	require.Equal(t, kifu.WhiteWins, records[7].Result())
	text, dropped := write(t, kifu.USI, records[0], records[1])
	require.Equal(t, "position startpos\nposition startpos\n", text)
	require.Empty(t, dropped)
}

func TestKI2Marks(t *testing.T) {
	for _, c := range readCases(t, "ki2_write") {
		var want string
		require.NoError(t, json.Unmarshal(c.Answer, &want))
		want = strings.ReplaceAll(want, "竜", "龍")
		start, err := shogi.ParseConstructedSFEN(c.Input.SFEN)
		require.NoError(t, err)
		r := kifu.New(start)
		node := r.Root
		for _, text := range append(strings.Fields(c.Input.Moves), c.Input.Move) {
			m, err := shogi.ParseMove(text)
			require.NoError(t, err)
			node = node.Add(&kifu.Node{Move: m})
		}
		text, _ := write(t, kifu.KI2U, r)
		words := strings.Fields(text)
		require.Equal(t, want, words[len(words)-1], c.ID)
		requireSame(t, kifu.KI2U, text, r)
	}
}

func TestKIFWritesSideToMoveAndMarks(t *testing.T) {
	for _, c := range readCases(t, "kif_write") {
		if c.Input.SFEN == "" {
			r := kifu.New(shogi.StartPosition())
			r.Root.Comments = []string{c.Input.Text}
			var out bytes.Buffer
			dropped, err := kifu.Write(&out, kifu.KIF, r)
			require.NoError(t, err)
			require.Equal(t, []string{"characters that Shift_JIS lacks (☖☗): 2"}, dropped)
			records, f, err := kifu.Read(out.Bytes())
			require.NoError(t, err)
			require.Equal(t, kifu.KIF, f)
			require.Equal(t, []string{"▲７六歩 △３四歩"}, records[0].Root.Comments)
			continue
		}
		start, err := shogi.ParseSFEN(c.Input.SFEN)
		require.NoError(t, err)
		text, _ := write(t, kifu.KIFU, kifu.New(start))
		var want string
		require.NoError(t, json.Unmarshal(c.Answer, &want))
		require.Contains(t, strings.Split(text, "\n"), want)
	}
}

// write writes records and returns text and omissions.
func write(t *testing.T, f kifu.Format, records ...*kifu.Record) (string, []string) {
	t.Helper()
	var out bytes.Buffer
	dropped, err := kifu.Write(&out, f, records...)
	require.NoError(t, err)
	return out.String(), dropped
}

// requireSame reads the text and compares with the record.
func requireSame(t *testing.T, f kifu.Format, text string, want ...*kifu.Record) {
	t.Helper()
	got, err := kifu.ReadFormat(f, []byte(text))
	require.NoError(t, err, text)
	require.Equal(t, want, got, text)
}
