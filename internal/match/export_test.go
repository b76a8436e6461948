package match

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

func sampleHeader() *Header {
	return &Header{A: Spec{Name: `new "x"`, Time: TimeControl{Nodes: 800}}, B: Spec{Name: "old<b>", Command: []string{"./old"}, Time: TimeControl{Main: 1e10}},
		Identities: [2]Identity{{Engine: "yomi", SHA256: strings.Repeat("a", 64), Options: []Setting{{"Threads", "1"}}}, {Engine: "old"}},
		Games:      4, OpeningsSHA256: strings.Repeat("b", 64), Rules: DefaultRules(), SPRT: &SPRT{0, 5, 0.05, 0.05, Normalized}}
}

// golden compares with a file in testdata; a missing file is written.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	want, err := os.ReadFile("testdata/" + name)
	if errors.Is(err, os.ErrNotExist) {
		require.NoError(t, os.WriteFile("testdata/"+name, got, 0o644))
		t.Fatalf("testdata/%s was missing; it is written now, look at it", name)
	}
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestExports(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WritePGN(&out, sampleHeader(), sampleRecords()))
	golden(t, "games.pgn", out.Bytes())
	out.Reset()
	require.NoError(t, WriteCSA(&out, sampleHeader(), sampleRecords()))
	golden(t, "games.csa", out.Bytes())
	out.Reset()
	require.NoError(t, WriteJSONLines(&out, sampleRecords()))
	require.Equal(t, 3, strings.Count(out.String(), "\n"))
	golden(t, "standings.txt", []byte(sampleHeader().Standings(sampleRecords()).Text("new", "old")))
}

func TestCSAEnd(t *testing.T) {
	for _, c := range []struct {
		outcome Outcome
		result  Result
		side    shogi.Color
		want    string
	}{
		{OutcomeMate, BlackWins, shogi.White, "%TSUMI"}, {OutcomeResign, BlackWins, shogi.White, "%TORYO"},
		{OutcomeDeclaration, BlackWins, shogi.Black, "%KACHI"}, {OutcomeDeclaration, Drawn, shogi.Black, "%JISHOGI"},
		{OutcomeDeclaration, BlackWins, shogi.White, "%TORYO"}, {OutcomeRepetition, Drawn, shogi.Black, "%SENNICHITE"},
		{OutcomePerpetualCheck, WhiteWins, shogi.White, "%+ILLEGAL_ACTION"}, {OutcomePerpetualCheck, BlackWins, shogi.White, "%-ILLEGAL_ACTION"},
		{OutcomeTimeLoss, BlackWins, shogi.White, "%TIME_UP"}, {OutcomeIllegalMove, BlackWins, shogi.White, "%ILLEGAL_MOVE"},
		{OutcomeMaxPlies, Drawn, shogi.White, "%HIKIWAKE"}, {OutcomeAdjudicatedWin, BlackWins, shogi.White, "%TORYO"},
		{OutcomeAdjudicatedWin, BlackWins, shogi.Black, "%CHUDAN"}, {OutcomeStall, BlackWins, shogi.Black, "%ERROR"},
	} {
		require.Equal(t, c.want, csaEnd(&Record{Outcome: c.outcome, Result: c.result}, c.side), "%+v", c)
	}
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	records := sampleRecords()
	records[1].Game, records[2].Game = 2, 1 // the journal's order is not the schedule's
	require.NoError(t, WriteReport(&out, sampleHeader(), records))
	page := out.String()
	require.Contains(t, page, "old&lt;b&gt;", "names are escaped")
	require.NotContains(t, page, "old<b>")
	require.Contains(t, page, "exit status 3 &lt;&amp;&gt;")
	require.NotContains(t, page, "http", "nothing is loaded from elsewhere")
	require.NotContains(t, page, "<script")
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	require.Len(t, pictures, 5+len(records))
	for _, p := range pictures {
		d := xml.NewDecoder(strings.NewReader(p))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, p)
		}
		require.NotContains(t, p, "NaN")
		require.NotContains(t, p, "Inf")
	}
	out.Reset()
	require.NoError(t, WriteReport(&out, sampleHeader(), nil))
	require.Contains(t, out.String(), "none finished")
}

func TestTicks(t *testing.T) {
	require.Equal(t, []float64{0, 2, 4, 6, 8, 10}, ticks(0, 10))
	require.Equal(t, []float64{-50, 0, 50}, ticks(-70, 90))
	for _, r := range [][2]float64{{0, 1}, {-3, 1e6}, {0.001, 0.0013}, {-400, 400}} {
		n := len(ticks(r[0], r[1]))
		require.True(t, n >= 2 && n <= 7, "%v: %d ticks", r, n)
	}
}

// Players of one name are told apart in every export.
func TestExportEqualNames(t *testing.T) {
	h := &Header{A: Spec{Name: "yomi"}, B: Spec{Name: "yomi"}}
	var pgn, csa strings.Builder
	require.NoError(t, WritePGN(&pgn, h, sampleRecords()))
	require.NoError(t, WriteCSA(&csa, h, sampleRecords()))
	require.Contains(t, pgn.String(), `[White "yomi (B)"]`)
	require.Contains(t, csa.String(), "N+yomi (B)\nN-yomi (A)\n")
}

// The report says by which rules games were cut short.
func TestReportRules(t *testing.T) {
	h := sampleHeader()
	h.Rules.MaxPlies = 0
	var out strings.Builder
	require.NoError(t, WriteReport(&out, h, nil))
	require.Contains(t, out.String(), "no maximum of plies")
	require.NotContains(t, out.String(), "cp for")
	h.Rules.MaxPlies, h.Rules.Resign, h.Rules.Draw = 256, ResignRule{Score: 3000, Count: 4}, DrawRule{Score: 20, Count: 8, After: 160}
	out.Reset()
	require.NoError(t, WriteReport(&out, h, nil))
	require.Contains(t, out.String(), "draw after 256 plies; declaration CSARule27; lost at 3000 cp for 4 moves; drawn within 20 cp for 8 moves from move 160 on;")
}
