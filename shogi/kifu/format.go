package kifu

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Format is a way to write records into a file.
type Format uint8

// The formats. KIF and KIFU, KI2 and KI2U differ only by their encoding.
const (
	NoFormat Format = iota
	CSA             // the computer shogi association's, .csa
	KIF             // Kakinoki's, .kif, Shift_JIS
	KIFU            // the same in UTF-8, .kifu
	KI2             // moves as players write them, .ki2, Shift_JIS
	KI2U            // the same in UTF-8, .ki2u
	USI             // one line a game as USI's position command has it
)

var formatNames = [...]string{CSA: "csa", KIF: "kif", KIFU: "kifu", KI2: "ki2", KI2U: "ki2u", USI: "usi"}

// String returns the format's name, which is also the usual ending of its files: "csa", "kif", "kifu", "ki2", "ki2u" or "usi".
func (f Format) String() string { return formatNames[f] }

// ParseFormat returns the format with the name, in any case and with or without a leading dot. "sfen" is USI. An error names
// the text and the names there are.
func ParseFormat(name string) (Format, error) {
	wanted := strings.ToLower(strings.TrimPrefix(name, "."))
	if wanted == "sfen" {
		return USI, nil
	}
	for f := CSA; f <= USI; f++ {
		if formatNames[f] == wanted {
			return f, nil
		}
	}
	return NoFormat, fmt.Errorf("unknown record format %q: want one of %s", name, strings.Join(formatNames[CSA:], ", "))
}

// Read reads all games of a file in any of the formats and says which it was. Where the file is readable in part only,
// it returns the games, each up to its first error, together with the errors, each of which is an *Error.
func Read(data []byte) ([]*Record, Format, error) {
	text, sjis := decode(data)
	lines := splitLines(text)
	f := sniff(lines)
	if f == NoFormat {
		return nil, NoFormat, unknownText(lines)
	}
	switch {
	case sjis && f == KIFU:
		f = KIF
	case sjis && f == KI2U:
		f = KI2
	}
	records, err := readLines(f, lines)
	return records, f, err
}

// ReadFormat is Read for a file whose format is known. The encoding is found out nevertheless.
func ReadFormat(f Format, data []byte) ([]*Record, error) {
	text, _ := decode(data)
	return readLines(f, splitLines(text))
}

func readLines(f Format, lines []string) ([]*Record, error) {
	var records []*Record
	switch f {
	case CSA:
		records = readCSA(lines)
	case KIF, KIFU, KI2, KI2U:
		records = []*Record{readKakinoki(lines)}
	case USI:
		records = readUSI(lines)
	default:
		return nil, fmt.Errorf("unknown record format %d", f)
	}
	if len(records) == 0 {
		return nil, unknownText(lines)
	}
	return accept(records)
}

// accept joins the records' errors and leaves out those that have no start position.
func accept(records []*Record) ([]*Record, error) {
	var good []*Record
	var errs []error
	for _, r := range records {
		if r.Err != nil {
			errs = append(errs, r.Err)
		}
		if r.Root != nil {
			good = append(good, r)
		}
	}
	return good, errors.Join(errs...)
}

func unknownText(lines []string) error {
	for i, line := range lines {
		if word := firstWord(line); word != "" {
			return &Error{Line: i + 1, Token: word, Reason: "no game record begins like this"}
		}
	}
	return &Error{Line: 1, Reason: "the file is empty"}
}

// sniff returns the format of a text, KIFU and KI2U for Kakinoki's. The first line that only one format can have decides; what KIF and
// KI2 share is taken for KIF where no moves follow.
func sniff(lines []string) Format {
	guess := NoFormat
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case looksUSI(line):
			return USI
		case looksCSA(line):
			return CSA
		case strings.HasPrefix(line, "#KI2"):
			return KI2U
		case strings.HasPrefix(line, "#KIF"):
			return KIFU
		default:
			switch kind, _ := classify(line); kind {
			case numberedMove, movesHeading:
				return KIFU
			case markedMoves:
				return KI2U
			case field:
				if f, _ := parseField(line); f.Key == KeyBlack || f.Key == KeyWhite || f.Key == KeyEvent || f.Key == KeyStartTime {
					guess = KIFU
				}
			case handicapLine, handLine, boardRow, variation, closing:
				guess = KIFU
			}
		}
	}
	return guess
}

// Write writes records in a format. dropped tells, for people, what the format cannot hold and was left out. KIF and KI2 files hold
// one game. An error names a move that is illegal without being marked so, or another fault of a record's tree; then nothing is written.
func Write(w io.Writer, f Format, records ...*Record) (dropped []string, err error) {
	for i, r := range records {
		if err := check(r); err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	out := &output{}
	switch f {
	case CSA:
		writeCSA(out, records)
	case USI:
		writeUSI(out, records)
	case KIF, KIFU, KI2, KI2U:
		if len(records) != 1 {
			return nil, fmt.Errorf("a file in the format %s holds one game, got %d", f, len(records))
		}
		writeKakinoki(out, f, records[0])
	default:
		return nil, fmt.Errorf("unknown record format %d", f)
	}
	data := []byte(out.text.String())
	if f == KIF || f == KI2 {
		data = out.encode()
	}
	_, err = w.Write(data)
	return out.dropped(), err
}
