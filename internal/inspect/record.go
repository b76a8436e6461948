package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// Record is an event with its time and the number of its search in the trace, from 1.
type Record struct {
	Time   time.Time
	Search int
	search.Event
}

// appendRecord appends the record as a line of JSON. Members that are zero are left out.
func appendRecord(b []byte, at time.Time, number int, e *search.Event) []byte {
	b = append(b, `{"time":`...)
	b = strconv.AppendInt(b, at.UnixMicro(), 10)
	b = append(b, `,"search":`...)
	b = strconv.AppendInt(b, int64(number), 10)
	b = appendWord(b, "event", e.Kind.String())
	b = appendWord(b, "engine", e.Engine)
	b = appendNumber(b, "worker", int64(e.Worker))
	b = appendNumber(b, "playout", e.Playout)
	b = appendNumber(b, "ply", int64(e.Ply))
	b = appendWord(b, "type", e.Type.String())
	if e.Move != shogi.MoveNone {
		b = appendWord(b, "move", e.Move.String())
	}
	if e.Key != 0 {
		b = append(b, `,"key":"`...)
		b = appendKey(b, e.Key)
		b = append(b, '"')
	}
	b = appendScores(b, e)
	b = appendRates(b, e)
	for _, d := range [...]struct {
		name string
		d    time.Duration
	}{{"took", e.Took}, {"optimum", e.Optimum}, {"hard", e.Hard}} {
		if d.d < maxDuration {
			b = appendNumber(b, d.name, d.d.Microseconds())
		}
	}
	b = appendWord(b, "reason", string(e.Reason))
	b = appendLists(b, e)
	return append(b, "}\n"...)
}

// maxDuration is longer than any time that a plan can mean; the clock writes «no limit» as more.
const maxDuration = 1 << 60

func appendScores(b []byte, e *search.Event) []byte {
	b = appendNumber(b, "depth", int64(e.Depth))
	b = appendNumber(b, "alpha", int64(e.Alpha))
	b = appendNumber(b, "beta", int64(e.Beta))
	b = appendNumber(b, "score", int64(e.Score))
	b = appendNumber(b, "before", int64(e.Before))
	b = appendNumber(b, "count", e.Count)
	b = appendNumber(b, "bound", int64(e.Bound))
	if e.Cut {
		b = append(b, `,"cut":true`...)
	}
	return appendNumber(b, "proof", int64(e.Proof))
}

func appendRates(b []byte, e *search.Event) []byte {
	b = appendNumber(b, "visits", e.Visits)
	b = appendReal(b, "winRate", e.WinRate)
	b = appendNumber(b, "edgeVisits", e.EdgeVisits)
	b = appendReal(b, "edgeRate", e.EdgeRate)
	b = appendReal(b, "value", e.Value)
	b = appendReal(b, "scale", e.Scale)
	return appendReal(b, "loss", e.Loss)
}

// appendLists appends candidates, line and game. A candidate is an array: move, visits, in flight, P, Q, U, proof, 1 when fresh.
func appendLists(b []byte, e *search.Event) []byte {
	if len(e.Candidates) > 0 {
		b = append(b, `,"candidates":[`...)
		for i := range e.Candidates {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCandidate(b, &e.Candidates[i])
		}
		b = append(b, ']')
	}
	if len(e.Line) > 0 {
		b = append(b, `,"line":"`...)
		for i, m := range e.Line {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, m.String()...)
		}
		b = append(b, '"')
	}
	if e.Game != nil {
		b = appendWord(b, "game", e.Game.USI())
	}
	return b
}

func appendCandidate(b []byte, c *search.Candidate) []byte {
	b = append(b, '[', '"')
	b = append(b, c.Move.String()...)
	b = append(b, '"', ',')
	b = strconv.AppendInt(b, int64(c.Visits), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(c.Flying), 10)
	for _, x := range [...]float64{c.Prior, c.WinRate, c.Explore} {
		const digits = 5 // most of a trace is candidates
		b = append(b, ',')
		b = strconv.AppendFloat(b, x, 'g', digits, 64)
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(c.Proof), 10)
	if c.Fresh {
		return append(b, ",1]"...)
	}
	return append(b, ",0]"...)
}

func appendWord(b []byte, name, word string) []byte {
	if word == "" {
		return b
	}
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, `":"`...)
	b = append(b, word...)
	return append(b, '"')
}

func appendNumber(b []byte, name string, n int64) []byte {
	if n == 0 {
		return b
	}
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return strconv.AppendInt(b, n, 10)
}

func appendReal(b []byte, name string, x float64) []byte {
	if x == 0 {
		return b
	}
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return appendFloat(b, x)
}

// appendFloat writes seven digits; JSON has no infinity.
func appendFloat(b []byte, x float64) []byte {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		x = 0
	}
	return strconv.AppendFloat(b, x, 'g', 7, 64)
}

func appendKey(b []byte, key uint64) []byte {
	var raw [8]byte
	for i := range raw {
		raw[i] = byte(key >> (56 - 8*i))
	}
	return hex.AppendEncode(b, raw[:])
}

// wire is a record as JSON has it.
type wire struct {
	Time       int64             `json:"time"`
	Search     int               `json:"search"`
	Event      string            `json:"event"`
	Engine     string            `json:"engine"`
	Worker     int               `json:"worker"`
	Playout    int64             `json:"playout"`
	Ply        int               `json:"ply"`
	Type       string            `json:"type"`
	Move       string            `json:"move"`
	Key        string            `json:"key"`
	Depth      int               `json:"depth"`
	Alpha      int               `json:"alpha"`
	Beta       int               `json:"beta"`
	Score      int               `json:"score"`
	Before     int               `json:"before"`
	Count      int64             `json:"count"`
	Bound      search.Bound      `json:"bound"`
	Cut        bool              `json:"cut"`
	Proof      int               `json:"proof"`
	Visits     int64             `json:"visits"`
	WinRate    float64           `json:"winRate"`
	EdgeVisits int64             `json:"edgeVisits"`
	EdgeRate   float64           `json:"edgeRate"`
	Value      float64           `json:"value"`
	Scale      float64           `json:"scale"`
	Loss       float64           `json:"loss"`
	Took       int64             `json:"took"`
	Optimum    int64             `json:"optimum"`
	Hard       int64             `json:"hard"`
	Reason     search.Reason     `json:"reason"`
	Candidates []json.RawMessage `json:"candidates"`
	Line       string            `json:"line"`
	Game       string            `json:"game"`
}

// ParseRecord reads a line of a trace. The error names what is wrong.
func ParseRecord(line []byte) (Record, error) {
	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		return Record{}, fmt.Errorf("bad record: %w", err)
	}
	r := Record{Time: time.UnixMicro(w.Time), Search: w.Search, Event: search.Event{
		Engine: w.Engine, Worker: w.Worker, Playout: w.Playout, Ply: w.Ply, Depth: w.Depth, Alpha: w.Alpha, Beta: w.Beta, Score: w.Score,
		Before: w.Before, Count: w.Count, Bound: w.Bound, Cut: w.Cut, Proof: w.Proof, Visits: w.Visits, WinRate: w.WinRate,
		EdgeVisits: w.EdgeVisits, EdgeRate: w.EdgeRate, Value: w.Value, Scale: w.Scale, Loss: w.Loss, Reason: w.Reason,
		Took: time.Duration(w.Took) * time.Microsecond, Optimum: time.Duration(w.Optimum) * time.Microsecond, Hard: time.Duration(w.Hard) * time.Microsecond,
	}}
	if err := w.check(); err != nil {
		return Record{}, err
	}
	return r, w.parseInto(&r)
}

// check refuses numbers that no search has; pages and pictures count on that.
func (w *wire) check() error {
	for _, x := range [...]struct {
		name        string
		value       float64
		least, most float64
	}{
		{"winRate", w.WinRate, -slack, 1 + slack}, {"edgeRate", w.EdgeRate, -slack, 1 + slack}, {"value", w.Value, -slack, 1 + slack}, {"scale", w.Scale, 0, maxReal}, {"loss", w.Loss, 0, maxReal},
		{"search", float64(w.Search), 0, maxReal}, {"ply", float64(w.Ply), 0, maxPly}, {"bound", float64(w.Bound), 0, float64(search.UpperBound)},
		{"visits", float64(w.Visits), 0, maxReal}, {"edgeVisits", float64(w.EdgeVisits), 0, maxReal}, {"count", float64(w.Count), 0, maxReal},
		{"playout", float64(w.Playout), 0, maxReal}, {"worker", float64(w.Worker), -1, maxWorker},
		{"took", float64(w.Took), 0, maxMicroseconds}, {"optimum", float64(w.Optimum), 0, maxMicroseconds}, {"hard", float64(w.Hard), 0, maxMicroseconds},
		{"alpha", float64(w.Alpha), -maxScore, maxScore}, {"beta", float64(w.Beta), -maxScore, maxScore}, {"score", float64(w.Score), -maxScore, maxScore},
		{"before", float64(w.Before), -maxScore, maxScore}, {"proof", float64(w.Proof), -maxPly, maxPly}, {"depth", float64(w.Depth), -maxPly, maxPly},
	} {
		if !(x.value >= x.least && x.value <= x.most) {
			return fmt.Errorf("bad %s %v: want %v to %v", x.name, x.value, x.least, x.most)
		}
	}
	return nil
}

// The largest numbers of records. maxReal is far above any count or factor, maxScore above any score, and slack is for rounding.
const (
	slack           = 1e-4
	maxReal         = 1e18
	maxWorker       = 1 << 16
	maxScore        = 4 * alphabeta.Mate
	maxMicroseconds = maxDuration / 1000
)

// parseInto reads what JSON has as text.
func (w *wire) parseInto(r *Record) (err error) {
	if r.Kind, err = search.ParseEventKind(w.Event); err != nil {
		return err
	}
	if r.Type, err = search.ParseNodeType(w.Type); err != nil {
		return err
	}
	if w.Move != "" {
		if r.Move, err = parseAnswer(w.Move); err != nil {
			return err
		}
	}
	if w.Key != "" {
		if r.Key, err = strconv.ParseUint(w.Key, 16, 64); err != nil {
			return fmt.Errorf("bad key %q", w.Key)
		}
	}
	for _, raw := range w.Candidates {
		c, err := parseCandidate(raw)
		if err != nil {
			return err
		}
		r.Candidates = append(r.Candidates, c)
	}
	for _, word := range bytes.Fields([]byte(w.Line)) {
		m, err := shogi.ParseMove(string(word))
		if err != nil {
			return err
		}
		r.Line = append(r.Line, m)
	}
	if w.Game != "" {
		r.Game, err = shogi.ParsePosition(w.Game)
	}
	return err
}

// parseAnswer reads a move, or the word for giving up or declaring a win: searches end with these too.
func parseAnswer(text string) (shogi.Move, error) {
	for _, m := range [...]shogi.Move{shogi.MoveResign, shogi.MoveWin} {
		if text == m.String() {
			return m, nil
		}
	}
	return shogi.ParseMove(text)
}

// maxPly is more than any search's longest line.
const maxPly = 10_000

// parseCandidate reads the array that appendCandidate writes.
func parseCandidate(raw []byte) (c search.Candidate, err error) {
	fields := bytes.Split(bytes.Trim(raw, "[] \t"), []byte(","))
	if len(fields) != 8 {
		return c, fmt.Errorf("bad candidate %q: want 8 members", raw)
	}
	if c.Move, err = shogi.ParseMove(string(bytes.Trim(fields[0], `" `))); err != nil {
		return c, err
	}
	var numbers [7]float64
	for i, f := range fields[1:] {
		most := [...]float64{math.MaxInt32, math.MaxInt32, 1 + slack, 1 + slack, maxReal, maxPly, 1}[i]
		least := [...]float64{2: -slack, 3: -slack, 5: -maxPly, 6: 0}[i]
		numbers[i], err = strconv.ParseFloat(string(bytes.TrimSpace(f)), 64)
		if err != nil || !(numbers[i] >= least && numbers[i] <= most) {
			return c, fmt.Errorf("bad candidate %q: bad number %q", raw, f)
		}
	}
	c.Visits, c.Flying, c.Prior, c.WinRate, c.Explore = int(numbers[0]), int(numbers[1]), numbers[2], numbers[3], numbers[4]
	c.Proof, c.Fresh = int(numbers[5]), numbers[6] != 0
	return c, nil
}
