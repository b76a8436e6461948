package classic

import (
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// typedKey is a key as the file writes it.
type typedKey struct {
	T string
	V json.RawMessage
}

func (k typedKey) key(t require.TestingT) Key {
	text, ints, items := "", []byte(nil), []typedKey(nil)
	switch k.T {
	case "str":
		require.NoError(t, json.Unmarshal(k.V, &text))
		return Text(text)
	case "int":
		require.NoError(t, json.Unmarshal(k.V, &text))
		n, ok := new(big.Int).SetString(text, 10)
		require.True(t, ok, text)
		return BigInt(n)
	case "bytes":
		var numbers []int
		require.NoError(t, json.Unmarshal(k.V, &numbers))
		for _, n := range numbers {
			ints = append(ints, byte(n))
		}
		return Bytes(ints)
	case "tuple":
		require.NoError(t, json.Unmarshal(k.V, &items))
		keys := []Key{}
		for _, item := range items {
			keys = append(keys, item.key(t))
		}
		return Seq(keys...)
	case "none":
		return Key{}
	}
	return Other(k.T + " " + string(k.V))
}

// outcome is easyAI's answer.
type outcome struct {
	Raw   json.RawMessage
	Index int
	Error string
}

type hashFile struct {
	Buckets        []int
	Functions      []string
	ExtraFunctions []string `json:"extra_functions"`
	Vectors        []struct {
		Name    string
		Key     typedKey
		Results map[string]map[string]outcome
	}
	Thousand   map[string]map[string]outcome `json:"vectors_1000_buckets"`
	Experiment struct {
		Full  map[string]sets `json:"full_20000"`
		First map[string]sets `json:"first_500_only"`
	} `json:"collision_experiment"`
	Distinct []struct {
		Count, Buckets int
		Results        map[string]sets
	} `json:"distinct_key_experiment"`
}

// sets is what a number of sets did to a table.
type sets struct {
	Calls      int64  `json:"num_calls"`
	Collisions int64  `json:"num_collisions"`
	Occupied   int    `json:"occupied"`
	Evictions  *int64 `json:"diffkey_overwrites"`
	Error      string
}

func readHashFile(t *testing.T) hashFile {
	text, err := os.ReadFile("../../testdata/hash_vectors.json")
	require.NoError(t, err)
	var file hashFile
	require.NoError(t, json.Unmarshal(text, &file))
	return file
}

func faithful(t require.TestingT, name string, buckets int) *Hasher {
	f, err := NewFunction(name)
	require.NoError(t, err)
	h, err := NewFaithful(f, buckets)
	require.NoError(t, err)
	return h
}

func errorKind(err error) string {
	var k *KeyError
	if errors.As(err, &k) {
		return k.Kind
	}
	return ""
}

// TestVectors compares every answer of easyAI: the hash to the last digit, the index, or the kind of error.
func TestVectors(t *testing.T) {
	file := readHashFile(t)
	require.ElementsMatch(t, FunctionNames(), append(file.Functions, file.ExtraFunctions...))
	compared := 0
	for _, v := range file.Vectors {
		key := v.Key.key(t)
		answers := map[int]map[string]outcome{1000: file.Thousand[v.Name]}
		for name, results := range v.Results {
			for text, o := range results {
				buckets, err := strconv.Atoi(text)
				require.NoError(t, err)
				if answers[buckets] == nil {
					answers[buckets] = make(map[string]outcome)
				}
				answers[buckets][name] = o
			}
		}
		for buckets, results := range answers {
			for name, want := range results {
				requireOutcome(t, faithful(t, name, buckets), key, want, "%s of %s in %d buckets", name, v.Name, buckets)
				compared++
			}
		}
	}
	require.Equal(t, 49*13*4, compared)
}

func requireOutcome(t *testing.T, h *Hasher, key Key, want outcome, message string, args ...any) {
	t.Helper()
	hash, err := h.Hash(key)
	if want.Error != "" {
		require.Equal(t, want.Error, errorKind(err), append([]any{message}, args...)...)
		return
	}
	require.NoError(t, err, append([]any{message}, args...)...)
	var raw string
	require.NoError(t, json.Unmarshal(want.Raw, &raw))
	require.Equal(t, raw, hash.String(), append([]any{message}, args...)...)
	index, err := h.Index(key)
	require.NoError(t, err)
	require.Equal(t, want.Index, index, append([]any{message}, args...)...)
}
