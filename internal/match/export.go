package match

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// WritePGN writes the games for rating programs such as Ordo and BayesElo: headers and result, the moves in USI as a comment.
// PGN's White is the side that moves first, so it stands for shogi's Black (sente).
func WritePGN(out io.Writer, h *Header, records []Record) error {
	w := bufio.NewWriter(out)
	names := h.names()
	for i := range records {
		r := &records[i]
		result := map[Result]string{BlackWins: "1-0", WhiteWins: "0-1", Drawn: "1/2-1/2"}[r.Result]
		controls := map[string]TimeControl{PlayerA: h.A.Time, PlayerB: h.B.Time}
		for _, tag := range [][2]string{
			{"Event", h.A.Name + " - " + h.B.Name}, {"Site", "yomi match"}, {"Date", pgnDate(r.Ended)}, {"Round", fmt.Sprintf("%d.%d", r.Pair+1, r.Game%2+1)},
			{"White", names[r.Black]}, {"Black", names[r.White()]}, {"Result", result}, {"Variant", "Shogi"},
			{"Sente", names[r.Black]}, {"Gote", names[r.White()]}, {"Opening", r.Start}, {"Termination", string(r.Outcome)},
			{"WhiteTimeControl", controls[r.Black].String()}, {"BlackTimeControl", controls[r.White()].String()},
			{"PlyCount", fmt.Sprint(len(r.Plies))},
		} {
			fmt.Fprintf(w, "[%s \"%s\"]\n", tag[0], pgnEscape(tag[1]))
		}
		fmt.Fprintf(w, "\n{%s} %s\n\n", wrap(r.Moves(), 100), result)
	}
	return w.Flush()
}

// names returns the players' names, made different when they are equal.
func (h *Header) names() map[string]string {
	names := map[string]string{PlayerA: h.A.Name, PlayerB: h.B.Name}
	if h.A.Name == h.B.Name {
		names[PlayerA] += " (A)"
		names[PlayerB] += " (B)"
	}
	return names
}

func pgnEscape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text)
}

// pgnDate turns an RFC 3339 time into PGN's date.
func pgnDate(ended string) string {
	if len(ended) < 10 {
		return "????.??.??"
	}
	return strings.ReplaceAll(ended[:10], "-", ".")
}

// wrap breaks text at blanks so that lines have at most about width bytes.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		if i > 0 {
			if column+len(word) >= width {
				b.WriteByte('\n')
				column = 0
			} else {
				b.WriteByte(' ')
				column++
			}
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// csaPiece is each piece type in CSA's letters.
var csaPiece = [shogi.NumPieceTypes]string{shogi.Pawn: "FU", shogi.Lance: "KY", shogi.Knight: "KE", shogi.Silver: "GI",
	shogi.Gold: "KI", shogi.Bishop: "KA", shogi.Rook: "HI", shogi.King: "OU", shogi.ProPawn: "TO", shogi.ProLance: "NY",
	shogi.ProKnight: "NK", shogi.ProSilver: "NG", shogi.Horse: "UM", shogi.Dragon: "RY"}

// csaSign is a side in CSA.
func csaSign(c shogi.Color) string {
	if c == shogi.Black {
		return "+"
	}
	return "-"
}

func csaSquare(s shogi.Square) string { return fmt.Sprintf("%d%d", s.File(), s.Rank()) }

// csaMove writes a move; it must be legal in the position.
func csaMove(p *shogi.Position, m shogi.Move) string {
	if m.IsDrop() {
		return csaSign(p.Side()) + "00" + csaSquare(m.To()) + csaPiece[m.DropType()]
	}
	t := p.PieceAt(m.From()).Type()
	if m.IsPromotion() {
		t = t.Promote()
	}
	return csaSign(p.Side()) + csaSquare(m.From()) + csaSquare(m.To()) + csaPiece[t]
}

// csaBoard writes a position.
func csaBoard(p *shogi.Position) string {
	var b strings.Builder
	for rank := 1; rank <= 9; rank++ {
		fmt.Fprintf(&b, "P%d", rank)
		for file := 9; file >= 1; file-- {
			if piece := p.PieceAt(shogi.NewSquare(file, rank)); piece == shogi.Empty {
				b.WriteString(" * ")
			} else {
				b.WriteString(csaSign(piece.Color()) + csaPiece[piece.Type()])
			}
		}
		b.WriteByte('\n')
	}
	for _, c := range []shogi.Color{shogi.Black, shogi.White} {
		line := ""
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			line += strings.Repeat("00"+csaPiece[t], p.Hand(c).Count(t))
		}
		if line != "" {
			b.WriteString("P" + csaSign(c) + line + "\n")
		}
	}
	return b.String() + csaSign(p.Side()) + "\n"
}

// csaEnd returns the mark that ends a game. side is the side to move at the end.
func csaEnd(r *Record, side shogi.Color) string {
	sideLost := r.Result != Drawn && r.Result != winFor(side)
	switch r.Outcome {
	case OutcomeMate:
		return "%TSUMI"
	case OutcomeResign:
		return "%TORYO"
	case OutcomeRepetition:
		return "%SENNICHITE"
	case OutcomePerpetualCheck:
		if r.Result == WhiteWins {
			return "%+ILLEGAL_ACTION"
		}
		return "%-ILLEGAL_ACTION"
	case OutcomeTimeLoss:
		return "%TIME_UP"
	case OutcomeIllegalMove, OutcomeIllegalDeclaration:
		return "%ILLEGAL_MOVE"
	case OutcomeMaxPlies, OutcomeAdjudicatedDraw:
		return "%HIKIWAKE"
	case OutcomeDeclaration:
		switch {
		case r.Result == Drawn:
			return "%JISHOGI"
		case !sideLost:
			return "%KACHI"
		}
		return "%TORYO" // the king's goal was reached with a move; the loser is to move
	case OutcomeAdjudicatedWin:
		if sideLost {
			return "%TORYO"
		}
		return "%CHUDAN"
	}
	return "%ERROR"
}

// WriteCSA writes the games in the CSA format, version 2.2, separated by "/". Scores stand in comments, as Black sees them.
func WriteCSA(out io.Writer, h *Header, records []Record) error {
	w := bufio.NewWriter(out)
	names := h.names()
	for i := range records {
		r := &records[i]
		if i > 0 {
			fmt.Fprintln(w, "/")
		}
		fmt.Fprintf(w, "V2.2\nN+%s\nN-%s\n$EVENT:%s - %s, game %d\n$END_TIME:%s\n", names[r.Black], names[r.White()], h.A.Name, h.B.Name, r.Game, csaTime(r.Ended))
		opening := Opening{Text: r.Start}.Game()
		game := shogi.NewGame(opening.Start())
		start := opening.Start()
		w.WriteString(csaBoard(&start))
		for _, m := range opening.Moves() {
			fmt.Fprintln(w, csaMove(game.Position(), m))
			if err := game.Do(m); err != nil {
				return err
			}
		}
		scores, known := r.BlackScores()
		for i, ply := range r.Plies {
			m, err := shogi.ParseMove(ply.Move)
			if err != nil {
				return fmt.Errorf("game %d: %w", r.Game, err)
			}
			fmt.Fprintf(w, "%s\nT%d\n", csaMove(game.Position(), m), ply.Wall/1000)
			if known[i] {
				fmt.Fprintf(w, "'** %d\n", scores[i])
			}
			if err := game.Do(m); err != nil {
				return fmt.Errorf("game %d: %w", r.Game, err)
			}
		}
		fmt.Fprintf(w, "'%s\n%s\n", strings.TrimSpace(string(r.Outcome)+" "+strings.ReplaceAll(r.Detail, "\n", " ")), csaEnd(r, game.Position().Side()))
	}
	return w.Flush()
}

// csaTime turns an RFC 3339 time into CSA's.
func csaTime(ended string) string {
	if len(ended) < 19 {
		return ""
	}
	return strings.ReplaceAll(ended[:10], "-", "/") + " " + ended[11:19]
}

// WriteJSONLines writes the games, one JSON object a line, without the journal's header.
func WriteJSONLines(out io.Writer, records []Record) error {
	w := bufio.NewWriter(out)
	for i := range records {
		data, err := json.Marshal(&records[i])
		if err != nil {
			return err
		}
		w.Write(data)
		w.WriteByte('\n')
	}
	return w.Flush()
}
