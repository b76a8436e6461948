package learn

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/yomi-shogi/yomi/internal/lockfile"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/train"
)

// Generation is what is known about a generation.
type Generation struct {
	// Number counts from 1. Best is the generation whose nets played the games and were the gate's opponent.
	Number int `json:"generation"`
	Best   int `json:"best"`
	// Games were played, with Positions searched, Deep of them for a policy to learn from. Black, White and Draws are their results.
	Games     int64 `json:"games"`
	Positions int64 `json:"positions"`
	Deep      int64 `json:"deep"`
	Black     int64 `json:"black_wins"`
	White     int64 `json:"white_wins"`
	Draws     int64 `json:"draws"`
	// Window are the generations whose games were learnt from.
	Window []int `json:"window"`
	Policy Net   `json:"policy"`
	Value  Net   `json:"value"`
	Gate   Match `json:"gate"`
	// Promoted says that the new nets are the best from now on.
	Promoted bool `json:"promoted"`
	// Seconds is the time of each stage. A program that was killed may not have counted its last seconds.
	Seconds map[Stage]float64 `json:"seconds"`
	// Ended is when the generation was finished.
	Ended time.Time `json:"ended,omitzero"`
	// Done are the stages that are finished.
	Done []Stage `json:"done,omitempty"`
}

// Net is what is known about a net that was trained.
type Net struct {
	// OwnPositions of the window and HandedPositions were learnt from.
	OwnPositions    int `json:"own_positions"`
	HandedPositions int `json:"handed_positions"`
	// Sets are the validation sets: the handed ones first, the window's last.
	Sets []Validation `json:"validation,omitempty"`
}

// Validation is how good the best net was and how good the new one is on the same positions, both quantised.
type Validation struct {
	Set    string        `json:"set"`
	Before train.Metrics `json:"before"`
	After  train.Metrics `json:"after"`
}

// Match is the result of a gate.
type Match struct {
	// Pairs are the pairs that the test saw, in the order of their numbers up to its end, as new − best.
	Pairs match.Pentanomial `json:"pairs"`
	// LLR is the test's log-likelihood ratio at its end, Verdict what it said; undecided when the games ran out.
	LLR     float64       `json:"llr"`
	Verdict match.Verdict `json:"verdict"`
}

// Rating is what the gate's pairs say about new − best.
func (m *Match) Rating() match.Rating { return match.Rate(m.Pairs) }

// Files of a loop's folder.
const (
	configName  = "config.json"
	historyName = "generations.jsonl"
	tableName   = "generations.md"
	chartName   = "generations.svg"
	stateName   = "state.json"
)

// journal is the file of finished generations, open for writing. It keeps other programs out of the folder.
type journal struct{ file *os.File }

// openJournal opens the journal, or makes it, and returns what it holds. A last line that was cut is left out and cut off.
func openJournal(path string) (*journal, []Generation, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	history, size, err := []Generation(nil), int64(0), lockfile.Take(file)
	if err == nil {
		history, size, err = readJournal(file)
	}
	if err == nil {
		err = file.Truncate(size)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return &journal{file}, history, nil
}

// readJournal reads finished generations, which must be there one after the other, and returns the length of the whole lines.
func readJournal(in io.Reader) (history []Generation, size int64, err error) {
	r := bufio.NewReader(in)
	for {
		data, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return history, size, nil // data is empty or a line that was cut
		}
		var g Generation
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(data))
			d.DisallowUnknownFields()
			err = d.Decode(&g)
		}
		if want := len(history) + 1; err == nil && (g.Number != want || g.Best < 0 || g.Best >= want) {
			err = fmt.Errorf("generation %d after the best of %d, where %d belongs", g.Number, g.Best, want)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", len(history)+1, err)
		}
		history = append(history, g)
		size += int64(len(data))
	}
}

// append writes a generation; it is on the disk when append returns.
func (j *journal) append(g *Generation) error {
	data, err := json.Marshal(g)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(data, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// writeJSON writes a value to a file in readable form, whole or not at all.
func writeJSON(path string, value any) error {
	return train.WriteFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(value)
	})
}
