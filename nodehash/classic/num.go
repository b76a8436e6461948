package classic

import (
	"math"
	"math/big"
)

// Num is what functions compute with: an integer without bounds, as in Python, or an unsigned machine word of 32 or 64
// bits that wraps, as in C. A Function is written once for both. An operation between the two kinds gives a word.
// Shifts to the right keep the sign of integers and fill words with zeros. The zero value is the integer 0.
type Num struct {
	small int64    // the value if big is nil; a word's bits
	big   *big.Int // the value of an integer beyond int64, never changed
	bits  uint8    // 0 for an integer, 32 or 64 for a word
}

// NumOf returns an integer.
func NumOf(n int64) Num { return Num{small: n} }

// numOfBig returns an integer. The argument must not be changed afterwards.
func numOfBig(n *big.Int) Num {
	if n.IsInt64() {
		return Num{small: n.Int64()}
	}
	return Num{big: n}
}

// word returns a number cut to a word of so many bits, negative ones in two's complement.
func (a Num) word(bits uint8) Num { return wordOf(a.Uint64(), bits) }

func wordOf(n uint64, bits uint8) Num {
	if bits == 32 {
		n &= math.MaxUint32
	}
	return Num{small: int64(n), bits: bits}
}

// Uint64 returns the low 64 bits, of negative integers in two's complement.
func (a Num) Uint64() uint64 {
	if a.big == nil {
		return uint64(a.small)
	}
	mask := new(big.Int).SetUint64(math.MaxUint64)
	return mask.And(mask, a.big).Uint64()
}

// Big returns the value.
func (a Num) Big() *big.Int {
	switch {
	case a.big != nil:
		return new(big.Int).Set(a.big)
	case a.bits != 0:
		return new(big.Int).SetUint64(uint64(a.small))
	}
	return big.NewInt(a.small)
}

// String returns the value in decimal.
func (a Num) String() string { return a.Big().String() }

// bothSmall says that two integers fit int64.
func bothSmall(a, b Num) bool { return a.big == nil && b.big == nil }

// Add returns a + b.
func (a Num) Add(b Num) Num {
	if bits := a.bits | b.bits; bits != 0 {
		return wordOf(a.Uint64()+b.Uint64(), bits)
	}
	if s := a.small + b.small; bothSmall(a, b) && (s > a.small) == (b.small > 0) {
		return Num{small: s}
	}
	return numOfBig(new(big.Int).Add(a.Big(), b.Big()))
}

// Sub returns a - b.
func (a Num) Sub(b Num) Num {
	if bits := a.bits | b.bits; bits != 0 {
		return wordOf(a.Uint64()-b.Uint64(), bits)
	}
	if s := a.small - b.small; bothSmall(a, b) && (s < a.small) == (b.small > 0) {
		return Num{small: s}
	}
	return numOfBig(new(big.Int).Sub(a.Big(), b.Big()))
}

// Mul returns a · b.
func (a Num) Mul(b Num) Num {
	if bits := a.bits | b.bits; bits != 0 {
		return wordOf(a.Uint64()*b.Uint64(), bits)
	}
	const safe = 1 << 31
	if bothSmall(a, b) && a.small > -safe && a.small < safe && b.small > -safe && b.small < safe {
		return Num{small: a.small * b.small}
	}
	return numOfBig(new(big.Int).Mul(a.Big(), b.Big()))
}

// Xor returns a ^ b. Integers are in two's complement with endless sign bits.
func (a Num) Xor(b Num) Num {
	return a.bitwise(b, func(x, y uint64) uint64 { return x ^ y }, (*big.Int).Xor)
}

// And returns a & b.
func (a Num) And(b Num) Num {
	return a.bitwise(b, func(x, y uint64) uint64 { return x & y }, (*big.Int).And)
}

// Or returns a | b.
func (a Num) Or(b Num) Num {
	return a.bitwise(b, func(x, y uint64) uint64 { return x | y }, (*big.Int).Or)
}

// AndNot returns a &^ b.
func (a Num) AndNot(b Num) Num {
	return a.bitwise(b, func(x, y uint64) uint64 { return x &^ y }, (*big.Int).AndNot)
}

func (a Num) bitwise(b Num, words func(x, y uint64) uint64, bigs func(z, x, y *big.Int) *big.Int) Num {
	if bits := a.bits | b.bits; bits != 0 {
		return wordOf(words(a.Uint64(), b.Uint64()), bits)
	}
	if bothSmall(a, b) {
		return Num{small: int64(words(uint64(a.small), uint64(b.small)))}
	}
	return numOfBig(bigs(new(big.Int), a.Big(), b.Big()))
}

// Shl returns a << n.
func (a Num) Shl(n uint) Num {
	if a.bits != 0 {
		return wordOf(uint64(a.small)<<n, a.bits)
	}
	if s := a.small << n; a.big == nil && s>>n == a.small {
		return Num{small: s}
	}
	return numOfBig(new(big.Int).Lsh(a.Big(), n))
}

// Shr returns a >> n.
func (a Num) Shr(n uint) Num {
	switch {
	case a.bits != 0:
		return wordOf(uint64(a.small)>>n, a.bits)
	case a.big == nil:
		return Num{small: a.small >> n}
	}
	return numOfBig(new(big.Int).Rsh(a.big, n))
}

// Abs returns the absolute value; a word has no sign.
func (a Num) Abs() Num {
	if a.bits != 0 || a.big == nil && a.small >= 0 {
		return a
	}
	return numOfBig(new(big.Int).Abs(a.Big()))
}

// Mod returns the remainder from 0 to m-1, for m from 1 on (floored, as Python's %).
func (a Num) Mod(m int64) Num {
	switch {
	case a.bits != 0:
		return Num{small: int64(uint64(a.small) % uint64(m)), bits: a.bits}
	case a.big == nil:
		return Num{small: floorMod(a.small, m)}
	}
	divisor := big.NewInt(m)
	return numOfBig(divisor.Mod(a.big, divisor)) // Euclidean, which is floored for a positive divisor
}

func floorMod(n, m int64) int64 {
	if m&(m-1) == 0 {
		return n & (m - 1)
	}
	n %= m
	if n < 0 {
		n += m
	}
	return n
}
