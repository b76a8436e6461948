package kifu_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

const evenKIF = "手合割：平手\n手数----指手---------消費時間--\n"

// TestErrors reads faulty files: the error names line and token, and the moves before it are there.
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		format      kifu.Format
		text        string
		line, moves int
		token       string
		reason      string
	}{
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\n   2 ３四飛(33)\n", 4, 1, "３四飛(33)", "no such piece there"},
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\n   2 ３四歩(33) (1:xx)\n", 4, 2, "(1:xx)", "want a time"},
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\n   2 ９九\n", 4, 1, "９九", "want a piece"},
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\n   2 5-4\n", 4, 1, "5-4", "want a move"},
		{kifu.KIFU, evenKIF + "   1 同　歩(77)\n", 3, 0, "同　歩(77)", "without a move before"},
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\n\n変化：4手\n", 5, 1, "変化：4手", "no line has a move before it"},
		{kifu.KIFU, evenKIF + "   1 ７六歩(77)\nwhat\n", 4, 1, "what", "no move, comment or end"},
		{kifu.KIFU, evenKIF + "   1 投了\n   2 ３四歩(33)\n", 4, 0, "３四歩(33)", "has ended"},
		{kifu.KIFU, evenKIF + "   1 ７五歩(77)\n   2 ３四歩(33)\n", 3, 1, "７五歩(77)", "illegal move"},
		{kifu.KIFU, evenKIF + "   1 ７五歩(77)\n   2 投了\n", 3, 1, "７五歩(77)", "illegal move"},
		{kifu.KIFU, evenKIF + "   1 ７六歩打成\n", 3, 0, "７六歩打成", "a drop does not promote"},
		{kifu.KI2U, evenKIF + "▲７六歩成打\n", 3, 0, "７六歩成打", "a drop does not promote"},
		{kifu.KIFU, "先手の持駒：玉\n", 1, -1, "玉", "pieces in hand"},
		{kifu.KIFU, "先手の持駒：歩十九\n", 1, -1, "歩十九", "more than a set"},
		{kifu.KIFU, "| ・ ・ ・ ・v玉 ・ ・ ・|一\n", 1, -1, "| ・ ・ ・ ・v玉 ・ ・ ・|一", "file 1"},
		{kifu.KIFU, "手合割：その他\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n", 2, -1, "その他", "1 of nine ranks"},
		{kifu.KI2U, "手合割：平手\n▲７六歩△３四歩 ▽２二角成\n", 2, 2, "▽２二角成", "先手 is to move"},
		{kifu.KI2U, "手合割：平手\n▲５八金\n", 2, 0, "５八金", "several pieces"},
		{kifu.KI2U, "手合割：平手\n▲５五角\n", 2, 1, "５五角", "illegal move"},
		{kifu.CSA, "V2.2\nPI\n+\n+7776FU\n+2726FU\n", 5, 1, "+2726FU", "- is to move"},
		{kifu.CSA, "V2.2\nPI\n+\n+7776KI\n", 4, 0, "+7776KI", "no such piece"},
		{kifu.CSA, "V2.2\nPI\n+\n+7776FU,T1x\n", 4, 1, "T1x", "want the seconds"},
		{kifu.CSA, "V2.2\nP1 * * *\n+\n", 2, -1, "P1 * * *", "file 6"},
		{kifu.CSA, "V2.2\nP+55OU54OU\n+\n+5556OU\n", 4, -1, "+", "two kings"},
		{kifu.CSA, "V2.2\nPI99HI\n+\n", 2, -1, "99HI", "a piece that stands there"},
		{kifu.CSA, "V2.2\nPI\n+\nhello\n", 4, -1, "hello", "no statement"},
		{kifu.USI, "position startpos moves 7g7f 3c3d 8h5e 7a6b 5e1i", 1, 5, "5e1i", "illegal move"},
		{kifu.USI, "position startpos moves 7g7f 9z", 1, 1, "9z", "bad move"},
		{kifu.USI, "position sfen nothing moves", 1, -1, "position sfen nothing", "bad sfen"},
	} {
		records, err := kifu.ReadFormat(tc.format, []byte(tc.text))
		var e *kifu.Error
		require.True(t, errors.As(err, &e), "%s: %v", tc.text, err)
		require.Equal(t, tc.token, e.Token, tc.text)
		require.Equal(t, tc.line, e.Line, tc.text)
		require.Contains(t, e.Reason, tc.reason, tc.text)
		require.Equal(t, tc.reason == "illegal move", e.Illegal, tc.text)
		require.Contains(t, err.Error(), "line ")
		if tc.moves < 0 {
			require.Empty(t, records, tc.text)
			continue
		}
		require.Len(t, records, 1, tc.text)
		require.Equal(t, e, records[0].Err)
		require.Len(t, usi(records[0].Main()), tc.moves, tc.text)
	}
}

// TestOneBadGame loses one game of a file and keeps the others.
func TestOneBadGame(t *testing.T) {
	records, f, err := kifu.Read([]byte("V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7775FU\n-3334FU\n/\nP1\n/\nPI\n+\n%CHUDAN\n/\n"))
	require.Equal(t, kifu.CSA, f)
	require.ErrorContains(t, err, "line 9: \"+7775FU\"")
	require.ErrorContains(t, err, "line 12: \"P1\"")
	require.Len(t, records, 3)
	require.NoError(t, records[0].Err)
	require.Error(t, records[1].Err)
	require.Equal(t, kifu.BlackWins, records[0].Result())
	require.Equal(t, kifu.Abort, records[2].Root.Children[0].End)
}

// TestIllegalEnds keeps an illegal last move that the end word explains.
func TestIllegalEnds(t *testing.T) {
	for text, want := range map[string]kifu.Result{
		evenKIF + "1 ７五歩(77)\n2 反則勝ち\n":                                 kifu.WhiteWins,
		evenKIF + "1 ７五歩(77)\n2 反則負け\n":                                 kifu.WhiteWins,
		evenKIF + "1 ７六歩(77)\n2 反則負け\n":                                 kifu.BlackWins,
		evenKIF + "1 ７六歩(77)\n2 反則勝ち\n":                                 kifu.WhiteWins,
		"手合割：平手\n▲７五歩\nまで1手で後手の反則勝ち\n":                                  kifu.WhiteWins,
		"手合割：平手\n▲７六歩\nまで1手で後手の反則負け\n":                                  kifu.BlackWins,
		"V2.2\nPI\n+\n+7775FU\n%+ILLEGAL_ACTION\n":                      kifu.WhiteWins,
		"V2.2\nPI\n+\n+7775FU\n%ILLEGAL_MOVE\n":                         kifu.WhiteWins,
		"V2.2\nPI\n+\n+7776FU\n%ILLEGAL_MOVE\n":                         kifu.BlackWins,
		"V2.2\nPI\n+\n+7776FU\n%-ILLEGAL_ACTION\n":                      kifu.BlackWins,
		"V2.2\nPI\n+\n+7776FU\n%+ILLEGAL_ACTION\n":                      kifu.WhiteWins,
		"V2.2\nPI\n+\n+7776FU\n%JISHOGI\n":                              kifu.Draw,
		"V2.2\nPI\n+\n+7776FU\n%TIME_UP\n":                              kifu.BlackWins,
		"V2.2\nPI\n+\n+7776FU\n%CHUDAN\n":                               kifu.NoResult,
		"position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b":        kifu.BlackWins,
		"position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b resign": kifu.BlackWins,
	} {
		records, _, err := kifu.Read([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, records[0].Result(), text)
	}
}

// TestEncodings reads the same file in each encoding, declared rightly, wrongly or not at all.
func TestEncodings(t *testing.T) {
	text := "先手：髙橋①Ⅳ㈱纊～\n手合割：平手\n手数----指手---------消費時間--\n*ｱｲｳ∵§\n   1 ７六歩(77)\n"
	sjis, err := japanese.ShiftJIS.NewEncoder().String(text)
	require.NoError(t, err)
	var want *kifu.Record
	for _, declared := range []string{"", "#KIF version=2.0 encoding=UTF-8\n", "#KIF version=2.0 encoding=Shift_JIS\n"} {
		for data, f := range map[string]kifu.Format{declared + text: kifu.KIFU, "\uFEFF" + declared + text: kifu.KIFU, declared + sjis: kifu.KIF,
			strings.ReplaceAll(declared+sjis, "\n", "\r\n"): kifu.KIF, strings.ReplaceAll(declared+text, "\n", "\r"): kifu.KIFU} {
			records, found, err := kifu.Read([]byte(data))
			require.NoError(t, err)
			require.Equal(t, f, found)
			require.Equal(t, "髙橋①Ⅳ㈱纊～", records[0].Get(kifu.KeyBlack))
			if want == nil {
				want = records[0]
			}
			require.Equal(t, want, records[0])
		}
	}
	out, dropped := write(t, kifu.KIF, want)
	require.Empty(t, dropped)
	requireSame(t, kifu.KIF, out, want)
}

// TestShiftJIS decodes every character of Windows' Shift_JIS and gets it back.
func TestShiftJIS(t *testing.T) {
	count := 0
	for lead := 0x81; lead <= 0xFC; lead++ {
		for trail := 0x40; trail <= 0xFC; trail++ {
			if lead >= 0xA0 && lead < 0xE0 {
				continue
			}
			char, err := japanese.ShiftJIS.NewDecoder().String(string([]byte{byte(lead), byte(trail)}))
			require.NoError(t, err)
			if strings.Contains(char, "\uFFFD") {
				continue
			}
			count++
			r := kifu.New(shogi.StartPosition())
			r.Root.Comments = []string{char}
			text, dropped := write(t, kifu.KIF, r)
			require.Empty(t, dropped, "%x", text)
			if count%64 == 0 {
				requireSame(t, kifu.KIF, text, r)
			}
		}
	}
	require.Greater(t, count, 7000)
}

// TestBadBytes reads what is neither UTF-8 nor Shift_JIS in a comment without losing the moves.
func TestBadBytes(t *testing.T) {
	records, f, err := kifu.Read([]byte(evenKIF + "*\xff\xfe\n   1 ７六歩(77)\n"))
	require.NoError(t, err)
	require.Equal(t, kifu.KIFU, f)
	require.Equal(t, []string{"7g7f"}, usi(records[0].Main()))
}

func TestStarts(t *testing.T) {
	files, err := os.ReadFile(filepath.Join(testdata, "records", "times_variants.kif"))
	require.NoError(t, err)
	records, _, err := kifu.Read(files)
	require.NoError(t, err)
	line := records[0].Main()
	require.Equal(t, 4*time.Second, line[0].Time)
	require.False(t, line[3].Timed)
	require.Equal(t, time.Hour+5*time.Second, line[4].Time)
	require.Equal(t, time.Hour+11*time.Second, line[4].Total)

	for name, squares := range map[string]int{"平手": 40, "香落ち": 39, "飛香落ち": 38, "三枚落ち": 37, "左五枚落ち": 35, "右七枚落ち": 33, "十枚落ち": 30} {
		p, ok := kifu.Handicap(name)
		require.True(t, ok)
		require.Equal(t, squares, p.Occupied().Count())
		require.Equal(t, name, kifu.HandicapName(&p))
		records, _, err := kifu.Read([]byte("手合割：" + name + "　　\n1 投了\n"))
		require.NoError(t, err)
		require.Equal(t, p, records[0].Start)
	}
	records, _, err = kifu.Read([]byte("手合割：五五落ち\n先手：a\n1 ７六歩(77)\n"))
	require.NoError(t, err)
	require.Equal(t, "五五落ち", records[0].Get("手合割"))
	text, dropped := write(t, kifu.KIFU, records...)
	require.Empty(t, dropped)
	requireSame(t, kifu.KIFU, text, records...)
}

func TestNoRecord(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello", "{\"a\": 1}", "*comment"} {
		records, f, err := kifu.Read([]byte(text))
		var e *kifu.Error
		require.True(t, errors.As(err, &e), text)
		require.Equal(t, kifu.NoFormat, f)
		require.Empty(t, records)
	}
}

func TestFormatNames(t *testing.T) {
	for f := kifu.CSA; f <= kifu.USI; f++ {
		got, err := kifu.ParseFormat("." + strings.ToUpper(f.String()))
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	got, err := kifu.ParseFormat("sfen")
	require.NoError(t, err)
	require.Equal(t, kifu.USI, got)
	_, err = kifu.ParseFormat("pgn")
	require.ErrorContains(t, err, "\"pgn\"")
}

// TestFromGame takes a game over and gives it back.
func TestFromGame(t *testing.T) {
	g, err := shogi.ParsePosition("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
	require.NoError(t, err)
	r := kifu.FromGame(g)
	back, err := r.Game()
	require.NoError(t, err)
	require.Equal(t, g, back)
	r.Set(kifu.KeyBlack, "a")
	r.Set(kifu.KeyBlack, "b")
	require.Equal(t, []kifu.Field{{Key: kifu.KeyBlack, Value: "b"}}, r.Header)
}

// TestSpellings reads what other programs write otherwise than we do.
func TestSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"V3.0\nPI\n+\n+7776FU,T12,'*book\n-3334FU , T1.5\n": "startpos moves 7g7f 3c3d",
		"PI\n-\n-3334FU\n":       "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d",
		"V2\n+7776FU\n":          "startpos moves 7g7f",
		"PI\n-3334FU\n":          "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d",
		evenKIF + "3 ▲７六歩(77)\n": "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3 moves 7g7f",
		evenKIF + "1 76歩(77)\r\n2 34歩(33)　\r\n3 22角行成（88)\n":              "startpos moves 7g7f 3c3d 8h2b+",
		evenKIF + "1 ７六歩\n2 ３四歩 (0:01)\n3 ２二角成\n4 同　飛\n":                  "startpos moves 7g7f 3c3d 8h2b+ 8b2b",
		"先手：a\n☗７六歩☖34歩\n▼２二角生\n":                                         "startpos moves 7g7f 3c3d 8h2b",
		"手合割：平手\n▲５八金右直\n":                                                "",
		"手合割：平手\n▲５八金右上\n":                                                "startpos moves 4i5h",
		"手数＝1  ▲７六歩  まで\n手合割：平手\n後手番\n   2 ３四歩(33)\n":                     "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2 moves 3c3d",
		"手合割：平手\n下手の持駒：\n上手の持駒：なし\n1 投了\n":                                "startpos",
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1": "startpos",
	} {
		records, _, err := kifu.Read([]byte(text))
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		g, err := records[0].Game()
		require.NoError(t, err)
		require.Equal(t, want, g.USI(), text)
	}
}
