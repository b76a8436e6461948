package classic

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"github.com/tinylib/msgp/msgp"
)

//go:generate go tool msgp -file saved.go -o saved_gen.go -tests=false -io=false -unexported

//msgp:tuple savedHead savedResult savedKey
//msgp:limit arrays:65536 maps:16

const (
	savedMagic   = "yomi results"
	savedVersion = 1
)

// What can be wrong with a file of results.
var (
	errNotSaved = errors.New("not a file of results")
	errNesting  = errors.New("a key is nested too deep")
)

// savedHead begins a file of results. The body follows: savedResult values, one behind the other, to the file's end.
type savedHead struct {
	Magic   string
	Version int
	SHA256  []byte // of the body
}

// savedResult is a position and its result.
type savedResult struct {
	Key   savedKey
	Depth int32
	Value int32
	Bound uint8
	Best  uint32
}

// savedKey is a Key.
type savedKey struct {
	Kind  uint8
	Small int64
	Big   string // decimal, of integers beyond int64
	Text  string
	Items []msgp.Raw // savedKey values
}

// maxNesting is how deep the keys in a file may be nested: enough for any position, and too little to exhaust the stack.
const maxNesting = 1000

// Save writes the results to a file. It is written beside its place first, so that there is never half a file.
func (r *Results) Save(path string) error {
	var body []byte
	for key, result := range r.All {
		saved, err := saveKey(key, 0)
		if err != nil {
			return err
		}
		x := savedResult{saved, result.Depth, result.Value, uint8(result.Bound), result.Best}
		if body, err = x.MarshalMsg(body); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(body)
	data, err := (&savedHead{savedMagic, savedVersion, sum[:]}).MarshalMsg(nil)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.partial")
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, body...))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// All calls yield for every position and its result until it returns false: in the order of the buckets, or over a map
// in the order of the keys' texts.
func (r *Results) All(yield func(Key, Result) bool) {
	if r.buckets != nil {
		r.buckets.All(yield)
		return
	}
	texts := make([]string, 0, len(r.whole))
	for text := range r.whole {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	for _, text := range texts {
		if s := r.whole[text]; !yield(s.key, s.result) {
			return
		}
	}
}

// Load replaces the contents by those of a file and sets the counters to zero. After an error the contents are as
// before. A file saved from another kind of table, or from another number of buckets, is read too; a table that is
// smaller then keeps what fits.
func (r *Results) Load(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	list, err := parseSaved(data)
	if err != nil {
		return fmt.Errorf("classic: %s: %w", path, err)
	}
	fresh := NewResults()
	if r.buckets != nil {
		fresh = NewBucketResults(r.buckets.hasher)
	}
	for _, s := range list {
		key, err := s.Key.key(0)
		if err == nil && Bound(s.Bound) > Upper {
			err = fmt.Errorf("bad bound %d", s.Bound)
		}
		if err == nil {
			err = fresh.Store(key, Result{s.Depth, s.Value, Bound(s.Bound), s.Best})
		}
		if err != nil {
			return fmt.Errorf("classic: %s: %w", path, err)
		}
	}
	if fresh.buckets != nil {
		fresh.buckets.counters = Counters{}
	}
	*r = *fresh
	return nil
}

// parseSaved reads a file's bytes.
func parseSaved(data []byte) ([]savedResult, error) {
	var head savedHead
	rest, err := head.UnmarshalMsg(data)
	switch sum := sha256.Sum256(rest); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errNotSaved, err)
	case head.Magic != savedMagic:
		return nil, fmt.Errorf("%w: it begins with %q", errNotSaved, head.Magic)
	case head.Version != savedVersion:
		return nil, fmt.Errorf("version %d is not %d", head.Version, savedVersion)
	case !bytes.Equal(sum[:], head.SHA256):
		return nil, errors.New("the checksum is wrong: the file is damaged")
	}
	var list []savedResult
	for len(rest) > 0 {
		var x savedResult
		if rest, err = x.UnmarshalMsg(rest); err != nil {
			return nil, fmt.Errorf("result %d: %w", len(list)+1, err)
		}
		list = append(list, x)
	}
	return list, nil
}

func saveKey(k Key, depth int) (savedKey, error) {
	if depth > maxNesting {
		return savedKey{}, errNesting
	}
	s := savedKey{Kind: uint8(k.kind), Small: k.num.small, Text: k.text}
	if k.num.big != nil {
		s.Big = k.num.big.String()
	}
	for _, item := range k.items {
		saved, err := saveKey(item, depth+1)
		if err != nil {
			return s, err
		}
		raw, err := saved.MarshalMsg(nil)
		if err != nil {
			return s, err
		}
		s.Items = append(s.Items, raw)
	}
	return s, nil
}

// key returns the Key that was saved.
func (s *savedKey) key(depth int) (Key, error) {
	switch {
	case keyKind(s.Kind) > otherKey:
		return Key{}, fmt.Errorf("a key of unknown kind %d", s.Kind)
	case depth > maxNesting:
		return Key{}, errNesting
	}
	k := Key{kind: keyKind(s.Kind), num: NumOf(s.Small), text: s.Text}
	if s.Big != "" {
		n, ok := new(big.Int).SetString(s.Big, 10)
		if !ok {
			return Key{}, fmt.Errorf("bad integer %q", s.Big)
		}
		k.num = numOfBig(n)
	}
	for _, raw := range s.Items {
		var saved savedKey
		if _, err := saved.UnmarshalMsg(raw); err != nil {
			return Key{}, err
		}
		item, err := saved.key(depth + 1)
		if err != nil {
			return Key{}, err
		}
		k.items = append(k.items, item)
	}
	return k, nil
}
