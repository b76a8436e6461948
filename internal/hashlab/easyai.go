package hashlab

import (
	"fmt"

	"github.com/yomi-shogi/yomi/nodehash/classic"
)

// The published experiment: so many stores into a table, with keys that repeat.
const (
	PublishedStores   = 20_000
	PublishedDistinct = 500
)

// PublishedRow is a function's published number beside what it does.
type PublishedRow struct {
	Function  string
	Published int // collisions in 1024 buckets as published, 0 for none
	Buckets   int
	Failed    string           // the error at the first store
	Occupied  int              // full buckets
	Counters  classic.Counters // of all stores
	First     classic.Counters // of the first 500 stores, which hold every key once
}

// PublishedKey is the i-th key of the experiment. There are only 500 different ones.
func PublishedKey(i int) classic.Key {
	return classic.Seq(classic.Text("player"), classic.Int(int64(i%100)), classic.Text(fmt.Sprintf("row%d", 7*i%500)))
}

// published are the article's collision counts.
func published(function string) int {
	return map[string]int{"Add": 11500, "Xor": 10600, "Simple": 6200, "Bernstein": 5100, "Rotate": 4700, "ShiftAndAdd": 3900, "FNV": 2900, "OneAtATime": 2100}[function]
}

// EasyAI runs the experiment for easyAI's eleven functions in tables of so many buckets.
func EasyAI(buckets int) ([]PublishedRow, error) {
	var rows []PublishedRow
	for _, name := range classic.FunctionNames() {
		if name == "Base" || name == "ELF_fixed" {
			continue // not among the published ones
		}
		h, err := Scheme{name, Faithful}.hasher(buckets)
		if err != nil {
			return nil, err
		}
		t := classic.NewBuckets[int](h)
		row := PublishedRow{Function: name, Published: published(name), Buckets: buckets}
		for i := range PublishedStores {
			if i == PublishedDistinct {
				row.First = t.Counters()
			}
			if err := t.Set(PublishedKey(i), i); err != nil {
				row.Failed = failure(err)
				break
			}
		}
		row.Occupied, row.Counters = t.Occupied(), t.Counters()
		rows = append(rows, row)
	}
	return rows, nil
}
