package kifu

import (
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// kakinokiWriter writes KIF and KI2.
type kakinokiWriter struct {
	*output
	ki2, sjis bool
	handicap  bool
	// column is how many moves stand in the current line of KI2.
	column int
}

// movesPerLine is how many moves a line of KI2 has.
const movesPerLine = 6

const movesHeadingText = "手数----指手---------消費時間--"

func writeKakinoki(o *output, f Format, r *Record) {
	w := &kakinokiWriter{output: o, ki2: f == KI2 || f == KI2U, sjis: f == KIF || f == KI2}
	kind, encoding := "KIF", "UTF-8"
	if w.ki2 {
		kind = "KI2"
	}
	if w.sjis {
		encoding = "Shift_JIS"
	}
	w.printf("#%s version=2.0 encoding=%s\n", kind, encoding)
	w.start(r)
	if !w.ki2 {
		w.printf("%s\n", movesHeadingText)
	}
	w.remarks(r.Root)
	if len(r.Root.Children) == 0 {
		return
	}
	c := newCursor(r)
	w.line(c, r.Root, r.Root.Children[0])
	w.variations(c, r.Root)
}

// start writes the header and the start position.
func (w *kakinokiWriter) start(r *Record) {
	name, rare := handicapOf(&r.Start)
	even := name == handicaps[0].name
	w.handicap = name != otherHandicap && !even
	if !even || r.Get(handicapKey) == "" {
		w.printf("%s：%s\n", handicapKey, name)
	}
	if rare {
		w.diagram(&r.Start)
	}
	for _, f := range r.Header {
		line := w.field(f)
		kind, _ := classify(line)
		back, _ := parseField(line)
		_, named := Handicap(f.Value)
		switch {
		case kind == field && back == f && !strings.ContainsAny(line, "\r\n"),
			kind == flipLine && f.Value == "",
			kind == handicapLine && f.Key == handicapKey && even && !named && f.Value != otherHandicap && line == strings.TrimSpace(line):
			w.printf("%s\n", line)
		default:
			w.drop(1, "header fields that KIF and KI2 cannot write")
		}
	}
}

func (w *kakinokiWriter) field(f Field) string {
	key := f.Key
	switch {
	case key == flipText && f.Value == "":
		return flipText
	case key == KeyBlack && w.handicap:
		key = sideWords[2]
	case key == KeyWhite && w.handicap:
		key = sideWords[3]
	}
	return key + "：" + f.Value
}

// diagram writes the position as a picture.
func (w *kakinokiWriter) diagram(p *shogi.Position) {
	w.hand(p, shogi.White)
	w.printf("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n")
	for rank := 1; rank <= 9; rank++ {
		w.printf("|")
		for file := 9; file >= 1; file-- {
			piece := p.PieceAt(shogi.NewSquare(file, rank))
			switch {
			case piece == shogi.Empty:
				w.printf(" ・")
			case piece.Color() == shogi.White:
				w.printf("v%s", boardNames[piece.Type()])
			default:
				w.printf(" %s", boardNames[piece.Type()])
			}
		}
		w.printf("|%s\n", kanji(rank))
	}
	w.printf("+---------------------------+\n")
	w.hand(p, shogi.Black)
	if p.Side() == shogi.White {
		w.printf("%s番\n", sideWord(shogi.White, w.handicap))
	}
	if p.Ply() != 1 {
		w.printf("手数＝%d\n", p.Ply()-1)
	}
}

func (w *kakinokiWriter) hand(p *shogi.Position, c shogi.Color) {
	w.printf("%sの持駒：", sideWord(c, w.handicap))
	if p.Hand(c) == 0 {
		w.printf("なし")
	}
	for _, t := range handOrder {
		switch n := p.Hand(c).Count(t); {
		case n == 1:
			w.printf("%s　", pieceNames[t])
		case n > 1:
			w.printf("%s%s　", pieceNames[t], kanji(n))
		}
	}
	w.printf("\n")
}
