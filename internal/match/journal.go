package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/internal/journal"
)

// journalVersion is the format's number; a journal of another one is refused.
const journalVersion = 1

// Header is the first line of a journal: all that decides the games.
type Header struct {
	Version int    `json:"version"`
	Started string `json:"started"`
	// A and B are the players, Identities what they turned out to be, in this order.
	A          Spec        `json:"a"`
	B          Spec        `json:"b"`
	Identities [2]Identity `json:"identities"`
	// Openings is the opening file, "" for the embedded list; OpeningsSHA256 the hash of the openings in it.
	Openings       string `json:"openings,omitempty"`
	OpeningsSHA256 string `json:"openings_sha256"`
	OpeningsCount  int    `json:"openings_count"`
	Seed           uint64 `json:"seed"`
	Games          int    `json:"games"`
	Rules          Rules  `json:"rules"`
	SPRT           *SPRT  `json:"sprt,omitempty"`
}

// Changed says what differs between two headers in what decides the games, "" when nothing does. The number of games may differ.
func (h *Header) Changed(now *Header) string {
	for _, c := range []struct {
		what      string
		then, now any
	}{
		{"player A", h.A, now.A}, {"player B", h.B, now.B},
		{"the program of player A", h.Identities[0].SHA256, now.Identities[0].SHA256},
		{"the program of player B", h.Identities[1].SHA256, now.Identities[1].SHA256},
		{"player A's options", h.Identities[0].Options, now.Identities[0].Options},
		{"player B's options", h.Identities[1].Options, now.Identities[1].Options},
		{"the openings", h.OpeningsSHA256, now.OpeningsSHA256},
		{"the seed", h.Seed, now.Seed}, {"the rules", h.Rules, now.Rules}, {"the SPRT", h.SPRT, now.SPRT},
	} {
		then, err1 := json.Marshal(c.then)
		current, err2 := json.Marshal(c.now)
		if err := errors.Join(err1, err2); err != nil {
			return err.Error()
		}
		if !bytes.Equal(then, current) {
			return fmt.Sprintf("%s: %s then, %s now", c.what, then, current)
		}
	}
	return ""
}

// line is a line of a journal: one of its fields is set.
type line struct {
	Match *Header `json:"match,omitempty"`
	Game  *Record `json:"game,omitempty"`
}

// parseLine reads a line of a journal.
func parseLine(data []byte) (line, error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return l, err
	}
	switch {
	case (l.Match == nil) == (l.Game == nil):
		return l, errors.New("neither a header nor a game")
	case l.Match != nil && l.Match.Version != journalVersion:
		return l, fmt.Errorf("version %d, this program reads %d", l.Match.Version, journalVersion)
	case l.Game != nil:
		return l, l.Game.check()
	}
	return l, nil
}

// check refuses a record that no match writes.
func (r *Record) check() error {
	switch {
	case r.Game < 0 || r.Pair != r.Game/2:
		return fmt.Errorf("game %d of pair %d", r.Game, r.Pair)
	case r.Black != PlayerA && r.Black != PlayerB:
		return fmt.Errorf("bad player %q", r.Black)
	case r.Result != BlackWins && r.Result != WhiteWins && r.Result != Drawn:
		return fmt.Errorf("bad result %q", r.Result)
	}
	if _, err := ParseOpening(r.Start); err != nil {
		return fmt.Errorf("bad start: %w", err)
	}
	return nil
}

// History is a journal that was read.
type History struct {
	Header  Header
	Records []Record
	// Size is the length of the whole lines; what follows is a line that was cut when the writer was killed.
	Size int64
}

// ReadJournal reads a journal, plain or zstd (.zst). A last line that was cut is left out; other bad lines are errors that name
// file and line, as is a game that is there twice.
func ReadJournal(path string) (*History, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(path, ".zst") {
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = z
	}
	return readJournal(path, in)
}

// readJournal reads a journal; name stands for it in errors.
func readJournal(name string, in io.Reader) (*History, error) {
	h := &History{}
	seen := make(map[int]bool)
	size, err := journal.Read(name, in, func(data []byte) error {
		l, err := parseLine(data)
		switch first := h.Header.Version == 0; {
		case err != nil:
			return err
		case first != (l.Match != nil):
			return errors.New("the header must be the first line and no other")
		case first:
			h.Header = *l.Match
			return nil
		case seen[l.Game.Game]:
			return fmt.Errorf("game %d is there twice", l.Game.Game)
		}
		seen[l.Game.Game] = true
		h.Records = append(h.Records, *l.Game)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if h.Size = size; size == 0 {
		return nil, fmt.Errorf("%s: no header, so no game was begun; delete the file to begin the match anew", name)
	}
	return h, nil
}

// Journal is a journal open for writing. Each line is on the disk when Append returns.
type Journal struct{ lines *journal.Writer }

// CreateJournal makes a new journal with its header. An existing file is an error.
func CreateJournal(path string, h *Header) (*Journal, error) {
	h.Version = journalVersion
	w, err := journal.Create(path, line{Match: h})
	if err != nil {
		return nil, err
	}
	return &Journal{w}, nil
}

// OpenJournal opens a journal that was read, to go on behind its last whole line.
func OpenJournal(path string) (*Journal, *History, error) {
	var h *History
	w, err := journal.Open(path, false, func(in io.Reader) (size int64, err error) {
		if h, err = readJournal(path, in); err != nil {
			return 0, err
		}
		return h.Size, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return &Journal{w}, h, nil
}

// Append writes a finished game.
func (j *Journal) Append(r *Record) error { return j.lines.Append(line{Game: r}) }

// Close closes the file.
func (j *Journal) Close() error { return j.lines.Close() }
