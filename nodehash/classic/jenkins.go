package classic

import "math"

// jenkins is easyAI's Jenkins function. It collects the elements of a flat sequence and mixes them twelve at a time. Of a
// last, shorter block it reads only one element, and not always the last one: with fewer than 12 elements the result
// depends on their number and on the last alone. A character is collected as text, and reading it is a TypeError.
type jenkins struct{}

func (jenkins) Before(Key) Num         { return Num{} }
func (jenkins) Join(state, _ Num) Num  { return state }
func (jenkins) After(_ Key, h Num) Num { return h }
func (jenkins) String() string         { return "Jenkins" }

const (
	jenkinsStart = 0x9E3779B9 // the golden ratio in 32 bits
	jenkinsBlock = 12
)

// hash does the whole key at once.
func (jenkins) hash(key Key, bits uint8) (Num, error) {
	switch {
	case key.kind == noneKey || key.kind == otherKey:
		return Num{}, notIterable(key)
	case key.kind == intKey || key.kind == textKey && key.size() <= 1:
		return Num{}, &KeyError{TypeError, key, "Jenkins makes a list of a single element, which is no number"}
	case key.kind == textKey:
		return Num{}, &KeyError{TypeError, key, "Jenkins does not turn characters into numbers"}
	case bits == 0:
		return jenkinsInts(key)
	}
	return jenkinsWords(key, bits)
}

// jenkinsElement returns an element of bytes or of a sequence. In a block of twelve all are read, later only one; collecting
// them fails for nested keys, reading fails for characters.
func jenkinsElement(key Key, i int) (Num, error) {
	if key.kind == bytesKey {
		return NumOf(int64(key.text[i])), nil
	}
	if item := key.items[i]; item.kind != intKey {
		return Num{}, &KeyError{TypeError, item, "Jenkins does not turn characters into numbers"}
	}
	return key.items[i].num, nil
}

// collectable reports the first element of a sequence that Jenkins cannot put into its list.
func collectable(key Key) error {
	for _, item := range key.items {
		switch {
		case item.kind == intKey || item.kind == textKey && item.size() <= 1:
		case item.kind == noneKey || item.kind == otherKey:
			return notIterable(item)
		default:
			return &KeyError{TypeError, item, "Jenkins cannot join the number of a nested key to its list"}
		}
	}
	return nil
}

// tail says which element of the last block is read, where it is added (0, 1, 2 for a, b, c) and its shift. The places
// count from the key's beginning, except for a block of 11: so they are wrong behind a full block.
func tail(length, cur int) (place, variable int, shift uint) {
	switch {
	case length == 11:
		return cur + 10, 2, 24
	case length >= 9:
		return length - 1, 2, uint(length-8) * 8
	case length >= 5:
		return length - 1, 1, uint(length-5) * 8
	}
	return length - 1, 0, uint(length-1) * 8
}

// jenkinsInts computes with integers without bounds, which grow with each block.
func jenkinsInts(key Key) (Num, error) {
	if err := collectable(key); err != nil {
		return Num{}, err
	}
	state := [3]Num{NumOf(jenkinsStart), NumOf(jenkinsStart), {}}
	n, cur := key.size(), 0
	for ; n-cur >= jenkinsBlock; cur += jenkinsBlock {
		for i := range jenkinsBlock {
			e, err := jenkinsElement(key, cur+i)
			if err != nil {
				return Num{}, err
			}
			if i == 0 {
				e = e.Abs()
			}
			state[i/4] = state[i/4].Add(e.Shl(uint(i%4) * 8))
		}
		mixNums(&state)
	}
	state[2] = state[2].Add(NumOf(int64(n)))
	if n > cur {
		place, variable, shift := tail(n-cur, cur)
		e, err := jenkinsElement(key, place)
		if err != nil {
			return Num{}, err
		}
		state[variable] = state[variable].Add(e.Shl(shift))
	}
	mixNums(&state)
	return state[2], nil
}

// mixNums does the nine steps of mixing: each takes the two other variables from one, then xors one of them in, shifted
// (to the left where negative).
func mixNums(s *[3]Num) {
	for i, shift := range [9]int{13, -8, 13, 12, -16, 5, 3, -10, 15} {
		x, y, z := &s[i%3], s[(i+1)%3], s[(i+2)%3]
		moved := z
		if shift > 0 {
			moved = z.Shr(uint(shift))
		} else {
			moved = z.Shl(uint(-shift))
		}
		*x = x.Sub(y).Sub(z).Xor(moved)
	}
}

// jenkinsWords computes in a machine word.
func jenkinsWords(key Key, bits uint8) (Num, error) {
	if err := collectable(key); err != nil {
		return Num{}, err
	}
	mask := uint64(math.MaxUint64) >> (64 - bits)
	state := [3]uint64{jenkinsStart, jenkinsStart, 0}
	n, cur := key.size(), 0
	for ; n-cur >= jenkinsBlock; cur += jenkinsBlock {
		for i := range jenkinsBlock {
			e, err := jenkinsElement(key, cur+i)
			if err != nil {
				return Num{}, err
			}
			state[i/4] += e.Uint64() << (uint(i%4) * 8)
		}
		mixWords(&state, mask)
	}
	state[2] += uint64(n)
	if n > cur {
		place, variable, shift := tail(n-cur, cur)
		e, err := jenkinsElement(key, place)
		if err != nil {
			return Num{}, err
		}
		state[variable] += e.Uint64() << shift
	}
	mixWords(&state, mask)
	return wordOf(state[2], bits), nil
}

// mixWords is mixNums for words.
func mixWords(s *[3]uint64, mask uint64) {
	a, b, c := s[0]&mask, s[1]&mask, s[2]&mask
	a = (a - b - c ^ c>>13) & mask
	b = (b - c - a ^ a<<8) & mask
	c = (c - a - b ^ b>>13) & mask
	a = (a - b - c ^ c>>12) & mask
	b = (b - c - a ^ a<<16) & mask
	c = (c - a - b ^ b>>5) & mask
	a = (a - b - c ^ c>>3) & mask
	b = (b - c - a ^ a<<10) & mask
	c = (c - a - b ^ b>>15) & mask
	*s = [3]uint64{a, b, c}
}
