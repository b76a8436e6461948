package classic

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// twin computes easyAI's hash with math/big alone, after its Python source. It returns the kind of error instead of an
// error.
type twin struct {
	name   string
	modulo *big.Int
}

func n(x int64) *big.Int                   { return big.NewInt(x) }
func plus(a, b *big.Int) *big.Int          { return new(big.Int).Add(a, b) }
func minus(a, b *big.Int) *big.Int         { return new(big.Int).Sub(a, b) }
func times(a, b *big.Int) *big.Int         { return new(big.Int).Mul(a, b) }
func exclusive(a, b *big.Int) *big.Int     { return new(big.Int).Xor(a, b) }
func either(a, b *big.Int) *big.Int        { return new(big.Int).Or(a, b) }
func left(a *big.Int, bits uint) *big.Int  { return new(big.Int).Lsh(a, bits) }
func right(a *big.Int, bits uint) *big.Int { return new(big.Int).Rsh(a, bits) }

func (w twin) before() *big.Int {
	switch w.name {
	case "FNV":
		return n(2166136261)
	case "JSW":
		return n(16777551)
	}
	return n(0)
}

func (w twin) join(a, b *big.Int) (*big.Int, string) {
	switch w.name {
	case "Simple":
		return plus(times(n(101), a), b), ""
	case "Xor":
		return exclusive(a, b), ""
	case "Add":
		return plus(a, b), ""
	case "Rotate":
		return exclusive(exclusive(left(a, 4), right(a, 28)), b), ""
	case "Bernstein":
		return plus(times(n(33), a), b), ""
	case "ShiftAndAdd":
		return exclusive(a, plus(plus(left(a, 5), right(a, 2)), b)), ""
	case "FNV":
		return exclusive(times(a, n(16777619)), b), ""
	case "OneAtATime":
		a = plus(a, b)
		a = plus(a, left(a, 10))
		return exclusive(a, right(a, 6)), ""
	case "JSW":
		return exclusive(either(left(a, 1), right(a, 31)), b), ""
	case "ELF_fixed":
		a = plus(left(a, 4), b)
		g := new(big.Int).And(a, n(0xF0000000))
		if g.Sign() != 0 {
			a = exclusive(a, right(g, 24))
		}
		a = a.And(a, new(big.Int).Not(g))
		return exclusive(either(left(a, 1), right(a, 31)), b), ""
	case "Base":
		return times(a, b), ""
	}
	return nil, ValueError // ELF
}

func (w twin) hash(k Key, depth int) (*big.Int, string) {
	h := w.before()
	parts, single, ok := elements(k)
	if !ok {
		return nil, TypeError
	}
	if single != nil {
		return single, ""
	}
	for _, part := range parts {
		e, kind := w.hash(part, depth+1)
		if kind != "" {
			return nil, kind
		}
		if h, kind = w.join(h, e); kind != "" {
			return nil, kind
		}
		h.Mod(h, w.modulo)
	}
	if depth == 0 && w.name == "OneAtATime" {
		h = plus(h, left(h, 3))
		h = exclusive(h, right(h, 11))
		h = plus(h, left(h, 15))
	}
	return h, ""
}

// elements returns the number that a key stands for, or its parts.
func elements(k Key) (parts []Key, single *big.Int, ok bool) {
	switch k.kind {
	case intKey:
		return nil, k.num.Big(), true
	case textKey:
		runes := []rune(k.text)
		if len(runes) == 0 {
			return nil, nil, false
		}
		if len(runes) == 1 {
			return nil, n(int64(runes[0])), true
		}
		for _, r := range runes {
			parts = append(parts, Int(int64(r)))
		}
		return parts, nil, true
	case bytesKey:
		for _, b := range []byte(k.text) {
			parts = append(parts, Int(int64(b)))
		}
		return parts, nil, true
	}
	return k.items, nil, k.kind == seqKey
}

// jenkinsTwin follows the Python source line by line. Characters in its list are nil.
func jenkinsTwin(k Key) (hash *big.Int, kind string) {
	var tab []*big.Int
	if k.kind != seqKey && k.kind != bytesKey {
		return nil, TypeError
	}
	parts, _, _ := elements(k)
	for _, part := range parts {
		switch {
		case part.kind == intKey:
			tab = append(tab, part.num.Big())
		case part.kind == textKey && len([]rune(part.text)) <= 1:
			tab = append(tab, nil)
		default:
			return nil, TypeError
		}
	}
	a, b, c := n(0x9E3779B9), n(0x9E3779B9), n(0)
	cur := 0
	for ; len(tab)-cur >= 12; cur += 12 {
		if slices.Contains(tab[cur:cur+12], nil) {
			return nil, TypeError
		}
		sum := func(x *big.Int, at int) *big.Int {
			return plus(plus(x, left(tab[at+1], 8)), plus(left(tab[at+2], 16), left(tab[at+3], 24)))
		}
		a = plus(a, sum(new(big.Int).Abs(tab[cur]), cur))
		b = plus(b, sum(tab[cur+4], cur+4))
		c = plus(c, sum(tab[cur+8], cur+8))
		a, b, c = mixTwin(a, b, c)
	}
	c = plus(c, n(int64(len(tab))))
	add := func(x *big.Int, place int, bits uint) *big.Int {
		if tab[place] == nil {
			kind = TypeError
			return x
		}
		return plus(x, left(tab[place], bits))
	}
	switch len(tab) - cur {
	case 11:
		c = add(c, cur+10, 24)
	case 10:
		c = add(c, 9, 16)
	case 9:
		c = add(c, 8, 8)
	case 8:
		b = add(b, 7, 24)
	case 7:
		b = add(b, 6, 16)
	case 6:
		b = add(b, 5, 8)
	case 5:
		b = add(b, 4, 0)
	case 4:
		a = add(a, 3, 24)
	case 3:
		a = add(a, 2, 16)
	case 2:
		a = add(a, 1, 8)
	case 1:
		a = add(a, 0, 0)
	}
	_, _, c = mixTwin(a, b, c)
	return c, kind
}

func mixTwin(a, b, c *big.Int) (*big.Int, *big.Int, *big.Int) {
	a = exclusive(minus(minus(a, b), c), right(c, 13))
	b = exclusive(minus(minus(b, c), a), left(a, 8))
	c = exclusive(minus(minus(c, a), b), right(b, 13))
	a = exclusive(minus(minus(a, b), c), right(c, 12))
	b = exclusive(minus(minus(b, c), a), left(a, 16))
	c = exclusive(minus(minus(c, a), b), right(b, 5))
	a = exclusive(minus(minus(a, b), c), right(c, 3))
	b = exclusive(minus(minus(b, c), a), left(a, 10))
	c = exclusive(minus(minus(c, a), b), right(b, 15))
	return a, b, c
}

// keyReader makes keys out of bytes.
type keyReader struct{ data []byte }

func (r *keyReader) next() byte {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *keyReader) take(count int) []byte {
	count = min(count, len(r.data))
	taken := r.data[:count]
	r.data = r.data[count:]
	return taken
}

func (r *keyReader) key(depth int) Key {
	switch b := r.next(); {
	case b < 64:
		return Int(int64(int8(r.next())))
	case b < 96:
		var eight [8]byte
		copy(eight[:], r.take(8))
		return Int(int64(binary.LittleEndian.Uint64(eight[:])))
	case b < 112:
		x := new(big.Int).SetBytes(r.take(int(r.next() % 24)))
		if b&1 == 1 {
			x.Neg(x)
		}
		return BigInt(x)
	case b < 136:
		return Text(string(r.take(int(b % 6))))
	case b < 160:
		return Bytes(r.take(int(r.next() % 32)))
	case b < 162:
		return Key{}
	case b < 164:
		return Other("float")
	case depth > 6:
		return Int(int64(b))
	}
	items := []Key{}
	for range r.next() % 30 {
		if len(r.data) == 0 {
			break
		}
		items = append(items, r.key(depth+1))
	}
	return Seq(items...)
}

// plain is a function as a user would write it: the built-in one without its fast forms.
type plain struct{ Function }

// FuzzFaithful compares the hasher with the twin, for the built-in functions and for their three methods alone.
func FuzzFaithful(f *testing.F) {
	f.Add(uint8(0), uint32(1024), []byte{200, 3, 1, 5, 130, 'r', 'o', 'w', 2, 8})
	f.Add(uint8(6), uint32(1000), []byte{150, 4, 1, 2, 3, 4})
	f.Add(uint8(10), uint32(31), []byte{255, 12, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 255})
	f.Add(uint8(7), uint32(1<<31-1), []byte{100, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Fuzz(func(t *testing.T, function uint8, buckets uint32, data []byte) {
		name := FunctionNames()[int(function)%len(FunctionNames())]
		modulo := int(buckets%MaxBuckets) + 1
		key := (&keyReader{data}).key(0)
		want, kind := jenkinsTwin(key)
		if name != "Jenkins" {
			want, kind = twin{name, n(int64(modulo))}.hash(key, 0)
		}
		hashers := []*Hasher{faithful(t, name, modulo)}
		if name != "Jenkins" && name != "ELF" {
			own, err := NewFaithful(plain{hashers[0].function}, modulo)
			require.NoError(t, err)
			hashers = append(hashers, own)
		}
		for _, h := range hashers {
			got, err := h.Hash(key)
			require.Equal(t, kind, errorKind(err), "%s of %v mod %d: %v", name, key, modulo, err)
			if kind != "" {
				continue
			}
			require.Equal(t, want.String(), got.String(), "%s of %v mod %d", name, key, modulo)
			index, err := h.Index(key)
			require.NoError(t, err)
			require.EqualValues(t, new(big.Int).Mod(want, n(int64(modulo))).Int64(), index)
		}
	})
}

// FuzzWide compares the fast forms with the functions' methods on words, and Jenkins on words with integers cut to words
// after each operation.
func FuzzWide(f *testing.F) {
	f.Add(uint8(0), true, []byte{200, 3, 1, 5, 130, 'r', 'o', 'w', 2, 8})
	f.Add(uint8(11), false, []byte{150, 8, 1, 2, 3, 255, 255, 255})
	f.Add(uint8(10), true, []byte{150, 30, 1, 2, 3, 255, 255, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, function uint8, wide bool, data []byte) {
		name := FunctionNames()[int(function)%len(FunctionNames())]
		bits := 32
		if wide {
			bits = 64
		}
		key := (&keyReader{data}).key(0)
		if name == "Jenkins" && key.size() == 0 {
			return // there is no word in it that would make what is computed words
		}
		fn, err := NewFunction(name)
		require.NoError(t, err)
		h, err := NewWide(fn, bits, 1<<20)
		require.NoError(t, err)
		got, err := h.Hash(key)
		if name == "ELF" {
			_, kind := twin{name, n(1)}.hash(key, 0)
			require.Equal(t, kind, errorKind(err))
			return
		}
		var want Num
		var wantErr error
		if name == "Jenkins" {
			if key.kind != seqKey && key.kind != bytesKey {
				require.Equal(t, TypeError, errorKind(err))
				return
			}
			want, wantErr = jenkinsInts(key.words(uint8(bits)))
		} else {
			slow, err := NewWide(plain{fn}, bits, 1<<20)
			require.NoError(t, err)
			want, wantErr = slow.Hash(key)
		}
		require.Equal(t, errorKind(wantErr), errorKind(err), "%s of %v", name, key)
		if err == nil {
			require.Equal(t, want.String(), got.String(), "%s of %v in %d bits", name, key, bits)
		}
	})
}

// words returns the key with its integers and bytes as machine words, so that what is computed from them are words too.
func (k Key) words(bits uint8) Key {
	if k.kind == bytesKey {
		parts, _, _ := elements(k)
		k = Seq(parts...)
	}
	if k.kind == intKey {
		k.num = k.num.word(bits)
	}
	items := slices.Clone(k.items)
	for i := range items {
		items[i] = items[i].words(bits)
	}
	k.items = items
	return k
}

// TestNum compares the operations with math/big around the limits of int64 and of words.
func TestNum(t *testing.T) {
	var values []*big.Int
	for _, text := range []string{"0", "1", "-1", "101", "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296",
		"9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "123456789012345678901234567890", "-98765432109876543210"} {
		v, ok := new(big.Int).SetString(text, 10)
		require.True(t, ok)
		values = append(values, v)
	}
	cut := func(x *big.Int, bits uint) string {
		return new(big.Int).Mod(x, left(n(1), bits)).String()
	}
	for _, x := range values {
		for _, y := range values {
			a, b := numOfBig(x), numOfBig(y)
			for name, r := range map[string]struct {
				op   func(a, b Num) Num
				want *big.Int
			}{
				"+": {Num.Add, plus(x, y)}, "-": {Num.Sub, minus(x, y)}, "*": {Num.Mul, times(x, y)}, "^": {Num.Xor, exclusive(x, y)},
				"&": {Num.And, new(big.Int).And(x, y)}, "|": {Num.Or, either(x, y)}, "&^": {Num.AndNot, new(big.Int).AndNot(x, y)},
				"<<":  {func(a, _ Num) Num { return a.Shl(13) }, left(x, 13)},
				"abs": {func(a, b Num) Num { return a.Abs().Add(b) }, plus(new(big.Int).Abs(x), y)},
			} {
				message := fmt.Sprintf("%v %s %v", x, name, y)
				require.Equal(t, r.want.String(), r.op(a, b).String(), message)
				if name != "abs" { // a word has no sign
					require.Equal(t, cut(r.want, 32), r.op(a.word(32), b).String(), message)
					require.Equal(t, cut(r.want, 64), r.op(a.word(64), b).String(), message)
				}
			}
			require.Equal(t, right(x, 7).String(), a.Shr(7).String())
			require.Equal(t, new(big.Int).Mod(x, n(1000)).String(), a.Mod(1000).String())
			require.Equal(t, new(big.Int).Mod(x, n(1024)).String(), a.Mod(1024).String())
		}
	}
}
