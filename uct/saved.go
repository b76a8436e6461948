package uct

//go:generate go tool msgp -file saved.go -o saved_gen.go -tests=false -marshal=false -unexported

//msgp:tuple savedTree savedNode savedEdge

// savedTree is the head of a saved tree; its nodes follow as savedNode values.
type savedTree struct {
	Magic       string
	Version     int
	KeyCheck    uint64 // key of the start position: keys of another generator are of no use
	DrawBlack   float32
	MaxMoves    int
	Declaration uint8
	Temperature float64
	Nodes       int
}

// savedNode is a slot's key and node, with edges and statistics in place.
type savedNode struct {
	Hash    uint64
	Turn    uint8
	Moves   uint16
	Stage   uint8
	Visits  uint32
	Sum     float64
	Squares float64
	Value   float32
	Spread  float32
	Proof   int16
	Legal   uint16   // moves
	Last    uint16   // what the policy was told as the move before
	Edges   []uint32 // all of them, or the first ones
	Stats   []savedEdge
}

// savedEdge is an edge's statistics. The child is found by its key.
type savedEdge struct {
	Visits     uint32
	Sum        float32
	Decided    uint32
	DecidedSum float32
	Proof      int16
}
