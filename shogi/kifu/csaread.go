package kifu

import (
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// csaReader reads one game.
type csaReader struct {
	*builder
	setup   csaSetup
	started bool
}

// csaSetup is the start position while its lines are read.
type csaSetup struct {
	board [shogi.NumSquares]shogi.Piece
	hands [2][shogi.NumHandTypes]int
	// given says that there was any line about pieces; rest that all pieces left over belong to restOf.
	given, rest bool
	restOf      shogi.Color
	side        shogi.Color
	sideGiven   bool
}

// readCSA reads all games. After an error it goes on with the next game.
func readCSA(lines []string) []*Record {
	var records []*Record
	r := &csaReader{builder: newBuilder()}
	empty := true
	var failed *Error
	finish := func() {
		if empty {
			return
		}
		if failed == nil {
			failed = r.begin(shogi.Black)
		}
		rec := r.finish(failed)
		if !r.started {
			rec.Root = nil
		}
		records = append(records, rec)
	}
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "/" {
			finish()
			r, empty, failed = &csaReader{builder: newBuilder()}, true, nil
			continue
		}
		empty = empty && (trimmed == "" || trimmed[0] == '\'')
		if failed == nil {
			r.line = i + 1
			failed = r.read(line)
		}
	}
	finish()
	return records
}

// read reads a line, which may hold several statements.
func (r *csaReader) read(line string) *Error {
	line = strings.TrimLeft(line, blanks)
	if line == "" {
		return nil
	}
	if strings.ContainsRune("'N$V", rune(line[0])) {
		return r.statement(line)
	}
	for more := true; more; {
		var s string
		if s, line, more = strings.Cut(line, ","); strings.HasPrefix(strings.TrimLeft(line, blanks), "'") && more {
			if err := r.statement(strings.TrimSpace(s)); err != nil {
				return err
			}
			return r.statement(strings.TrimLeft(line, blanks))
		}
		if err := r.statement(strings.TrimSpace(s)); err != nil {
			return err
		}
	}
	return nil
}

func (r *csaReader) statement(s string) *Error {
	if s == "" {
		return nil
	}
	switch s[0] {
	case '\'':
		r.remark(s[1:])
		return nil
	case 'V':
		if digits, _ := cutDigits(s[1:]); digits == "" || r.started {
			return r.fail(s, "want a version such as V2.2 at the beginning of a game")
		}
		return nil
	case 'N', '$':
		f, ok := parseCSAField(s)
		if !ok {
			return r.fail(s, "want N+name, N-name or $KEY:value")
		}
		r.rec.Header = append(r.rec.Header, f)
		return nil
	case 'P':
		if r.started {
			return r.fail(s, "a piece after the first move")
		}
		return r.pieces(s)
	case '+', '-':
		return r.move(s)
	case '%':
		return r.endWord(s)
	case 'T':
		t, ok := parseSeconds(s[1:])
		if !ok {
			return r.fail(s, "want the seconds of a move, such as T12 or T3.456")
		}
		r.timed(t, -1)
		return nil
	}
	return r.fail(firstWord(s), "no statement begins like this")
}

// csaEncoding is the remark that declares the encoding.
const csaEncoding = "CSA encoding"

// remark keeps a comment: '*text as text, any other remark 'text with the apostrophe before it.
func (r *csaReader) remark(text string) {
	if strings.HasPrefix(text, csaEncoding) {
		return
	}
	if starred, found := strings.CutPrefix(text, "*"); found {
		text = starred
	} else {
		text = "'" + text
	}
	n := r.current().node
	n.Comments = append(n.Comments, text)
}

// csaKeys are the keys with another name in Record.Header.
var csaKeys = []struct{ csa, key string }{{"N+", KeyBlack}, {"N-", KeyWhite}, {"$EVENT:", KeyEvent}, {"$SITE:", KeySite},
	{"$START_TIME:", KeyStartTime}, {"$END_TIME:", KeyEndTime}, {"$TIME_LIMIT:", KeyTimeLimit}, {"$OPENING:", KeyOpening},
	{"$MAX_MOVES:", KeyMaxMoves}, {"$NOTE:", KeyNote}}

func parseCSAField(s string) (Field, bool) {
	for _, k := range csaKeys {
		if value, found := strings.CutPrefix(s, k.csa); found {
			return Field{k.key, strings.TrimSpace(value)}, true
		}
	}
	key, value, found := strings.Cut(s, ":")
	key = strings.TrimSpace(strings.TrimPrefix(key, "$"))
	return Field{key, strings.TrimSpace(value)}, found && s[0] == '$' && key != ""
}

func (r *csaReader) move(s string) *Error {
	side := shogi.Black
	if s[0] == '-' {
		side = shogi.White
	}
	if len(s) == 1 {
		if r.started {
			return r.fail(s, "the side to move is given after the first move")
		}
		r.setup.side, r.setup.sideGiven = side, true
		return nil
	}
	if err := r.begin(side); err != nil {
		return err
	}
	if err := r.open(s); err != nil {
		return err
	}
	digits, name := cutDigits(s[1:])
	t, ok := pieceOfCSA(name)
	if len(digits) != 4 || !ok || digits[2] == '0' || digits[3] == '0' {
		return r.fail(s, "want a move such as +7776FU or -0034KA")
	}
	if cur := r.current(); side != cur.side {
		return r.fail(s, "%s is to move", csaSign(cur.side))
	}
	m, ok := csaMove(&r.current().pos, digits, t)
	if !ok {
		return r.fail(s, "no such piece there in %s", r.current().pos.SFEN())
	}
	return r.play(m, s)
}

// csaMove returns the move with the four digits of its squares and the piece after it.
func csaMove(p *shogi.Position, digits string, t shogi.PieceType) (shogi.Move, bool) {
	to := shogi.NewSquare(int(digits[2]-'0'), int(digits[3]-'0'))
	if digits[:2] == "00" {
		return shogi.NewDrop(t, to), t <= shogi.Gold
	}
	if digits[0] == '0' || digits[1] == '0' {
		return shogi.MoveNone, false
	}
	from := shogi.NewSquare(int(digits[0]-'0'), int(digits[1]-'0'))
	switch before := p.PieceAt(from).Type(); {
	case before == t:
		return shogi.NewMove(from, to), true
	case before.CanPromote() && before.Promote() == t:
		return shogi.NewPromotion(from, to), true
	}
	return shogi.MoveNone, false
}

func (r *csaReader) endWord(s string) *Error {
	if err := r.begin(shogi.Black); err != nil {
		return err
	}
	word := strings.TrimSpace(s[1:])
	if word == "" {
		return r.fail(s, "want an end such as %%TORYO")
	}
	e, text := endOfCSA(word, r.current().side)
	return r.end(e, text, s)
}

// maxSeconds bounds times, so that sums of them do not overflow.
const maxSecondDigits = 7

// parseSeconds reads seconds with an optional fraction.
func parseSeconds(text string) (time.Duration, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" || len(whole) > maxSecondDigits || len(fraction) > 9 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", 9-len(fraction)), 10, 63)
	return time.Duration(n), err == nil
}

// begin makes the start position when that was not done yet. first is the side to move where no line says it.
func (r *csaReader) begin(first shogi.Color) *Error {
	if r.started {
		return nil
	}
	if !r.setup.sideGiven {
		r.setup.side = first
	}
	p, err := r.setup.position()
	if err != nil {
		return r.fail(csaSign(r.setup.side), "the start position is none: %v", err)
	}
	r.started = true
	r.start(p, shogi.NoSquare)
	return nil
}

// looksCSA reports whether a line can only be one of CSA.
func looksCSA(line string) bool {
	if len(line) < 2 {
		return line == "+" || line == "-"
	}
	digits, rest := cutDigits(line[1:])
	switch line[0] {
	case 'V':
		return digits != ""
	case 'N':
		return line[1] == '+' || line[1] == '-'
	case 'P':
		return strings.ContainsRune("I+-123456789", rune(line[1]))
	case '$', '\'':
		return true
	case '%':
		return line[1] >= 'A' && line[1] <= 'Z' || strings.HasSuffix(line, "ILLEGAL_ACTION")
	case '+', '-':
		return len(digits) == 4 && len(rest) >= 2 && rest[0] >= 'A' && rest[0] <= 'Z'
	}
	return false
}
