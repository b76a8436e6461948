package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// Text returns the record as a line for people, with the time of day:
//
//	12:01:07.123 [ply 3] MIN 7g7f score 150 alpha 120 beta inf
func (r *Record) Text() string {
	return r.Time.Format("15:04:05.000") + " " + EventText(&r.Event)
}

// EventText returns an event as a line for people, without a time.
func EventText(e *search.Event) string {
	switch e.Kind {
	case search.EventStart, search.EventEnd, search.EventClock, search.EventBest, search.EventRecycle, search.EventIteration, search.EventFail:
		return searchText(e)
	case search.EventEnter, search.EventNode, search.EventTable, search.EventWindow, search.EventPrune:
		return "[ply " + fmt.Sprint(e.Ply) + "] " + windowText(e)
	}
	return "[ply " + fmt.Sprint(e.Ply) + "] " + walkText(e)
}

// searchText is for events of a search as a whole.
func searchText(e *search.Event) string {
	switch e.Kind {
	case search.EventStart:
		text := fmt.Sprintf("START %s, %d legal moves", e.Engine, e.Count)
		if e.Visits > 0 {
			text += fmt.Sprintf(", %d visits kept", e.Visits)
		}
		if e.Game != nil {
			text += ", position " + e.Game.USI()
		}
		return text
	case search.EventEnd:
		text := fmt.Sprintf("END %s because of %s after %s and %d playouts", moveText(e.Move), e.Reason, e.Took.Round(time.Millisecond), e.Playout)
		if e.Depth > 0 {
			text = fmt.Sprintf("END %s because of %s after %s and %d moves made, depth %d, score %s", moveText(e.Move), e.Reason, e.Took.Round(time.Millisecond), e.Playout, e.Depth, scoreText(e.Score))
		}
		return text + lineText(e.Line)
	case search.EventClock:
		return clockText(e)
	case search.EventBest:
		return fmt.Sprintf("BEST %s with %d of %d visits, win rate %.4f, after %s", moveText(e.Move), e.EdgeVisits, e.Visits, e.EdgeRate, e.Took.Round(time.Millisecond))
	case search.EventRecycle:
		return fmt.Sprintf("RECYCLE %d nodes forgotten", e.Count)
	case search.EventIteration:
		return fmt.Sprintf("ITERATION depth %d, %d moves made so far", e.Depth, e.Playout)
	}
	side := "low"
	if e.Bound == search.LowerBound {
		side = "high"
	}
	return fmt.Sprintf("FAIL %s: score %s alpha %s beta %s depth %d", side, scoreText(e.Score), scoreText(e.Alpha), scoreText(e.Beta), e.Depth)
}

func clockText(e *search.Event) string {
	text := "CLOCK "
	if e.Reason != "" {
		text += fmt.Sprintf("stop because of %s after %s; ", e.Reason, e.Took.Round(time.Millisecond))
	}
	if e.Optimum > 0 {
		text += fmt.Sprintf("planned %s, ", e.Optimum.Round(time.Millisecond))
	}
	return text + fmt.Sprintf("at most %s", e.Hard.Round(time.Millisecond))
}

// windowText is for events of alpha-beta's nodes.
func windowText(e *search.Event) string {
	head := e.Type.String()
	switch e.Kind {
	case search.EventPrune:
		return fmt.Sprintf("%s PRUNE skipped %d, by %s with alpha %s >= beta %s, depth %d", head, e.Count, moveText(e.Move), scoreText(e.Alpha), scoreText(e.Beta), e.Depth)
	case search.EventWindow:
		return fmt.Sprintf("%s ALPHA %s -> %s by %s, beta %s, depth %d", head, scoreText(e.Before), scoreText(e.Alpha), moveText(e.Move), scoreText(e.Beta), e.Depth)
	case search.EventTable:
		use := "for its move"
		if e.Cut {
			use = "which ends the node"
		}
		return fmt.Sprintf("%s TABLE %s %s at depth %d, move %s, %s; alpha %s beta %s", head, [...]string{"score", "at least", "at most"}[e.Bound],
			scoreText(e.Score), e.Depth, moveText(e.Move), use, scoreText(e.Alpha), scoreText(e.Beta))
	case search.EventEnter:
		return fmt.Sprintf("%s ENTER %s alpha %s beta %s depth %d", head, moveText(e.Move), scoreText(e.Alpha), scoreText(e.Beta), e.Depth)
	}
	text := fmt.Sprintf("%s %s score %s alpha %s beta %s", head, moveText(e.Move), scoreText(e.Score), scoreText(e.Alpha), scoreText(e.Beta))
	switch {
	case e.Cut:
		text += ", from the table"
	case e.Count > 0:
		text += fmt.Sprintf(", %d quiescence positions", e.Count)
	case e.Type == search.NodeMax || e.Type == search.NodeMin:
		text += fmt.Sprintf(" depth %d", e.Depth)
	}
	return text
}

// walkText is for events of the tree search's playouts.
func walkText(e *search.Event) string {
	head := fmt.Sprintf("%s %s ", e.Type, strings.ToUpper(e.Kind.String()))
	who := fmt.Sprintf(" #%d", e.Playout)
	if e.Worker > 0 {
		who += fmt.Sprintf(" worker %d", e.Worker)
	}
	switch e.Kind {
	case search.EventSelect:
		text := moveText(e.Move)
		for i := range e.Candidates {
			if e.Candidates[i].Move == e.Move {
				text = e.Candidates[i].String()
			}
		}
		return head + text + fmt.Sprintf(", of %d candidates, node N %d Q %.4f", len(e.Candidates), e.Visits, e.WinRate) + who
	case search.EventExpand:
		return head + fmt.Sprintf("%s, %d moves", moveText(e.Move), e.Count) + who
	case search.EventEvaluate, search.EventRepeat:
		return head + fmt.Sprintf("%s value %.4f", moveText(e.Move), e.Value) + proofText(e.Proof) + who
	case search.EventMerge:
		return head + fmt.Sprintf("%s: the node has N %d, this edge brought %d; Q %.4f", moveText(e.Move), e.Visits, e.Count, e.WinRate) + who
	case search.EventRevisit:
		return head + fmt.Sprintf("%s N %d Q %.4f", moveText(e.Move), e.Visits, e.WinRate) + proofText(e.Proof) + who
	case search.EventBackup:
		return head + fmt.Sprintf("%s value %.4f, edge N %d Q %.4f, node N %d Q %.4f", moveText(e.Move), e.Value, e.EdgeVisits, e.EdgeRate, e.Visits, e.WinRate) + who
	}
	return head + moveText(e.Move) + proofText(e.Proof) + who
}

func proofText(proof int) string {
	if proof == 0 {
		return ""
	}
	return ", " + search.ProofText(proof)
}

func lineText(line []shogi.Move) string {
	if len(line) == 0 {
		return ""
	}
	words := make([]string, len(line))
	for i, m := range line {
		words[i] = m.String()
	}
	return ", line " + strings.Join(words, " ")
}

// moveText returns a move, "root" for none: the node that no move leads to.
func moveText(m shogi.Move) string {
	if m == shogi.MoveNone {
		return "root"
	}
	return m.String()
}

// scoreText returns a score of alpha-beta with words for bounds without meaning and for mates.
func scoreText(score int) string {
	switch plies, mate := alphabeta.IsMate(score); {
	case score > alphabeta.Mate:
		return "inf"
	case score < -alphabeta.Mate:
		return "-inf"
	case mate && plies >= 0 && score > 0:
		return fmt.Sprintf("mate in %d", plies)
	case mate:
		return fmt.Sprintf("mated in %d", -plies)
	}
	return fmt.Sprint(score)
}
