package usi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][2]string{
		"":                            {"", ""},
		" \t\r\n":                     {"", ""},
		"usi":                         {"usi", ""},
		"  isready  \r\n":             {"isready", ""},
		"position \t startpos moves ": {"position", "startpos moves"},
		"setoption name F value a  b": {"setoption", "name F value a  b"},
	} {
		command, args := usi.Split(line)
		require.Equal(t, want, [2]string{command, args}, "%q", line)
	}
	require.Equal(t, []string{"a", "b", "c"}, usi.Tokens("\ta  b\tc\r\n"))
}

func TestText(t *testing.T) {
	require.Equal(t, "a b ?? c", usi.Text("a\nb \u8aad\x01 c\r\n"))
	long := usi.Text(strings.Repeat("x", 100_000))
	require.Less(t, len(long), 500)
	require.True(t, strings.HasSuffix(long, "..."))
}

func TestParseID(t *testing.T) {
	field, value, err := usi.ParseID("name gps shogi 1.0")
	require.NoError(t, err)
	require.Equal(t, "name", field)
	require.Equal(t, "gps shogi 1.0", value)
	_, _, err = usi.ParseID("nam x")
	require.ErrorContains(t, err, `"nam"`)
}

func TestOption(t *testing.T) {
	for line, want := range map[string]usi.Option{
		"option name USI_Hash type spin default 256 min 1 max 65536": {
			Name: "USI_Hash", Type: usi.Spin, Default: "256", Min: 1, Max: 65536},
		"option name USI_Ponder type check default false":             {Name: "USI_Ponder", Type: usi.Check, Default: "false"},
		"option name Style type combo default calm var calm var wild": {Name: "Style", Type: usi.Combo, Default: "calm", Vars: []string{"calm", "wild"}},
		"option name BookFile type filename default <empty>":          {Name: "BookFile", Type: usi.Filename},
		"option name Log type string default a b":                     {Name: "Log", Type: usi.String, Default: "a b"},
		"option name Clear type button":                               {Name: "Clear", Type: usi.Button},
	} {
		require.Equal(t, line, want.String())
		_, args := usi.Split(line)
		got, err := usi.ParseOption(args)
		require.NoError(t, err, line)
		require.Equal(t, want, got)
	}
	got, err := usi.ParseOption("name Skill Level type spin min -5 max 20")
	require.NoError(t, err, "a name with a blank, no default")
	require.Equal(t, usi.Option{Name: "Skill Level", Type: usi.Spin, Min: -5, Max: 20}, got)
	for args, text := range map[string]string{
		"":                                "name N type T",
		"name X":                          "name N type T",
		"name X type":                     "name N type T",
		"name X type int":                 `"int"`,
		"name X type spin min a":          `"a"`,
		"name X type spin size 3 default": `"size"`,
	} {
		_, err := usi.ParseOption(args)
		require.ErrorContains(t, err, text, args)
	}
}

func TestOptionCheck(t *testing.T) {
	check := usi.Option{Name: "C", Type: usi.Check}
	spin := usi.Option{Name: "S", Type: usi.Spin, Min: -5, Max: 20}
	combo := usi.Option{Name: "M", Type: usi.Combo, Vars: []string{"puct", "ucb1"}}
	text := usi.Option{Name: "T", Type: usi.String}
	for _, c := range []struct {
		option      usi.Option
		value, want string
	}{
		{check, "true", "true"}, {check, "FALSE", "false"}, {check, "1", "true"}, {check, "0", "false"},
		{spin, "-5", "-5"}, {spin, "+20", "20"}, {combo, "UCB1", "ucb1"}, {text, "<empty>", ""}, {text, "a b", "a b"},
	} {
		got, err := c.option.Check(c.value)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	for _, c := range []struct {
		option usi.Option
		value  string
	}{{check, "abc"}, {check, ""}, {spin, "-6"}, {spin, "21"}, {spin, "1.5"}, {spin, ""}, {combo, "no"}} {
		_, err := c.option.Check(c.value)
		require.ErrorContains(t, err, `"`+c.value+`" for `+c.option.Name)
	}
}

func TestSetOption(t *testing.T) {
	for args, want := range map[string]usi.Setting{
		"name USI_Hash value 64":            {Name: "USI_Hash", Value: "64", HasValue: true},
		"name BookFile value C:\\a b\\c.db": {Name: "BookFile", Value: "C:\\a b\\c.db", HasValue: true},
		"name BookFile value":               {Name: "BookFile", HasValue: true},
		"name Skill Level value 3":          {Name: "Skill Level", Value: "3", HasValue: true},
		"name Clear":                        {Name: "Clear"},
	} {
		got, err := usi.ParseSetOption(args)
		require.NoError(t, err, args)
		require.Equal(t, want, got, args)
		require.Equal(t, strings.TrimRight("setoption "+args, " "), strings.TrimRight(got.String(), " "))
	}
	for args, text := range map[string]string{
		"": `""`, "name": "name is missing", "name value 3": "name is missing", "value 3": `"value"`, "USI_Hash 64": `"USI_Hash"`,
	} {
		_, err := usi.ParseSetOption(args)
		require.ErrorContains(t, err, text, args)
	}
}

func TestInfo(t *testing.T) {
	pv := moves(t, "7g7f", "3c3d", "P*5e", "2b8h+")
	for line, want := range map[string]search.Info{
		"info depth 3 seldepth 9 multipv 1 score cp -35 nodes 1000 nps 20000 hashfull 4 time 50 pv 7g7f 3c3d P*5e 2b8h+": {
			Depth: 3, SelDepth: 9, MultiPV: 1, Score: search.Score{CP: -35}, Nodes: 1000, NPS: 20000, HashFull: 4,
			Time: 50 * time.Millisecond, PV: pv},
		"info depth 1 seldepth 1 multipv 2 score mate -4 upperbound nodes 1 nps 0 hashfull 0 time 0": {
			Depth: 1, SelDepth: 1, MultiPV: 2, Score: search.Score{Mate: true, Plies: -4, Bound: search.UpperBound}, Nodes: 1},
		"info depth 0 seldepth 0 multipv 1 score mate -0 nodes 0 nps 0 hashfull 0 time 0": {
			MultiPV: 1, Score: search.Score{Mate: true}},
		"info depth 0 seldepth 0 multipv 1 score cp 7 lowerbound nodes 0 nps 0 hashfull 0 time 0": {
			MultiPV: 1, Score: search.Score{CP: 7, Bound: search.LowerBound}},
		"info string depth 3 is no number here": {Text: "depth 3 is no number here"},
	} {
		require.Equal(t, line, usi.FormatInfo(&want))
		_, args := usi.Split(line)
		got, err := usi.ParseInfo(args)
		require.NoError(t, err, line)
		require.Equal(t, want, got.Info)
		require.Equal(t, want.Text == "", got.HasScore)
	}
}

func TestParseInfoOfOthers(t *testing.T) {
	got, err := usi.ParseInfo("time 5 currmove 7g7f score mate + foo pv 7g7f rep_draw 1 2")
	require.NoError(t, err)
	require.Equal(t, search.Info{Time: 5 * time.Millisecond, Score: search.Score{Mate: true, Plies: usi.UnknownLength},
		PV: moves(t, "7g7f")}, got.Info)
	got, err = usi.ParseInfo("score mate -")
	require.NoError(t, err)
	require.Equal(t, -usi.UnknownLength, got.Score.Plies)
	for args, text := range map[string]string{
		"depth x": `"x"`, "nodes": `nodes ""`, "score": `""`, "score xp 3": `"xp"`, "score cp": `cp ""`, "score cp +": `"+"`,
	} {
		_, err := usi.ParseInfo(args)
		require.ErrorContains(t, err, text, args)
	}
}

func TestBestMove(t *testing.T) {
	m := moves(t, "7g7f", "8h2b+")
	for line, want := range map[string][2]shogi.Move{
		"bestmove 7g7f":              {m[0]},
		"bestmove 7g7f ponder 8h2b+": {m[0], m[1]},
		"bestmove resign":            {shogi.MoveResign},
		"bestmove win":               {shogi.MoveWin},
	} {
		require.Equal(t, line, usi.FormatBestMove(want[0], want[1]))
		_, args := usi.Split(line)
		best, ponder, err := usi.ParseBestMove(args)
		require.NoError(t, err, line)
		require.Equal(t, want, [2]shogi.Move{best, ponder})
	}
	for args, want := range map[string]struct {
		best shogi.Move
		text string
	}{
		"": {0, "missing"}, "0000": {0, `"0000"`}, "7g7f foo": {m[0], `"foo"`}, "7g7f ponder": {m[0], `""`}, "7g7f ponder x": {m[0], `"x"`},
	} {
		best, ponder, err := usi.ParseBestMove(args)
		require.ErrorContains(t, err, want.text, args)
		require.Equal(t, want.best, best)
		require.Zero(t, ponder)
	}
}

func TestCheckmate(t *testing.T) {
	for line, want := range map[string]usi.Checkmate{
		"checkmate nomate":         {Outcome: usi.MateNone},
		"checkmate timeout":        {Outcome: usi.MateTimeout},
		"checkmate notimplemented": {Outcome: usi.MateNotImplemented},
		"checkmate G*5b 5a4a":      {Outcome: usi.MateFound, Moves: moves(t, "G*5b", "5a4a")},
	} {
		require.Equal(t, line, want.String())
		_, args := usi.Split(line)
		got, err := usi.ParseCheckmate(args)
		require.NoError(t, err, line)
		require.Equal(t, want, got)
	}
	_, err := usi.ParseCheckmate("")
	require.ErrorContains(t, err, "missing")
	_, err = usi.ParseCheckmate("G*5b 5a5z")
	require.ErrorContains(t, err, `"5a5z"`)
}

// What a parser accepts and a writer writes must read back as the same value, in plain printable text.
func FuzzAnswers(f *testing.F) {
	f.Add("depth 3 seldepth 9 multipv 1 score mate -0 lowerbound nodes 1000 nps 20 hashfull 4 time 50 pv 7g7f P*5e")
	f.Add("string \u8aad\u307f")
	f.Add("7g7f ponder 3c3d")
	f.Add("G*5b 5a4a")
	f.Add("name author")
	f.Fuzz(func(t *testing.T, args string) {
		if info, err := usi.ParseInfo(args); err == nil {
			line := usi.FormatInfo(&info.Info)
			requirePlain(t, line)
			_, again := usi.Split(line)
			back, err := usi.ParseInfo(again)
			require.NoError(t, err, line)
			require.Equal(t, line, usi.FormatInfo(&back.Info))
		}
		if best, ponder, err := usi.ParseBestMove(args); err == nil {
			_, again := usi.Split(usi.FormatBestMove(best, ponder))
			b, p, err := usi.ParseBestMove(again)
			require.NoError(t, err)
			require.Equal(t, [2]shogi.Move{best, ponder}, [2]shogi.Move{b, p})
		}
		if m, err := usi.ParseCheckmate(args); err == nil {
			_, again := usi.Split(m.String())
			back, err := usi.ParseCheckmate(again)
			require.NoError(t, err)
			require.Equal(t, m, back)
		}
		if field, _, err := usi.ParseID(args); err == nil {
			require.Contains(t, []string{"name", "author"}, field)
		}
	})
}

func FuzzOptions(f *testing.F) {
	f.Add("name USI_Hash type spin default 256 min 1 max 65536")
	f.Add("name Style type combo default a b var a b var c")
	f.Add("name F value a  b")
	f.Fuzz(func(t *testing.T, args string) {
		if s, err := usi.ParseSetOption(args); err == nil {
			_, again := usi.Split(s.String())
			back, err := usi.ParseSetOption(again)
			require.NoError(t, err)
			require.Equal(t, s, back)
		}
		if o, err := usi.ParseOption(args); err == nil {
			line := o.String()
			_, again := usi.Split(line)
			back, err := usi.ParseOption(again)
			require.NoError(t, err, line)
			require.Equal(t, line, back.String())
			value, err := o.Check(args)
			if err == nil {
				again, err := o.Check(value)
				require.NoError(t, err)
				require.Equal(t, value, again)
			}
		}
	})
}

func requirePlain(t *testing.T, line string) {
	t.Helper()
	for _, r := range line {
		require.True(t, r >= ' ' && r <= '~', "%q", line)
	}
}
