package classic

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// bookFile is what the book's own code answered to sequences of operations.
type bookFile struct {
	HashToIndex []map[string]any `json:"hash_to_index"`
	Sequences   []struct {
		Name string
		Size int
		Ops  []bookOp
	}
}

type bookOp struct {
	Op         string
	Hash       uint64 `json:",string"`
	Color      uint8
	Moves      uint16
	Index      int
	Expect     *int
	Used       int
	EnoughSize bool     `json:"enough_size"`
	UsageRate  *float64 `json:"usage_rate"`
	ChildIndex []int    `json:"child_index"`
	Slots      []struct {
		Hash  uint64 `json:",string"`
		Color uint8
		Moves uint16
		Flag  bool
	}
}

// do does the operation and returns the answer of a find or an insert.
func (o *bookOp) do(t *testing.T, b *Book) int {
	key := BookKey{o.Hash, o.Color, o.Moves}
	switch o.Op {
	case "find_same_hash_index":
		return b.FindSameHashIndex(key)
	case "search_empty_index":
		return b.SearchEmptyIndex(key)
	case "initialize":
		b.Initialize()
	case "clear_flag":
		b.ClearFlag(o.Index)
	case "set_children":
		b.SetChildren(o.Index, o.ChildIndex)
	case "delete_old_hash":
		b.DeleteOldHash(key)
	default:
		require.Equal(t, "dump", o.Op)
	}
	return -1
}

func readBookFile(t *testing.T) bookFile {
	text, err := os.ReadFile("../../testdata/nodehash_vectors.json")
	require.NoError(t, err)
	var file bookFile
	require.NoError(t, json.Unmarshal(text, &file))
	return file
}

// TestBookSequences replays every operation of the file: answers, counters, and the slots where the file shows them.
func TestBookSequences(t *testing.T) {
	operations := 0
	for _, seq := range readBookFile(t).Sequences {
		b, err := NewBook(seq.Size)
		require.NoError(t, err)
		for n := range seq.Ops {
			o := &seq.Ops[n]
			got := o.do(t, b)
			if o.Expect != nil {
				require.Equal(t, *o.Expect, got, "%s, operation %d: %+v", seq.Name, n, *o)
			}
			require.Equal(t, o.Used, b.Used(), "%s, operation %d: used", seq.Name, n)
			require.Equal(t, o.EnoughSize, b.EnoughSize(), "%s, operation %d: enough_size", seq.Name, n)
			if o.UsageRate != nil {
				require.InDelta(t, *o.UsageRate, b.UsageRate(), 1e-12, "%s, operation %d", seq.Name, n)
			}
			for i, s := range o.Slots {
				require.Equal(t, BookEntry{s.Hash, s.Color, s.Moves, s.Flag}, b.Entry(i), "%s, operation %d: slot %d", seq.Name, n, i)
			}
			operations++
		}
	}
	require.Equal(t, 336, operations)
}

func TestBookHashToIndex(t *testing.T) {
	rows := readBookFile(t).HashToIndex
	require.NotEmpty(t, rows)
	for _, row := range rows {
		hash, err := strconv.ParseUint(row["hash"].(string), 10, 64)
		require.NoError(t, err)
		for _, size := range []int{4, 8, 16, 4096, 65536, 1048576} {
			b, err := NewBook(size)
			require.NoError(t, err)
			require.EqualValues(t, row[strconv.Itoa(size)], b.HashToIndex(hash), "%#x in %d", hash, size)
		}
	}
}

// TestBookLosesNodes shows the fault: B is displaced behind A; the sweep drops A and keeps B, which is then not found.
func TestBookLosesNodes(t *testing.T) {
	b, err := NewBook(8)
	require.NoError(t, err)
	b.SearchEmptyIndex(BookKey{Hash: 3, Moves: 1})
	displaced := BookKey{Hash: 3, Moves: 2}
	require.Equal(t, 4, b.SearchEmptyIndex(displaced))
	root := b.SearchEmptyIndex(BookKey{Hash: 0, Moves: 1})
	b.SetChildren(root, []int{4})
	require.Zero(t, b.Lost())
	b.DeleteOldHash(BookKey{Hash: 0, Moves: 1})
	require.Equal(t, 2, b.Used())
	require.Equal(t, 1, b.Lost())
	require.Equal(t, b.Size(), b.FindSameHashIndex(displaced))
	require.Equal(t, 3, b.SearchEmptyIndex(displaced), "the node is made a second time")
}

func TestNewBookRefuses(t *testing.T) {
	for _, size := range []int{-4, 0, 3, 4097} {
		_, err := NewBook(size)
		require.ErrorContains(t, err, strconv.Itoa(size))
	}
}
