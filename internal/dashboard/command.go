package dashboard

// Auth gives the token, as the member ?token= of the page's address does.
type Auth struct {
	Token string `json:"token"`
}

// FilterCommand says which events this page's log shows, in the words of yomi tree log --filter, «debug depth 0..1 event select»; "" is
// the course of the search.
type FilterCommand struct {
	Filter string `json:"filter"`
}

// TreeRequest asks for a part of the tree.
type TreeRequest struct {
	ID int `json:"id"`
	// Nodes is the most nodes, 1 to 1000, 0 for 100; Depth, Width and Visits are limits as in yomi tree, 0 for none.
	Nodes  int   `json:"nodes"`
	Depth  int   `json:"depth"`
	Width  int   `json:"width"`
	Visits int64 `json:"visits"`
	// Path leads from the search's root to the node to show as root; it must be in the tree.
	Path []string `json:"path"`
}

// BreakdownRequest asks for a breakdown of a position.
type BreakdownRequest struct {
	ID   int    `json:"id"`
	Kind string `json:"kind"` // see the constants BreakdownOcclusion and following
	// Position is an SFEN, "" for the search's root. Path leads on from there.
	Position string   `json:"position"`
	Path     []string `json:"path"`
	// A and B are the moves of a conflict.
	A string `json:"a"`
	B string `json:"b"`
}

// BreakCommand sets a breakpoint, «move 7g7f»; Breakpoints comes back.
type BreakCommand struct {
	Text string `json:"text"`
}

// UnbreakCommand removes the breakpoint of the number, 0 all.
type UnbreakCommand struct {
	ID int `json:"id"`
}

// The units of steps.
const (
	StepEvent   = "event"
	StepPlayout = "playout" // for alpha-beta a node
)

// StepCommand lets a stopped search go on by Count events, or to the next playout.
type StepCommand struct {
	What  string `json:"what"`
	Count int    `json:"count"` // 0 for 1
}

// ContinueCommand lets a stopped search go on to the next breakpoint.
type ContinueCommand struct{}

// PauseCommand stops the running search at its next move.
type PauseCommand struct{}

// SeekCommand goes to where At events of the trace have happened, or to the end of the Search of the number where that is not 0.
type SeekCommand struct {
	At     int `json:"at"`
	Search int `json:"search"`
}

// NextCommand goes to the next event that the filter shows, "" for the very next.
type NextCommand struct {
	Filter string `json:"filter"`
}

// BackCommand goes back in the same way.
type BackCommand struct {
	Filter string `json:"filter"`
}

// PlayCommand lets the trace go on by itself.
type PlayCommand struct {
	On bool `json:"on"`
	// Speed is a multiple of the time that the search took, 0.001 to 1000, 0 for 1.
	Speed float32 `json:"speed"`
}
