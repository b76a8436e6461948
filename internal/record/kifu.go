package record

import (
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// scoreMark begins a comment with a score as Black sees it. In the file one more star stands before it, the custom of computer games
// in CSA: "'** 120 +7776FU -3334FU".
const scoreMark = "* "

var kifuResults = [...]Result{kifu.NoResult: NoResult, kifu.BlackWins: BlackWins, kifu.WhiteWins: WhiteWins, kifu.Draw: Drawn}

// FromKifu returns the game of a record for people: its main line. A comment that the file begins with "** " and a number gives the move's
// score, which is there as Black sees it. dropped says what else the record has: variations. An illegal move that ended the game
// is not among the moves; it stands in Detail. An error is that of a record that could not be read to its end.
func FromKifu(r *kifu.Record) (g *Game, dropped []string, err error) {
	if r.Err != nil {
		return nil, nil, r.Err
	}
	g = &Game{Start: r.Start, Result: kifuResults[r.Result()], Comment: strings.Join(r.Root.Comments, "\n")}
	for _, f := range r.Header {
		switch f.Key {
		case kifu.KeyBlack:
			g.Black.Name = f.Value
		case kifu.KeyWhite:
			g.White.Name = f.Value
		default:
			g.Tags = append(g.Tags, Setting{f.Key, f.Value})
		}
	}
	side := r.Start.Side()
	branches := len(r.Root.Children) > 1
	for _, n := range r.Main() {
		branches = branches || len(n.Children) > 1
		switch {
		case n.End != kifu.NoEnd:
			g.setKifuEnd(n)
		case n.Illegal:
			g.End, g.Detail = EndIllegalMove, n.Move.String()
		default:
			g.Moves = append(g.Moves, kifuMove(n, side))
			side ^= 1
		}
	}
	if branches {
		dropped = append(dropped, "variations")
	}
	return g, dropped, g.Check()
}

// kifuMove returns a move of the side.
func kifuMove(n *kifu.Node, side shogi.Color) GameMove {
	m := GameMove{Move: n.Move, Comment: strings.Join(n.Comments, "\n"), Deep: true}
	if n.Timed {
		m.Known, m.Time = HasTime, n.Time
	}
	for _, line := range n.Comments {
		text, found := strings.CutPrefix(line, scoreMark)
		if !found {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		if score, err := strconv.Atoi(word); err == nil {
			if side == shogi.White {
				score = -score
			}
			m.Known |= HasScore
			m.Score = int16(min(max(score, -maxCP), maxCP))
			break
		}
	}
	return m
}

// kifuEnds pairs the ends of the two packages where they mean the same, whoever won.
var kifuEnds = []struct {
	ours   End
	theirs kifu.End
}{
	{EndResign, kifu.Resign}, {EndInterrupted, kifu.Abort}, {EndRepetition, kifu.Repetition}, {EndImpasse, kifu.Impasse},
	{EndMate, kifu.Mate}, {EndTime, kifu.TimeUp}, {EndIllegalMove, kifu.IllegalWin}, {EndIllegalMove, kifu.IllegalLoss},
	{EndIllegalMove, kifu.FoulLoss}, {EndDeclaration, kifu.Declaration}, {EndFault, kifu.ForfeitWin}, {EndFault, kifu.ForfeitLoss},
	{EndAgreed, kifu.AgreedDraw}, {EndMaxPlies, kifu.MaxMoves}, {EndPerpetualCheck, kifu.IllegalWin}, {EndPerpetualCheck, kifu.IllegalLoss},
}

// setKifuEnd takes over how the game ended. Words without a counterpart stand in Detail.
func (g *Game) setKifuEnd(n *kifu.Node) {
	if g.End == EndUnknown { // no illegal move has told it
		for _, pair := range kifuEnds {
			if pair.theirs == n.End {
				g.End = pair.ours
				break
			}
		}
		if g.End == EndUnknown {
			g.Detail = n.End.String() + n.EndText
		}
	}
	if len(n.Comments) > 0 {
		g.Detail = strings.TrimPrefix(g.Detail+"\n"+strings.Join(n.Comments, "\n"), "\n")
	}
}

// KifuHolds is the part of a game's content that Kifu puts into a record for people.
const KifuHolds = ContentScores | ContentPly | ContentEnd | ContentNames | ContentTimes | ContentComments | ContentTags | ContentNoResult

// Kifu returns the game as a record for people. Scores become comments that begin with "** " in the file, as Black sees them, where a move has
// none such. dropped names the result when the record has no word for it. What else is lost is the game's content without KifuHolds.
func (g *Game) Kifu() (r *kifu.Record, dropped []string) {
	r = kifu.New(g.Start)
	r.Root.Comments = lines(g.Comment)
	for _, f := range []kifu.Field{{Key: kifu.KeyBlack, Value: oneLine(g.Black.Name)}, {Key: kifu.KeyWhite, Value: oneLine(g.White.Name)}} {
		if f.Value != "" {
			r.Header = append(r.Header, f)
		}
	}
	for _, tag := range g.Tags {
		r.Header = append(r.Header, kifu.Field{Key: oneLine(tag.Name), Value: oneLine(tag.Value)})
	}
	at := r.Root
	var total [2]time.Duration
	for i, p := range g.Positions() {
		if i == len(g.Moves) {
			g.addKifuEnd(at, p)
			break
		}
		m := &g.Moves[i]
		n := &kifu.Node{Move: m.Move, Comments: lines(m.Comment)}
		if m.Known&HasTime != 0 {
			total[p.Side()] += m.Time
			n.Timed, n.Time, n.Total = true, m.Time, total[p.Side()]
		}
		if !strings.HasPrefix("\n"+m.Comment, "\n"+scoreMark) && !strings.Contains(m.Comment, "\n"+scoreMark) {
			n.Comments = append(n.Comments, g.scoreComment(i, p.Side())...)
		}
		at = at.Add(n)
	}
	if kifuResults[r.Result()] != g.Result {
		dropped = append(dropped, "the result "+g.Result.String())
	}
	return r, dropped
}

// scoreComment returns the comment with the score of move i, nothing when it has none.
func (g *Game) scoreComment(i int, side shogi.Color) []string {
	score, known := g.ScoreOf(i)
	if !known {
		return nil
	}
	black := int(score)
	if side == shogi.White {
		black = -black
	}
	return []string{scoreMark + strconv.Itoa(black)}
}

// addKifuEnd adds how the game ended in the last position: the illegal move that Detail tells, when it is there, and the end word.
func (g *Game) addKifuEnd(at *kifu.Node, p *shogi.Position) {
	end := g.kifuEnd(g.Result == WinFor(p.Side()), g.Result == WinFor(p.Side()^1), !p.HasLegalMove())
	if end == kifu.IllegalLoss {
		word, _, _ := strings.Cut(g.Detail, "\n")
		if m, err := shogi.ParseMove(word); err == nil && !p.IsLegal(m) {
			at = at.Add(&kifu.Node{Move: m, Illegal: true})
			end = kifu.IllegalWin // the side to move is the other one now
		}
	}
	switch end {
	case kifu.NoEnd:
	case kifu.OtherEnd:
		at.Add(&kifu.Node{End: end, EndText: string(g.End)})
	default:
		at.Add(&kifu.Node{End: end})
	}
}

// kifuEnd returns the end word when the side to move has won, or lost, or has no legal move.
func (g *Game) kifuEnd(won, lost, stuck bool) kifu.End {
	foul := func(loss kifu.End) kifu.End {
		switch {
		case won:
			return kifu.IllegalWin
		case lost:
			return loss
		}
		return kifu.NoEnd
	}
	switch {
	case g.End == EndIllegalMove:
		return foul(kifu.IllegalLoss)
	case g.End == EndPerpetualCheck:
		return foul(kifu.FoulLoss)
	case g.End == EndFault && won:
		return kifu.ForfeitWin
	case g.End == EndFault && lost:
		return kifu.ForfeitLoss
	case g.End == EndFault:
		return kifu.Abort
	case g.End == EndDeclaration && g.Result == Drawn:
		return kifu.Impasse
	case g.End == EndUnknown || g.End == EndAdjudicated:
		switch {
		case lost && stuck:
			return kifu.Mate
		case lost:
			return kifu.Resign
		case g.Result == Drawn:
			return kifu.AgreedDraw
		}
		return kifu.NoEnd
	}
	for _, pair := range kifuEnds {
		if pair.ours == g.End {
			return pair.theirs
		}
	}
	return kifu.OtherEnd
}

// oneLine makes a text fit for a header.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines splits a text in lines; an empty one has none.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
