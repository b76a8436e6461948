package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yomi-shogi/yomi/internal/journal"
	"github.com/yomi-shogi/yomi/internal/match"
)

// JournalName is the name of the journal in a run's folder.
const JournalName = "tune.jsonl"

// journalVersion is the format's number; a journal of another one is refused.
const journalVersion = 1

// Header is the first line of a journal: all that decides the run.
type Header struct {
	Version int    `json:"version"`
	Started string `json:"started"`
	Plan
	// Time is the time control of both players, Options what was set on both beside the parameters.
	Time    match.TimeControl `json:"time"`
	Options []match.Setting   `json:"options,omitempty"`
	// Identity is this program with its settings before the first iteration.
	Identity match.Identity `json:"identity"`
	// Openings is the opening file, "" for the embedded list; OpeningsSHA256 the hash of the openings in it.
	Openings       string      `json:"openings,omitempty"`
	OpeningsSHA256 string      `json:"openings_sha256"`
	OpeningsCount  int         `json:"openings_count"`
	Rules          match.Rules `json:"rules"`
}

// changed says what of the surroundings differs between two headers, "" when nothing does.
func (h *Header) changed(now *Header) string {
	switch {
	case h.Identity.SHA256 != now.Identity.SHA256:
		return fmt.Sprintf("the program or a net: SHA-256 %.16s then, %.16s now", h.Identity.SHA256, now.Identity.SHA256)
	case fmt.Sprint(h.Identity.Options) != fmt.Sprint(now.Identity.Options):
		return fmt.Sprintf("the options: %v then, %v now", h.Identity.Options, now.Identity.Options)
	case h.OpeningsSHA256 != now.OpeningsSHA256:
		return fmt.Sprintf("the openings: SHA-256 %.16s then, %.16s now", h.OpeningsSHA256, now.OpeningsSHA256)
	}
	return ""
}

// check refuses a header that no run writes.
func (h *Header) check() error {
	if h.Version != journalVersion {
		return fmt.Errorf("version %d, this program reads %d", h.Version, journalVersion)
	}
	if h.Time == (match.TimeControl{}) {
		return errors.New("no time control")
	}
	return errors.Join(h.Plan.Check(), h.Rules.Check())
}

// line is a line of a journal: one of its fields is set.
type line struct {
	Tune      *Header    `json:"tune,omitempty"`
	Iteration *Iteration `json:"iteration,omitempty"`
}

// History is a journal that was read.
type History struct {
	Header     Header
	Iterations []Iteration
	// Size is the length of the whole lines; what follows is a line that was cut when the writer was killed.
	Size int64
}

// ReadJournal reads a journal. A last line that was cut is left out; other bad lines are errors that name file and line, as is an
// iteration out of order.
func ReadJournal(path string) (*History, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readJournal(path, file)
}

// readJournal reads a journal; name stands for it in errors.
func readJournal(name string, in io.Reader) (*History, error) {
	h := &History{}
	size, err := journal.Read(name, in, h.take)
	if err != nil {
		return nil, err
	}
	if h.Size = size; size == 0 {
		return nil, fmt.Errorf("%s: no header, so nothing was begun; delete the file to begin anew", name)
	}
	return h, nil
}

// take reads a line.
func (h *History) take(data []byte) error {
	var l line
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return err
	}
	first := h.Header.Version == 0
	switch {
	case (l.Tune == nil) == (l.Iteration == nil):
		return errors.New("neither a header nor an iteration")
	case first != (l.Tune != nil):
		return errors.New("the header must be the first line and no other")
	case first:
		h.Header = *l.Tune
		return h.Header.check()
	case l.Iteration.Number != len(h.Iterations)+1:
		return fmt.Errorf("iteration %d where %d belongs", l.Iteration.Number, len(h.Iterations)+1)
	}
	h.Iterations = append(h.Iterations, *l.Iteration)
	return l.Iteration.check(&h.Header.Plan)
}

// openJournal opens a journal to go on behind its last whole line.
func openJournal(path string) (*journal.Writer, *History, error) {
	var h *History
	w, err := journal.Open(path, false, func(in io.Reader) (size int64, err error) {
		if h, err = readJournal(path, in); err != nil {
			return 0, err
		}
		return h.Size, nil
	})
	return w, h, err
}
