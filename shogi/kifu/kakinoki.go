package kifu

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// kakinokiReader reads a KIF or KI2 file; both kinds of move lines are taken in either.
type kakinokiReader struct {
	*builder
	setup   kifSetup
	started bool
	// base is the number that the file gives to the first move: in KIF the number of its line, in KI2, which has none, 1.
	base int
}

func readKakinoki(lines []string) *Record {
	r := &kakinokiReader{builder: newBuilder(), setup: kifSetup{last: shogi.NoSquare}}
	var failed *Error
	for i, line := range lines {
		r.line = i + 1
		if failed = r.read(line); failed != nil {
			break
		}
	}
	if failed == nil {
		failed = r.begin(0)
	}
	rec := r.finish(failed)
	if !r.started {
		rec.Root = nil
	}
	return rec
}

func (r *kakinokiReader) read(line string) *Error {
	text := strings.TrimSpace(line)
	if text == "" {
		return nil
	}
	node := r.current().node
	kind, rest := classify(text)
	switch kind {
	case comment:
		_, raw, _ := strings.Cut(line, "*")
		node.Comments = append(node.Comments, raw)
	case bookmark:
		node.Bookmark = strings.TrimSpace(rest)
	case field:
		f, _ := parseField(text)
		r.rec.Header = append(r.rec.Header, f)
	case flipLine:
		r.rec.Header = append(r.rec.Header, Field{Key: flipText})
	case numberedMove:
		return r.numbered(text)
	case markedMoves:
		return r.marked(text)
	case variation:
		return r.variation(text, rest)
	case closing:
		return r.closing(text, rest)
	case handicapLine, handLine, boardRow, sideLine, plyLine:
		if r.started {
			return r.fail(firstWord(text), "a line about the start position after the first move")
		}
		return r.setupLine(kind, text, rest)
	case junk:
		if r.started {
			return r.fail(firstWord(text), "no move, comment or end")
		}
		node.Comments = append(node.Comments, text)
	}
	return nil
}

// begin makes the start position when that was not done yet. number is the number of the first move, 0 when it has none.
func (r *kakinokiReader) begin(number int) *Error {
	if r.started {
		return nil
	}
	if r.setup.ply == 0 && number > 0 && number <= maxNumber {
		r.setup.ply = number
	}
	p, err := r.setup.position()
	if err != nil {
		return r.fail(r.setup.name, "the start position is none: %v", err)
	}
	if r.setup.unknownName() {
		r.rec.Header = slices.Insert(r.rec.Header, r.setup.nameAt, Field{handicapKey, r.setup.name})
	}
	r.started = true
	r.base = max(number, 1)
	r.start(p, r.setup.last)
	return nil
}

// maxNumber is the largest move number that a position can have.
const maxNumber = 30000

// numbered reads a line of KIF: number, move or end, and optionally times and the sign + for «has variations».
func (r *kakinokiReader) numbered(text string) *Error {
	digits, rest := cutDigits(text)
	number, err := strconv.Atoi(digits)
	if err != nil {
		return r.fail(digits, "the move number is too large")
	}
	if err := r.begin(number); err != nil {
		return err
	}
	token := strings.TrimLeft(rest, blanks)
	if kind, unmarked := classify(token); kind == markedMoves {
		token = unmarked
	}
	var failed *Error
	if startsMove(token) {
		rest, failed = r.move(token)
	} else {
		rest, failed = r.ending(token)
	}
	if failed != nil {
		return failed
	}
	return r.times(rest)
}

// move reads a move at the beginning of the text.
func (r *kakinokiReader) move(text string) (rest string, failed *Error) {
	if err := r.open(text); err != nil {
		return "", err
	}
	w, rest, reason := parseWritten(text)
	token := strings.TrimRight(text[:len(text)-len(rest)], blanks)
	if reason != "" {
		return "", r.fail(firstWord(text), "%s", reason)
	}
	s := r.current()
	if w.same {
		if s.to == shogi.NoSquare {
			return "", r.fail(token, "同 without a move before it")
		}
		w.to = s.to
	}
	m, reason := w.resolve(&s.pos)
	if reason != "" {
		return "", r.fail(token, "%s in %s", reason, s.pos.SFEN())
	}
	return rest, r.play(m, token)
}

// ending reads an end word at the beginning of the text.
func (r *kakinokiReader) ending(text string) (rest string, failed *Error) {
	word := text
	if i := strings.IndexFunc(text, endsWord); i >= 0 {
		word = text[:i]
	}
	if !isEndWord(word) {
		return "", r.fail(firstWord(text), "want a move such as ７六歩(77) or an end such as 投了")
	}
	e, other := endOfKIF(word)
	return text[len(word):], r.end(e, other, word)
}

// times reads what follows a move: ( 0:16/00:00:16), of which all may be missing, and the sign +.
func (r *kakinokiReader) times(text string) *Error {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "+"))
	if text == "" {
		return nil
	}
	inner, ok := strings.CutPrefix(strings.NewReplacer("（", "(", "）", ")").Replace(text), "(")
	if ok {
		inner, ok = strings.CutSuffix(inner, ")")
	}
	first, second, both := strings.Cut(inner, "/")
	t, ok1 := parseClock(first)
	total, ok2 := time.Duration(-1), true
	if both && strings.TrimSpace(second) != "" {
		total, ok2 = parseClock(second)
	}
	if !ok || !ok1 || !ok2 {
		return r.fail(text, "want a time such as ( 0:16/00:00:16)")
	}
	r.timed(t, total)
	return nil
}

// parseClock reads m:s or h:m:s, each of any width.
func parseClock(text string) (time.Duration, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0
	for _, part := range parts {
		part = strings.TrimSpace(part)
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || len(part) > maxSecondDigits {
			return 0, false
		}
		seconds = seconds*60 + int(n)
	}
	return time.Duration(seconds) * time.Second, true
}

// marked reads a line of KI2: moves with the mover's sign before each.
func (r *kakinokiReader) marked(text string) *Error {
	if err := r.begin(0); err != nil {
		return err
	}
	for text != "" {
		mark := text
		i := strings.IndexAny(text, blackMarks+whiteMarks)
		if i != 0 {
			return r.fail(firstWord(text), "want ▲ or △ and a move")
		}
		_, text = classify(text)
		text = strings.TrimLeft(text, blanks)
		mark = mark[:len(mark)-len(text)]
		var failed *Error
		if startsMove(text) {
			if side := r.current().side; strings.ContainsAny(mark, whiteMarks) != (side == shogi.White) {
				return r.fail(firstWord(mark+text), "%s is to move", sideWords[side])
			}
			text, failed = r.move(text)
		} else {
			text, failed = r.ending(text)
		}
		if failed != nil {
			return failed
		}
		text = strings.TrimLeft(text, blanks)
	}
	return nil
}

// variation reads 変化：N手.
func (r *kakinokiReader) variation(text, rest string) *Error {
	digits, after := cutDigits(rest)
	number, err := strconv.Atoi(digits)
	if err != nil || !strings.HasPrefix(after, "手") {
		return r.fail(text, "want for example 変化：12手")
	}
	if err := r.begin(0); err != nil {
		return err
	}
	return r.branch(number-r.base, text)
}
