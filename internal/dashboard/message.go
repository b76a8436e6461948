package dashboard

// The messages between the server and the page, each a JSON object in a WebSocket text message. The member "type" names the message.
//
// Units, unless a member says otherwise: win rates, priors and shares are 0..1; win rates and scores are for the side to move at the root
// of the search; scores are 1/100 pawn; times are milliseconds; moves and positions are USI («7g7f», «startpos», SFEN). Members that are 0,
// false or empty may be left out.
//
// The page opens the WebSocket /ws, or /ws?token=… where it was opened with a token itself.

// SchemaVersion is the version of the messages. It changes when a page of the version before would misread them.
const SchemaVersion = 1

// The types of messages to the page.
const (
	TypeHello       = "hello"       // Hello, first on every connection
	TypeGame        = "game"        // Game, when the position or the history changes
	TypeSearch      = "search"      // Search, at most ten times a second
	TypeCurves      = "curves"      // Curves, after hello and when a search begins
	TypeHash        = "hash"        // Hash, at most once a second
	TypeLog         = "log"         // Log, at most ten times a second
	TypeTree        = "tree"        // Tree, the answer to TreeRequest
	TypeBreakpoints = "breakpoints" // Breakpoints, after hello and when they change
	TypeStopped     = "stopped"     // Stopped, when a breakpoint is hit, a step is done, or the search goes on
	TypeTrace       = "trace"       // Place, when the place in a trace changes
	TypeBreakdown   = "breakdown"   // Breakdown, the answer to BreakdownRequest
	TypeError       = "error"       // Failure, what was wrong with a command
)

// The types of commands from the page. Those from "break" to "pause" want the token.
const (
	TypeAuth             = "auth"      // Auth
	TypeFilter           = "filter"    // FilterCommand
	TypeTreeRequest      = "tree"      // TreeRequest
	TypeBreakdownRequest = "breakdown" // BreakdownRequest
	TypeBreak            = "break"     // BreakCommand
	TypeUnbreak          = "unbreak"   // UnbreakCommand
	TypeStep             = "step"      // StepCommand
	TypeContinue         = "continue"  // ContinueCommand
	TypePause            = "pause"     // PauseCommand
	TypeSeek             = "seek"      // SeekCommand, traces only, like the next three
	TypeNext             = "next"      // NextCommand
	TypeBack             = "back"      // BackCommand
	TypePlay             = "play"      // PlayCommand
)

// The modes of a server.
const (
	ModeLive  = "live"  // an engine
	ModeTrace = "trace" // a trace file
)

// Hello is the first message: who is there, and the game so far. It is sent again when CanControl changes by Auth, or the engine's options do.
type Hello struct {
	Type   string `json:"type"`
	Schema int    `json:"schema"` // SchemaVersion
	// Version is the program's name and version, Mode is ModeLive or ModeTrace.
	Version string `json:"version"`
	Mode    string `json:"mode"`
	// Engine is "uct" or "alphabeta".
	Engine string `json:"engine"`
	// CanControl says that this page may set breakpoints, stop and step; it gave the token.
	CanControl bool `json:"canControl"`
	// HasToken says that there is a token, so that asking for it makes sense.
	HasToken bool     `json:"hasToken"`
	Options  []Option `json:"options,omitempty"`
	Game     Game     `json:"game"`
}

// Option is an option of the engine with its value now.
type Option struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
}

// Game is the game that is being played or analysed, up to the position that was searched last.
type Game struct {
	Type string `json:"type"`
	// Start is "startpos" or an SFEN; Moves lead from there to the position.
	Start string   `json:"start"`
	Moves []string `json:"moves"`
	// Position is the position after them, as an SFEN.
	Position string `json:"position"`
	// Check says that its side to move is in check.
	Check bool `json:"check,omitempty"`
	// History has a point for each search of this game that has ended, by Ply.
	History []HistoryPoint `json:"history,omitempty"`
}

// HistoryPoint is what one search ended with. Its figures are for Black, so that they make one curve.
type HistoryPoint struct {
	// Ply is the move number of the position that was searched, 1 at the start.
	Ply int `json:"ply"`
	// Move is the answer, Reason why the search ended.
	Move    string  `json:"move"`
	Reason  string  `json:"reason,omitempty"`
	WinRate float32 `json:"winRate"`
	// Score is set for alpha-beta.
	Score    int     `json:"score,omitempty"`
	Playouts int64   `json:"playouts"`
	Took     float32 `json:"took"`
	// Search is the number of the search in a trace.
	Search int `json:"search,omitempty"`
}

// The states of a search.
const (
	StateIdle     = "idle"     // nothing was searched yet
	StateThinking = "thinking" // a search runs
	StateStopped  = "stopped"  // a search is held up, by a breakpoint or a step
	StateDone     = "done"     // the search has ended
)

// Search is the state of the search now.
type Search struct {
	Type string `json:"type"`
	// Seq counts these messages; a gap means that some were left out.
	Seq int64 `json:"seq"`
	// Number is the number of the search, from 1; 0 before the first.
	Number int    `json:"number"`
	State  string `json:"state"`
	Engine string `json:"engine"`
	// Elapsed is since the search began, pauses left out.
	Elapsed float32 `json:"elapsed"`
	// Playouts are those of this search, for alpha-beta the moves made; Speed is the same a second, over the last second.
	Playouts int64   `json:"playouts"`
	Speed    float32 `json:"speed"`
	// Visits are the root's N, WinRate its Q, Value what the evaluator said. Proof is above 0 for a win in so many plies, below 0 for a
	// loss in -Proof-1.
	Visits  int64   `json:"visits,omitempty"`
	WinRate float32 `json:"winRate"`
	Value   float32 `json:"value,omitempty"`
	Proof   int     `json:"proof,omitempty"`
	// Scale and Loss are those of the root's formula: U = scale·P/(1 + N + flying); lost visits for each playout under way.
	Scale float32 `json:"scale,omitempty"`
	Loss  float32 `json:"loss,omitempty"`
	// SelDepth is the longest path walked, MeanDepth the mean over the tree search's playouts; plies.
	SelDepth  int     `json:"selDepth,omitempty"`
	MeanDepth float32 `json:"meanDepth,omitempty"`
	// Candidates are the root's moves with visits, best first, and MoreMoves how many others were left out.
	Candidates []Candidate `json:"candidates,omitempty"`
	MoreMoves  int         `json:"moreMoves,omitempty"`
	Clock      *Clock      `json:"clock,omitempty"`
	Workers    []Worker    `json:"workers,omitempty"`
	Memory     *Memory     `json:"memory,omitempty"`
	AlphaBeta  *AlphaBeta  `json:"alphaBeta,omitempty"`
	// Best and Reason are the answer of a search that has ended.
	Best   string `json:"best,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Events are how many there have been of each kind in this search, by name. EventsPartial says that the walks' own events (those of the
	// debug level) were not told all the time, because nobody wanted them; then they are not among the counts, and Workers have only the
	// walks that ended at a new position.
	Events        map[string]int64 `json:"events,omitempty"`
	EventsPartial bool             `json:"eventsPartial,omitempty"`
}

// Candidate is a root move.
type Candidate struct {
	Move string `json:"move"`
	// Visits are N, Share is their part of all moves' visits.
	Visits int64   `json:"visits"`
	Share  float32 `json:"share"`
	Flying int     `json:"flying,omitempty"`
	Prior  float32 `json:"prior,omitempty"`
	// Q is the win rate, U what the formula adds, LCB the lower end of the win rate's 95 % interval (Wilson's).
	Q   float32 `json:"q"`
	U   float32 `json:"u,omitempty"`
	LCB float32 `json:"lcb,omitempty"`
	// CP is Q in centipawns; for alpha-beta the score.
	CP    int `json:"cp"`
	Proof int `json:"proof,omitempty"`
	// Bound is "" for an exact score of alpha-beta, "upper" or "lower".
	Bound string `json:"bound,omitempty"`
	// PV is the line, this move first.
	PV []string `json:"pv,omitempty"`
}

// Clock is the plan for the time of this move.
type Clock struct {
	// Optimum is how long to think unless there are reasons, 0 where there is no game clock; Hard the latest end. They count from Zero, which
	// is the time since the search began; the two differ after pondering.
	Optimum float32 `json:"optimum,omitempty"`
	Hard    float32 `json:"hard"`
	Zero    float32 `json:"zero,omitempty"`
	// Decisions are what the clock decided and why, oldest first.
	Decisions []Decision `json:"decisions,omitempty"`
}

// Decision is one of the clock: "plan" or "stop".
type Decision struct {
	At     float32 `json:"at"` // since the search began
	What   string  `json:"what"`
	Reason string  `json:"reason,omitempty"`
}

// Worker is the load of one worker.
type Worker struct {
	Number int `json:"number"`
	// Playouts are those that it finished in this search, Speed the same a second, Ply how deep its last one was.
	Playouts int64   `json:"playouts"`
	Speed    float32 `json:"speed"`
	Ply      int     `json:"ply"`
}

// Memory is how full the tree's memory is.
type Memory struct {
	// Full is the permille in use that USI's hashfull has, -1 where that is not known: in traces.
	Full      int   `json:"full"`
	Slots     int   `json:"slots,omitempty"`
	UsedSlots int   `json:"usedSlots,omitempty"`
	Cells     int   `json:"cells,omitempty"`
	UsedCells int   `json:"usedCells,omitempty"`
	UsedBytes int64 `json:"usedBytes,omitempty"`
	// Recycled is the number of nodes forgotten since the engine was built, in so many Pauses, the longest of LongestPause.
	Recycled     int64   `json:"recycled,omitempty"`
	Pauses       int64   `json:"pauses,omitempty"`
	LongestPause float32 `json:"longestPause,omitempty"`
	Evaluations  int64   `json:"evaluations,omitempty"`
}

// AlphaBeta is where alpha-beta is. Window and score are for the side to move at the last node.
type AlphaBeta struct {
	// Depth is the iteration's, RootMove the root move that is being searched, the RootIndex-th of RootMoves from 1.
	Depth     int    `json:"depth"`
	RootMove  string `json:"rootMove,omitempty"`
	RootIndex int    `json:"rootIndex,omitempty"`
	RootMoves int    `json:"rootMoves,omitempty"`
	// Alpha and Beta are the root's window; ±32001 is no bound.
	Alpha int `json:"alpha"`
	Beta  int `json:"beta"`
	// Line is the path to the node that is being searched, with its window.
	Line      []string `json:"line,omitempty"`
	LineAlpha int      `json:"lineAlpha"`
	LineBeta  int      `json:"lineBeta"`
	LineDepth int      `json:"lineDepth"`
	// Cuts are nodes that a move ended, Skipped the moves not tried there, Answers the nodes that the table ended.
	Cuts    int64 `json:"cuts"`
	Skipped int64 `json:"skipped"`
	Answers int64 `json:"answers"`
	// Principal is the principal variation of the last iteration with a score, Score its score.
	Principal []string `json:"principal,omitempty"`
	Score     int      `json:"score"`
}

// Curves are the candidates' win rates and shares of the visits up to now, for a page that comes later. From then on the page adds a point for
// each Search message itself. Null stands for a time before the move had visits.
type Curves struct {
	Type   string `json:"type"`
	Number int    `json:"number"` // of the search
	// Times are since the search began.
	Times []float32 `json:"times"`
	Moves []Curve   `json:"moves"`
}

// Curve is one candidate's.
type Curve struct {
	Move  string     `json:"move"`
	Q     []*float32 `json:"q"`
	Share []*float32 `json:"share"`
}
