package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/yomi-shogi/yomi/internal/journal"
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

// openJournal opens the file of finished generations, or makes it, and returns what it holds. It keeps other programs out of the folder.
func openJournal(path string) (w *journal.Writer, history []Generation, err error) {
	w, err = journal.Open(path, true, func(in io.Reader) (int64, error) {
		return journal.Read(path, in, func(line []byte) error {
			var g Generation
			d := json.NewDecoder(bytes.NewReader(line))
			d.DisallowUnknownFields()
			if err := d.Decode(&g); err != nil {
				return err
			}
			if want := len(history) + 1; g.Number != want || g.Best < 0 || g.Best >= want {
				return fmt.Errorf("generation %d after the best of %d, where %d belongs", g.Number, g.Best, want)
			}
			history = append(history, g)
			return nil
		})
	})
	return w, history, err
}

// writeJSON writes a value to a file in readable form, whole or not at all.
func writeJSON(path string, value any) error {
	return train.WriteFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(value)
	})
}
