package classic

import (
	"fmt"
	"strings"
)

// Function is a hash function in three steps. Your own one needs just these methods.
type Function interface {
	// Before returns the state at which a key begins. It is called anew for each nested key.
	Before(key Key) Num
	// Join returns the state after an element, given the state before it and the element's hash.
	Join(state, element Num) Num
	// After finishes the state of the outermost key.
	After(key Key, state Num) Num
}

// integer is what the fast forms of the functions compute with: int64 for integers that are known to be small.
type integer interface{ ~int64 | ~uint32 | ~uint64 }

// builtin is a function of easyAI. Besides the form that is right for all numbers it has faster ones.
type builtin struct {
	name   string
	before int64
	join   func(a, b Num) Num
	after  func(h Num) Num

	small  func(a, b int64) int64 // for |a| <= 2^33 and |b| <= 2^32
	word32 func(a, b uint32) uint32
	word64 func(a, b uint64) uint64
	broken string // why every join raises ValueError
}

func (f *builtin) Before(Key) Num    { return NumOf(f.before) }
func (f *builtin) Join(a, b Num) Num { return f.join(a, b) }
func (f *builtin) String() string    { return f.name }
func (f *builtin) After(_ Key, h Num) Num {
	if f.after == nil {
		return h
	}
	return f.after(h)
}

// FunctionNames returns the names that NewFunction knows: easyAI's eleven functions in the order of its source, the class
// they derive from (Base), and ELF with its mask repaired (ELF_fixed).
func FunctionNames() []string {
	return []string{"Simple", "Xor", "Add", "Rotate", "Bernstein", "ShiftAndAdd", "FNV", "OneAtATime", "JSW", "ELF", "Jenkins", "ELF_fixed", "Base"}
}

// NewFunction returns a function by its name. easyAI's class is the name followed by HashTranspositionTable, except for
// OneAtATimeTranspositionTable and for Base, which is HashTranspositionTable itself.
func NewFunction(name string) (Function, error) {
	switch name {
	case "Simple":
		return &builtin{name: name, join: func(a, b Num) Num { return a.Mul(NumOf(simpleFactor)).Add(b) },
			small: simple[int64], word32: simple[uint32], word64: simple[uint64]}, nil
	case "Xor":
		return &builtin{name: name, join: Num.Xor, small: xor[int64], word32: xor[uint32], word64: xor[uint64]}, nil
	case "Add":
		return &builtin{name: name, join: Num.Add, small: add[int64], word32: add[uint32], word64: add[uint64]}, nil
	case "Rotate":
		return &builtin{name: name, join: func(a, b Num) Num { return a.Shl(4).Xor(a.Shr(28)).Xor(b) },
			small: rotate[int64], word32: rotate[uint32], word64: rotate[uint64]}, nil
	case "Bernstein":
		return &builtin{name: name, join: func(a, b Num) Num { return a.Mul(NumOf(bernsteinFactor)).Add(b) },
			small: bernstein[int64], word32: bernstein[uint32], word64: bernstein[uint64]}, nil
	case "ShiftAndAdd":
		return &builtin{name: name, join: func(a, b Num) Num { return a.Xor(a.Shl(5).Add(a.Shr(2)).Add(b)) },
			small: shiftAndAdd[int64], word32: shiftAndAdd[uint32], word64: shiftAndAdd[uint64]}, nil
	case "FNV":
		return &builtin{name: name, before: fnvStart, join: func(a, b Num) Num { return a.Mul(NumOf(fnvFactor)).Xor(b) },
			small: fnv[int64], word32: fnv[uint32], word64: fnv[uint64]}, nil
	case "OneAtATime":
		return &builtin{name: name, join: joinOneAtATime, after: afterOneAtATime,
			small: oneAtATime[int64], word32: oneAtATime[uint32], word64: oneAtATime[uint64]}, nil
	case "JSW":
		return &builtin{name: name, before: jswStart, join: func(a, b Num) Num { return a.Shl(1).Or(a.Shr(31)).Xor(b) },
			small: jsw[int64], word32: jsw[uint32], word64: jsw[uint64]}, nil
	case "ELF":
		return &builtin{name: name, join: joinELF, broken: "ELF reads its mask from the text 0xF0000000L, which Python 3 refuses"}, nil
	case "ELF_fixed":
		return &builtin{name: name, join: joinELF, small: elf[int64], word32: elf[uint32], word64: elf[uint64]}, nil
	case "Jenkins":
		return jenkins{}, nil
	case "Base":
		return &builtin{name: name, join: Num.Mul, small: mul[int64], word32: mul[uint32], word64: mul[uint64]}, nil
	}
	return nil, fmt.Errorf("classic: unknown function %q; there are %s", name, strings.Join(FunctionNames(), ", "))
}

// Constants of the functions.
const (
	simpleFactor    = 101
	bernsteinFactor = 33
	fnvStart        = 2166136261 // FNV's offset basis and prime for 32 bits
	fnvFactor       = 16777619
	jswStart        = 16777551
	elfMask         = 0xF0000000
)

func simple[T integer](a, b T) T      { return simpleFactor*a + b }
func xor[T integer](a, b T) T         { return a ^ b }
func add[T integer](a, b T) T         { return a + b }
func mul[T integer](a, b T) T         { return a * b }
func rotate[T integer](a, b T) T      { return a<<4 ^ a>>28 ^ b }
func bernstein[T integer](a, b T) T   { return bernsteinFactor*a + b }
func shiftAndAdd[T integer](a, b T) T { return a ^ (a<<5 + a>>2 + b) }
func fnv[T integer](a, b T) T         { return a*fnvFactor ^ b }
func jsw[T integer](a, b T) T         { return (a<<1 | a>>31) ^ b }

func oneAtATime[T integer](a, b T) T {
	a += b
	a += a << 10
	return a ^ a>>6
}

func elf[T integer](a, b T) T {
	a = a<<4 + b
	g := a & elfMask
	a ^= g >> 24
	a &^= g
	return (a<<1 | a>>31) ^ b
}

func joinOneAtATime(a, b Num) Num {
	a = a.Add(b)
	a = a.Add(a.Shl(10))
	return a.Xor(a.Shr(6))
}

func afterOneAtATime(h Num) Num {
	h = h.Add(h.Shl(3))
	h = h.Xor(h.Shr(11))
	return h.Add(h.Shl(15))
}

func joinELF(a, b Num) Num {
	a = a.Shl(4).Add(b)
	g := a.And(NumOf(elfMask))
	a = a.Xor(g.Shr(24)).AndNot(g)
	return a.Shl(1).Or(a.Shr(31)).Xor(b)
}
