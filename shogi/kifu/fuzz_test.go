package kifu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// Each reader takes any bytes. Whatever it returns can be written in its own format, is recognised as that format, and comes
// back the same unless Write named something that it left out. A record without error can be written in every format.

func FuzzCSA(f *testing.F)  { fuzzFormat(f, kifu.CSA, ".csa") }
func FuzzKIF(f *testing.F)  { fuzzFormat(f, kifu.KIF, ".kif") }
func FuzzKIFU(f *testing.F) { fuzzFormat(f, kifu.KIFU, ".kifu", ".kif") }
func FuzzKI2(f *testing.F)  { fuzzFormat(f, kifu.KI2, ".ki2") }
func FuzzKI2U(f *testing.F) { fuzzFormat(f, kifu.KI2U, ".ki2") }
func FuzzUSI(f *testing.F) {
	f.Add([]byte("startpos moves 7g7f 3c3d 8h2b+ resign"))
	fuzzFormat(f, kifu.USI, ".txt")
}

// FuzzRead lets the format be found out.
func FuzzRead(f *testing.F) {
	addFiles(f, ".csa", ".kif", ".kifu", ".ki2", ".txt")
	f.Fuzz(func(t *testing.T, data []byte) {
		records, format, err := kifu.Read(data)
		if format == kifu.NoFormat {
			require.Error(t, err)
			require.Empty(t, records)
			return
		}
		checkRead(t, format, records)
	})
}

func fuzzFormat(f *testing.F, format kifu.Format, endings ...string) {
	addFiles(f, endings...)
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := kifu.ReadFormat(format, data)
		if len(records) == 0 {
			require.Error(t, err)
		}
		checkRead(t, format, records)
	})
}

func addFiles(f *testing.F, endings ...string) {
	for _, ending := range endings {
		files, err := filepath.Glob(filepath.Join(testdata, "records", "*"+ending))
		require.NoError(f, err)
		require.True(f, len(files) > 0 || ending == ".kifu")
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(data)
		}
	}
}

func checkRead(t *testing.T, format kifu.Format, records []*kifu.Record) {
	if len(records) == 0 {
		return
	}
	var out bytes.Buffer
	dropped, err := kifu.Write(&out, format, records...)
	require.NoError(t, err)
	again, found, err := kifu.Read(out.Bytes())
	require.Equal(t, format, found, out.String())
	require.Len(t, again, len(records))
	clean := true
	for i, r := range records {
		clean = clean && r.Err == nil
		if r.Err == nil {
			requireElsewhere(t, r)
		}
		r.Err, again[i].Err = nil, nil
	}
	if clean {
		require.NoError(t, err, out.String())
	}
	if len(dropped) == 0 {
		require.Equal(t, records, again, out.String())
	}
}

// fragments are pieces of files that FuzzFragments puts together, because random bytes seldom make a line that means anything.
var fragments = []string{"\n", "\n", "\n", " ", "　", ",", "+", "-", "*", "'", "'*", "&", "#", "：", ":", "(", ")", "/", "|", "\r", "①", "🙂", "\uFFFD",
	"手合割：平手\n", "手合割：香落ち\n", "手合割：三枚落ち\n", "手合割：その他\n", "手合割：謎\n", "手合割", "先手", "後手", "下手", "上手", "番\n", "の持駒：", "飛　歩十八　\n", "なし\n",
	"手数＝3  △３四歩  まで\n", "手数----指手---------消費時間--\n", "盤面反転\n", "変化：1手\n", "変化：2手\n", "変化：3手\n", "変化", "まで", "2手で", "時間切れにより", "先手の", "後手の",
	"勝ち\n", "反則勝ち\n", "反則負け\n", "入玉勝ち\n", "の", "手", "で", "   1 ７六歩(77)", "   2 ３四歩(33)", "   3 ２二角成(88)", "   3 ２二角不成(88)+\n", "   4 同　銀(31)", "   5 ４五角打", "   5 ４五角打(00)",
	"   1 ", "   2 ", "   3 ", "12", "7", "( 0:16/00:00:16)", "(1:00:05)", "▲７六歩", "△３四歩", "▲２二角成", "△同銀", "▲45角打", "▲６八金寄", "▲５八金右", "△", "▲", "☗", "投了", "中断", "詰", "反則", "封じ手", "謎の言葉",
	"　９ ８", "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n", "| ・ ・ ・ ・ 玉 歩 ・ ・ ・|九\n", "+---", "V2.2\n", "V3.0\n", "N+a\n", "N-b\n", "$EVENT:x\n", "$X:", "$棋戦:", "PI\n", "PI82HI22KA\n", "P1 * * * *-OU * * * *\n",
	"P+59OU00FU\n", "P-51OU\n", "P-00AL\n", "P+", "+\n", "-\n", "+7776FU", "-3334FU", "+8822UM", "-3122GI", "+0055KA", "+5655FU", "+2829HI", "\nT", ",T", "1.5", "\n%", "%TORYO", "%KACHI", "%CHUDAN", "%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION", "%ILLEGAL_MOVE", "ERROR", "\n/\n",
	"position ", "startpos", " moves ", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3", "7g7f ", "3c3d ", "8h2b+ ", "P*5e ", "7g7e ", "resign ", "win "}

// FuzzFragments reads texts made of fragments, one for each byte, in a format that the first byte chooses.
func FuzzFragments(f *testing.F) {
	f.Add([]byte{1, 0, 53, 0, 54, 0, 84})
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) == 0 {
			return
		}
		format := kifu.CSA + kifu.Format(choices[0]%6)
		text := ""
		for _, c := range choices[1:] {
			text += fragments[int(c)%len(fragments)]
		}
		records, err := kifu.ReadFormat(format, []byte(text))
		if len(records) == 0 {
			require.Error(t, err)
		}
		checkRead(t, format, records)
	})
}
