package dashboard

import (
	"encoding/json"
	"fmt"
)

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
	// A and B are the lines of a conflict, one move or more.
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

// maxCommand is the longest command in bytes.
const maxCommand = 8 << 10

// maxMoves is the longest path in a command.
const maxMoves = 512

// newCommand returns an empty command of the type, nil for an unknown one.
func newCommand(name string) any {
	switch name {
	case TypeAuth:
		return new(Auth)
	case TypeFilter:
		return new(FilterCommand)
	case TypeTreeRequest:
		return new(TreeRequest)
	case TypeBreakdownRequest:
		return new(BreakdownRequest)
	case TypeBreak:
		return new(BreakCommand)
	case TypeUnbreak:
		return new(UnbreakCommand)
	case TypeStep:
		return new(StepCommand)
	case TypeContinue:
		return new(ContinueCommand)
	case TypePause:
		return new(PauseCommand)
	case TypeSeek:
		return new(SeekCommand)
	case TypeNext:
		return new(NextCommand)
	case TypeBack:
		return new(BackCommand)
	case TypePlay:
		return new(PlayCommand)
	}
	return nil
}

// head is what all commands have.
type head struct {
	Type string `json:"type"`
	ID   int    `json:"id"`
}

// parseCommand reads a command: a pointer to one of the types above. The head is as far as it could be read; the error names what is wrong.
func parseCommand(text []byte) (command any, h head, err error) {
	if len(text) > maxCommand {
		return nil, h, fmt.Errorf("bad command: %d bytes are too long", len(text))
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, head{}, fmt.Errorf("bad command: %w", err)
	}
	if command = newCommand(h.Type); command == nil {
		return nil, h, fmt.Errorf("bad command: unknown type %q", h.Type)
	}
	if err := json.Unmarshal(text, command); err != nil {
		return nil, h, fmt.Errorf("bad %s: %w", h.Type, err)
	}
	return command, h, checkCommand(command)
}

// checkCommand returns an error that names a number or word outside its range.
func checkCommand(command any) error {
	switch c := command.(type) {
	case *TreeRequest:
		if c.Nodes < 0 || c.Nodes > maxTreeNodes || c.Depth < 0 || c.Width < 0 || c.Visits < 0 || len(c.Path) > maxMoves {
			return fmt.Errorf("bad tree: want nodes 0 to %d, no negative limits and at most %d moves", maxTreeNodes, maxMoves)
		}
	case *BreakdownRequest:
		if len(c.Path) > maxMoves {
			return fmt.Errorf("bad breakdown: want at most %d moves", maxMoves)
		}
		switch c.Kind {
		case BreakdownOcclusion, BreakdownPolicy, BreakdownFeatures, BreakdownConflict:
		default:
			return fmt.Errorf("bad breakdown: unknown kind %q", c.Kind)
		}
	case *StepCommand:
		if c.What != StepEvent && c.What != StepPlayout || c.Count < 0 || c.Count > maxSteps {
			return fmt.Errorf("bad step: want event or playout, and a count of 0 to %d", maxSteps)
		}
	case *PlayCommand:
		if c.Speed != 0 && !(c.Speed >= 0.001 && c.Speed <= 1000) {
			return fmt.Errorf("bad play: want a speed of 0.001 to 1000")
		}
	}
	return nil
}

// maxTreeNodes is the most nodes of a TreeRequest, maxSteps the most events of a StepCommand.
const (
	maxTreeNodes = 1000
	maxSteps     = 1_000_000
)

// controls reports whether only a page with the token may give the command.
func controls(command any) bool {
	switch command.(type) {
	case *BreakCommand, *UnbreakCommand, *StepCommand, *ContinueCommand, *PauseCommand:
		return true
	}
	return false
}
