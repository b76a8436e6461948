package shogi

// View is how one side sees the board: turned so that it moves up, and mirrored, if need be, so that its own king stands on
// files 1 to 5. Positions that differ only by side or by left and right look the same, so a net sees each of them once.
// A side without a king is not mirrored.
type View struct {
	side    Color
	squares *[NumSquares]Square
	// directions[d] is the real direction of the viewed direction d.
	directions *[numDirections]Direction
}

// View returns side c's view of the position.
func (p *Position) View(c Color) View {
	t := &views[c&1][0]
	if k := p.kings[c&1]; k != NoSquare && t.squares[k].File() > 5 {
		t = &views[c&1][1]
	}
	return View{side: c, squares: &t.squares, directions: &t.directions}
}

// Side returns whose view it is.
func (v View) Side() Color { return v.side }

// Square returns the square as it is seen. Seeing is its own inverse.
func (v View) Square(s Square) Square { return v.squares[s] }

// Direction returns the real direction of a viewed one. Seeing is its own inverse.
func (v View) Direction(d Direction) Direction { return v.directions[d&7] }

type viewTable struct {
	squares    [NumSquares]Square
	directions [numDirections]Direction
}

// views[c][1] are the mirrored ones.
var views = func() (t [2][2]viewTable) {
	for c := range t {
		for mirror := range t[c] {
			v := &t[c][mirror]
			see := func(s Square) Square {
				if c == int(White) {
					s = s.Flip()
				}
				if mirror == 1 {
					s = NewSquare(10-s.File(), s.Rank())
				}
				return s
			}
			for s := Square(0); s < NumSquares; s++ {
				v.squares[s] = see(s)
			}
			middle := NewSquare(5, 5)
			for d := range Direction(numDirections) {
				v.directions[d] = see(middle).DirectionTo(see(middle.Neighbour(d)))
			}
		}
	}
	return t
}()

// HandSlots is the number of (type, count) pairs that one side's hand can have.
const HandSlots = 38

// handSlotStart is where the slots of a type begin.
var handSlotStart = [NumHandTypes]int{Pawn: 0, Lance: 18, Knight: 22, Silver: 26, Bishop: 30, Rook: 32, Gold: 34}

// HandSlot returns the slot, 0 to HandSlots-1, of the n-th piece (n from 1) of a type in hand. Nets see a hand as the
// slots of all pieces up to the count.
func HandSlot(t PieceType, n int) int { return handSlotStart[t] + n - 1 }
