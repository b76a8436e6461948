package dashboard

// The messages about what a page looks at more closely: the node table, the log, the tree, stops, traces and breakdowns. See message.go.

// Hash describes the node table.
type Hash struct {
	Type string `json:"type"`
	Cap  int    `json:"cap"`
	Used int    `json:"used"`
	// Deleted are slots that are free but still passed over.
	Deleted int     `json:"deleted,omitempty"`
	Load    float32 `json:"load"`
	// ProbeLengths[n] is the number of nodes that are found by looking at n slots, PlyFill[i] that of move number FirstPly+i.
	ProbeLengths []int   `json:"probeLengths"`
	MeanProbe    float32 `json:"meanProbe"`
	LongestRun   int     `json:"longestRun"`
	FirstPly     int     `json:"firstPly"`
	// Resting says that the table is too large to be looked at while a search runs: then these figures are those from before it.
	Resting bool  `json:"resting,omitempty"`
	PlyFill []int `json:"plyFill"`
}

// Log has lines of the log that the page's filter shows.
type Log struct {
	Type  string    `json:"type"`
	Lines []LogLine `json:"lines"`
	// Dropped is the number of events that matched but came too fast.
	Dropped int64 `json:"dropped,omitempty"`
}

// LogLine is an event.
type LogLine struct {
	Time   int64  `json:"time"` // milliseconds since 1970
	Search int    `json:"search"`
	Level  string `json:"level"` // "info" or "debug"
	Kind   string `json:"kind"`  // event name
	Ply    int    `json:"ply"`
	Move   string `json:"move,omitempty"`
	Text   string `json:"text"`
}

// Tree is a part of the tree.
type Tree struct {
	Type string `json:"type"`
	// ID is that of the request.
	ID     int    `json:"id"`
	Engine string `json:"engine"`
	Search int    `json:"search"`
	// Path leads from the search's root to the node that is shown as root; Nodes[0].
	Path []string `json:"path,omitempty"`
	// Root is that node's position, an SFEN.
	Root  string     `json:"root"`
	Nodes []TreeNode `json:"nodes"`
	// Principal are the indices of the principal variation's nodes.
	Principal []int `json:"principal,omitempty"`
}

// TreeNode is a position. Several edges may lead to it.
type TreeNode struct {
	Ply  int    `json:"ply"`            // from the search's root
	Node string `json:"node,omitempty"` // MAX, MIN, LEAF or TERMINAL
	N    int64  `json:"n"`
	// Q, V and scores are for the side to move at the search's root here too. V is what the evaluator said, null where that is not known.
	Q     float32  `json:"q"`
	V     *float32 `json:"v,omitempty"`
	Proof int      `json:"proof,omitempty"` // for the side to move at the node
	// Score, Alpha and Beta are set for alpha-beta; Scored is false for a node that was broken off.
	Score  int  `json:"score,omitempty"`
	Alpha  int  `json:"alpha,omitempty"`
	Beta   int  `json:"beta,omitempty"`
	Scored bool `json:"scored,omitempty"`
	Depth  int  `json:"depth,omitempty"`
	Table  bool `json:"table,omitempty"` // the table knew the score
	// Skipped is what alpha-beta pruned here; More moves with MoreN visits are left out.
	Skipped int64      `json:"skipped,omitempty"`
	More    int        `json:"more,omitempty"`
	MoreN   int64      `json:"moreN,omitempty"`
	Edges   []TreeEdge `json:"edges,omitempty"` // the principal variation's first
}

// TreeEdge is a move.
type TreeEdge struct {
	Move string  `json:"move"`
	To   int     `json:"to"` // index of the node, -1 for one that is left out
	N    int64   `json:"n"`
	P    float32 `json:"p,omitempty"`
	Q    float32 `json:"q"` // for the side to move at the search's root
}

// Breakpoints is the list of all.
type Breakpoints struct {
	Type string       `json:"type"`
	List []Breakpoint `json:"list"`
	// Help says what a breakpoint may be.
	Help string `json:"help,omitempty"`
}

// Breakpoint is one.
type Breakpoint struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

// Stopped says that the search is held up, or that it goes on.
type Stopped struct {
	Type string `json:"type"`
	// Stopped is false when the search goes on; then nothing else is set.
	Stopped bool `json:"stopped"`
	// Breakpoint is the one that was hit, 0 for a step or a pause.
	Breakpoint int    `json:"breakpoint,omitempty"`
	Search     int    `json:"search,omitempty"`
	Kind       string `json:"kind,omitempty"` // of the event
	Text       string `json:"text,omitempty"` // the event as the log has it
	Worker     int    `json:"worker,omitempty"`
	Playout    int64  `json:"playout,omitempty"`
	Ply        int    `json:"ply,omitempty"`
	// Root is the search's position, Path the moves to the node, Position the node's.
	Root     string   `json:"root,omitempty"`
	Path     []string `json:"path,omitempty"`
	Position string   `json:"position,omitempty"`
	Key      string   `json:"key,omitempty"`
	Move     string   `json:"move,omitempty"`
	// Window is set for alpha-beta. Figures are for the side to move at the node here.
	Window  *Window `json:"window,omitempty"`
	Visits  int64   `json:"visits,omitempty"`
	WinRate float32 `json:"winRate,omitempty"`
	Value   float32 `json:"value,omitempty"`
	Scale   float32 `json:"scale,omitempty"`
	Loss    float32 `json:"loss,omitempty"`
	// Candidates are those of a selection.
	Candidates []StoppedCandidate `json:"candidates,omitempty"`
}

// Window is alpha-beta's at a node, for its side to move.
type Window struct {
	Alpha int `json:"alpha"`
	Beta  int `json:"beta"`
	Depth int `json:"depth"`
	Score int `json:"score"`
}

// StoppedCandidate is a move of a selection with its formula Q + U. Figures are for the side to move at the node.
type StoppedCandidate struct {
	Move   string  `json:"move"`
	N      int     `json:"n"`
	Flying int     `json:"flying,omitempty"`
	P      float32 `json:"p"`
	Q      float32 `json:"q"`
	U      float32 `json:"u"`
	Proof  int     `json:"proof,omitempty"`
	Fresh  bool    `json:"fresh,omitempty"` // without visits, Q is assumed
	Chosen bool    `json:"chosen,omitempty"`
}

// Place is the place in a trace. Game, Search, Stopped (as the event there) and Curves come with it where they have changed.
type Place struct {
	Type string `json:"type"`
	// At is how many of Records events have happened.
	At      int `json:"at"`
	Records int `json:"records"`
	// Search is the number of the search there; Searches are all.
	Search   int           `json:"search"`
	Searches []TraceSearch `json:"searches,omitempty"` // only in the first message
	// Time is that of the last event, milliseconds since 1970, Text the event.
	Time int64  `json:"time,omitempty"`
	Text string `json:"text,omitempty"`
	// Playing says that it goes on by itself; Cut that the file's end is missing.
	Playing bool `json:"playing,omitempty"`
	Cut     bool `json:"cut,omitempty"`
}

// TraceSearch is a search in a trace: the records From (its start) to To (behind its last one).
type TraceSearch struct {
	Number int    `json:"number"`
	From   int    `json:"from"`
	To     int    `json:"to"`
	Engine string `json:"engine"`
	Ply    int    `json:"ply"` // move number of the position
	Best   string `json:"best,omitempty"`
}

// Failure says what was wrong with a command.
type Failure struct {
	Type string `json:"type"`
	// Command is the type of the command, "" where that could not be read; ID that of the request.
	Command string `json:"command,omitempty"`
	ID      int    `json:"id,omitempty"`
	Text    string `json:"text"`
}

// The kinds of breakdowns.
const (
	BreakdownOcclusion = "occlusion" // value net: what the win rate is without each piece
	BreakdownPolicy    = "policy"    // policy: what each move's share comes from
	BreakdownFeatures  = "features"  // alpha-beta: feature × weight
	BreakdownConflict  = "conflict"  // which term made move A beat move B
)

// Breakdown is what an evaluation is made of. Figures are for the side to move at the position.
type Breakdown struct {
	Type string `json:"type"`
	ID   int    `json:"id"` // of the request
	Kind string `json:"kind"`
	// Position is the SFEN that it is about.
	Position string `json:"position"`
	// WinRate is the value net's for the position (occlusion), Score the sum of the features (features).
	WinRate float32 `json:"winRate,omitempty"`
	Score   int     `json:"score,omitempty"`
	// Pieces are set for occlusion.
	Pieces []PieceWorth `json:"pieces,omitempty"`
	// Moves are set for policy, best first.
	Moves []PolicyMove `json:"moves,omitempty"`
	// Terms are set for features, and for conflict; A and B are the lines of a conflict.
	Terms []Term `json:"terms,omitempty"`
	A     string `json:"a,omitempty"`
	B     string `json:"b,omitempty"`
	// Basis is the name of the comparison that Terms are from.
	Basis string `json:"basis,omitempty"`
	// Comparisons are all of a conflict: by policy (logits of the first moves), features (scores at the ends of the lines) and value (the value
	// net's win rates there, without terms). Terms are those of the one that the engine thinks with.
	Comparisons []Comparison `json:"comparisons,omitempty"`
	// Text sums it up in a sentence.
	Text string `json:"text,omitempty"`
}

// PieceWorth is what happens when a piece is taken off.
type PieceWorth struct {
	// Square is «7g», or «hand» where one of the pieces in a hand is taken.
	Square string `json:"square"`
	Piece  string `json:"piece"`           // as in an SFEN: P black, p white, +P promoted
	Count  int    `json:"count,omitempty"` // in hand, of which one is taken
	// Change is the win rate without it less the win rate with it.
	Change float32 `json:"change"`
}

// PolicyMove is a move with what its logit is the sum of.
type PolicyMove struct {
	Move  string  `json:"move"`
	Prior float32 `json:"prior"`
	// Logit is Base, which all moves share, plus the products of Parts. Value of a part is what the logit loses when it alone is left out.
	Logit float32 `json:"logit"`
	Base  float32 `json:"base"`
	Parts []Term  `json:"parts,omitempty"`
}

// Comparison is two numbers and the terms of their difference.
type Comparison struct {
	Name       string  `json:"name"` // policy, features or value
	A          float32 `json:"a"`
	B          float32 `json:"b"`
	Difference float32 `json:"difference"`
	Terms      []Term  `json:"terms,omitempty"` // the largest difference first
}

// Term is a part of a sum. In a conflict Product is A's, B the other line's and Difference A's less B's.
type Term struct {
	Name       string  `json:"name"`
	Weight     float32 `json:"weight,omitempty"`
	Value      float32 `json:"value,omitempty"`
	Product    float32 `json:"product"`
	B          float32 `json:"b,omitempty"`
	Difference float32 `json:"difference,omitempty"`
}
