package classic

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// tables returns an empty table of each kind.
func tables(t *testing.T, buckets int) map[string]*Results {
	return map[string]*Results{"map": NewResults(), "buckets": NewBucketResults(faithful(t, "FNV", buckets))}
}

// someKeys are keys of every kind that can be hashed.
func someKeys() []Key {
	large, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	return []Key{Int(0), Int(-1), BigInt(large), Text("駒"), Text("1"), Bytes([]byte("1")), Seq(), Seq(Int(1)), Seq(Seq(Int(1))),
		Seq(Int(1), Int(2), Text("row")), Text("\xff\xfe"), Text("a, b")}
}

func TestKeysHaveDifferentTexts(t *testing.T) {
	keys := someKeys()
	for i, a := range keys {
		for k, b := range keys {
			require.Equal(t, i == k, a.Equal(b), "%v, %v", a, b)
			require.Equal(t, i == k, a.String() == b.String(), "%v, %v", a, b)
		}
	}
	require.Equal(t, `(1, 2, "row")`, Seq(Int(1), Int(2), Text("row")).String())
	require.Equal(t, "None", Key{}.String())
	require.True(t, Other("float 1.5").Equal(Other("float 1.5")))
	require.False(t, Other("float 1.5").Equal(Other("bool true")))
}

func TestResultsSaveAndLoad(t *testing.T) {
	for name, table := range tables(t, 1<<16) {
		for i, key := range someKeys() {
			require.NoError(t, table.Store(key, Result{Depth: int32(i), Value: int32(-i), Bound: Bound(i % 3), Best: uint32(i)}))
		}
		path := filepath.Join(t.TempDir(), "results")
		require.NoError(t, table.Save(path))
		for other, loaded := range tables(t, 1<<16) {
			require.NoError(t, loaded.Store(Int(99), Result{}))
			require.NoError(t, loaded.Load(path), "%s into %s", name, other)
			require.Equal(t, len(someKeys()), loaded.Len())
			require.Equal(t, Counters{}, loaded.Counters())
			for i, key := range someKeys() {
				got, ok, err := loaded.Lookup(key)
				require.NoError(t, err)
				require.True(t, ok, "%v", key)
				require.Equal(t, Result{int32(i), int32(-i), Bound(i % 3), uint32(i)}, got)
			}
			_, ok, err := loaded.Lookup(Int(99))
			require.NoError(t, err)
			require.False(t, ok, "loading replaces the contents")
		}
		files, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, files, 1, "nothing else is left behind")
	}
}

// TestLoadRefuses: any changed or missing byte is noticed, and the table stays as it was.
func TestLoadRefuses(t *testing.T) {
	table := NewResults()
	require.NoError(t, table.Store(Seq(Int(1), Text("x")), Result{Depth: 3, Bound: Lower}))
	path := filepath.Join(t.TempDir(), "results")
	require.NoError(t, table.Save(path))
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	refuse := func(data []byte, message string, args ...any) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		err := table.Load(path)
		require.ErrorContains(t, err, path, append([]any{message}, args...)...)
		require.Equal(t, 1, table.Len())
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0x41
		refuse(bad, "byte %d changed", i)
		refuse(good[:i], "cut at %d", i)
	}
	refuse(append(good, 0), "one byte more")
	require.ErrorIs(t, table.Load(path+".absent"), os.ErrNotExist)
	require.Error(t, table.Save(filepath.Join(path, "no folder")))

	require.NoError(t, os.WriteFile(path, good, 0o600))
	elf := NewBucketResults(faithful(t, "ELF", 32))
	require.Equal(t, ValueError, errorKind(elf.Load(path)))
	require.Zero(t, elf.Len())
}

func TestSaveRefusesDeepKeys(t *testing.T) {
	key := Int(1)
	for range maxNesting + 2 {
		key = Seq(key)
	}
	table := NewResults()
	require.NoError(t, table.Store(key, Result{}))
	require.ErrorIs(t, table.Save(filepath.Join(t.TempDir(), "deep")), errNesting)
}

func TestUsable(t *testing.T) {
	for _, tc := range []struct {
		result Result
		depth  int32
		want   bool
	}{
		{Result{Depth: 3, Value: 7, Bound: Exact}, 3, true},
		{Result{Depth: 3, Value: 7, Bound: Exact}, 4, false},
		{Result{Depth: 3, Value: 20, Bound: Lower}, 3, true},
		{Result{Depth: 3, Value: 7, Bound: Lower}, 3, false},
		{Result{Depth: 3, Value: 20, Bound: Upper}, 3, false},
		{Result{Depth: 3, Value: 0, Bound: Upper}, 3, true},
		{Result{Depth: 3, Value: 7, Bound: Upper}, 3, false},
	} {
		value, ok := tc.result.Usable(tc.depth, 0, 20)
		require.Equal(t, tc.want, ok, "%+v", tc.result)
		if ok {
			require.Equal(t, tc.result.Value, value)
		}
	}
	require.Equal(t, "EXACT LOWER UPPER Bound(7)", Exact.String()+" "+Lower.String()+" "+Upper.String()+" "+Bound(7).String())
}

// FuzzLoad reads any bytes as a file's body.
func FuzzLoad(f *testing.F) {
	key, err := saveKey(Seq(Int(1), Text("x"), Seq()), 0)
	require.NoError(f, err)
	x := savedResult{Key: key, Depth: 2, Bound: 1}
	seed, err := x.MarshalMsg(nil)
	require.NoError(f, err)
	f.Add(seed)
	f.Fuzz(func(t *testing.T, body []byte) {
		if list, err := parseSaved(body); err != nil {
			require.Nil(t, list)
		}
		var x savedResult
		if _, err := x.UnmarshalMsg(body); err != nil {
			return
		}
		key, err := x.Key.key(0)
		if err != nil {
			return
		}
		again, err := saveKey(key, 0)
		require.NoError(t, err)
		same, err := again.key(0)
		require.NoError(t, err)
		require.True(t, key.Equal(same), "%v, %v", key, same)
	})
}
