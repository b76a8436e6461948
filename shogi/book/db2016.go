package book

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// Header is the first line of a DB2016 file.
const Header = "#YANEURAOU-DB2016 1.00"

// headerStart is what the first lines of YaneuraOu's text books of every version have in common.
const headerStart = "#YANEURAOU-"

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

// Words of the format: a move or number that is not there, and answers that are no moves.
const (
	wordNone   = "none"
	wordResign = "resign"
	wordWin    = "win"
)

// ReadDB2016 reads a book in YaneuraOu's text format. The header may be missing. A line that makes no sense, and a move that is
// illegal in its position, is left out; the error is then a *Faults and comes together with the book. Any other error, of
// the reader or for another version of the format, comes without a book.
func ReadDB2016(r io.Reader) (*Book, error) {
	in := &textReader{book: New()}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		in.number++
		line := lines.Text()
		if in.number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
			if strings.HasPrefix(line, headerStart) && !strings.HasPrefix(line, "#YANEURAOU-DB2016 ") {
				return nil, &LineError{1, strings.TrimSpace(line), "unknown version, want " + Header}
			}
		}
		in.line(strings.TrimSpace(line))
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes", in.number+1, maxLine)
	} else if err != nil {
		return nil, err
	}
	in.finish()
	return in.book, in.faults.asError()
}

// textReader is the state of reading a text book.
type textReader struct {
	book   *Book
	faults Faults
	number int // of the line
	// position is what the moves that come next belong to. It is only right when open is set. skip says that the moves belong to
	// a position that could not be read, or that is there already with a lower move number.
	position   shogi.Position
	moves      []Move
	open, skip bool
}

// line takes one line, without blanks around it.
func (r *textReader) line(line string) {
	switch {
	case line == "" || line[0] == '#' || strings.HasPrefix(line, "//"):
	case strings.HasPrefix(line, "sfen "):
		r.finish()
		p, err := shogi.ParseSFEN(line)
		if err != nil {
			r.fault("", err.Error())
		}
		r.position, r.open, r.skip = p, err == nil, err != nil
	case r.skip:
	case !r.open:
		r.fault(strings.Fields(line)[0], "a move before the first position")
		r.skip = true
	default:
		r.move(line)
	}
}

func (r *textReader) fault(token, reason string) {
	r.faults.add(&LineError{r.number, token, reason})
}

// move takes a line with a move.
func (r *textReader) move(line string) {
	fields := strings.Fields(line)
	switch fields[0] {
	case wordNone, wordResign, wordWin:
		return
	}
	m := Move{Count: 1}
	var err error
	if m.Move, err = shogi.ParseMove(fields[0]); err != nil || !m.Move.IsMove() {
		r.fault(fields[0], "no move")
		return
	}
	if !r.position.IsLegal(m.Move) {
		r.fault(fields[0], "illegal in "+r.position.SFEN())
		return
	}
	if len(fields) > 1 && fields[1] != wordNone && fields[1] != wordResign && fields[1] != wordWin {
		if m.Ponder, err = shogi.ParseMove(fields[1]); err != nil {
			r.fault(fields[1], "no move")
			return
		}
	}
	if token, ok := m.numbers(fields[min(2, len(fields)):]); !ok {
		r.fault(token, "no number")
		return
	}
	if i := slices.IndexFunc(r.moves, func(o Move) bool { return o.Move == m.Move }); i >= 0 {
		r.fault(fields[0], "the move is there twice")
		return
	}
	r.moves = append(r.moves, m)
}

// numbers reads the columns value, depth and count. Others behind them are left alone. It returns the text that is no number.
func (m *Move) numbers(fields []string) (bad string, ok bool) {
	limits := [3][2]int64{{math.MinInt32, math.MaxInt32}, {math.MinInt32, math.MaxInt32}, {0, math.MaxInt64}}
	for i, text := range fields[:min(len(fields), len(limits))] {
		if text == wordNone {
			continue
		}
		if text[0] == '#' || strings.HasPrefix(text, "//") {
			break
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < limits[i][0] || n > limits[i][1] {
			return text, false
		}
		switch i {
		case 0:
			m.Value, m.HasValue = int32(n), true
		case 1:
			m.Depth = int32(n)
		case 2:
			m.Count = n
		}
	}
	return "", true
}

// finish stores the position whose moves have been read. Of a position that is there several times the least move number
// counts; where that is equal too, the moves are put together.
func (r *textReader) finish() {
	if !r.open || len(r.moves) == 0 {
		r.moves = r.moves[:0]
		return
	}
	p := &r.position
	switch e := r.book.Get(p); {
	case e == nil || p.Ply() < e.Ply:
		r.book.Put(p, slices.Clone(r.moves))
	case p.Ply() == e.Ply:
		for _, m := range r.moves {
			e.addMove(m)
		}
	}
	r.moves = r.moves[:0]
}

// withoutPly returns the position's SFEN without the move number.
func withoutPly(p *shogi.Position) string {
	text := p.SFEN()
	return text[:strings.LastIndexByte(text, ' ')]
}

// WriteDB2016 writes the book as text, sorted as the format wants it. Remarks become comment lines behind the header. An error is
// returned for a book whose positions are not known.
func WriteDB2016(w io.Writer, b *Book, remarks ...string) error {
	if b.format == Apery {
		return errors.New("a book of Apery's format has no positions, only their keys; see Walk")
	}
	lines := make([]string, 0, len(b.entries))
	byLine := make(map[string]*Entry, len(b.entries))
	for e := range b.All() {
		if len(e.Moves) > 0 {
			line := e.SFEN + " " + strconv.Itoa(max(1, e.Ply))
			lines, byLine[line] = append(lines, line), e
		}
	}
	slices.Sort(lines)
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, Header)
	for _, remark := range remarks {
		fmt.Fprintln(out, "#", strings.ReplaceAll(remark, "\n", " "))
	}
	var text []byte
	for _, line := range lines {
		text = append(append(append(text[:0], "sfen "...), line...), '\n')
		for _, m := range byLine[line].Moves {
			text = m.append(text)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	return out.Flush()
}

// append appends the move's line.
func (m *Move) append(b []byte) []byte {
	b = append(append(b, m.Move.String()...), ' ')
	value := wordNone
	if m.HasValue {
		value = strconv.Itoa(int(m.Value))
	}
	b = append(append(append(b, m.Ponder.String()...), ' '), value...)
	b = strconv.AppendInt(append(b, ' '), int64(m.Depth), 10)
	return append(strconv.AppendInt(append(b, ' '), m.Count, 10), '\n')
}
