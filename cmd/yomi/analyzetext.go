package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// writeMoves returns a line of legal moves as the file's format writes them: ▲７六歩, +7776FU or 7g7f.
func (f *analysedFile) writeMoves(start shogi.Position, moves []shogi.Move) []string {
	if !f.lossless && f.isKakinoki() {
		return kifuMoves(start, moves, kifu.KI2U, ki2Move)
	}
	if !f.lossless {
		return kifuMoves(start, moves, kifu.CSA, csaMove)
	}
	return usiMoves(moves)
}

func usiMoves(moves []shogi.Move) []string {
	var out []string
	for _, m := range moves {
		out = append(out, m.String())
	}
	return out
}

// ki2Move and csaMove find the moves in a file.
var (
	ki2Move = regexp.MustCompile(`[▲△▽☗☖][^▲△▽☗☖\n]+`)
	csaMove = regexp.MustCompile(`(?m)^[+-]\d{4}[A-Z]{2}`)
)

// kifuMoves writes the line as a record and takes the moves out of it.
func kifuMoves(start shogi.Position, moves []shogi.Move, format kifu.Format, pattern *regexp.Regexp) []string {
	r := kifu.New(start)
	at := r.Root
	for _, m := range moves {
		at = at.Add(&kifu.Node{Move: m})
	}
	var text strings.Builder
	if _, err := kifu.Write(&text, format, r); err != nil {
		return usiMoves(moves)
	}
	found := pattern.FindAllString(text.String(), -1)
	if len(found) != len(moves) {
		return usiMoves(moves)
	}
	for i := range found {
		found[i] = strings.TrimSpace(found[i])
	}
	return found
}

// bestLine writes the best line of a position. The move before it is known, so that a capture on its square is written 同.
func (g *analysedGame) bestLine(f *analysedFile, i, most int) string {
	pv := g.verdicts[i].pv
	pv = pv[:min(len(pv), most)]
	if i == 0 {
		return strings.Join(f.writeMoves(g.positions[0], pv), " ")
	}
	line := append([]shogi.Move{g.moves[i-1]}, pv...)
	return strings.Join(f.writeMoves(g.positions[i-1], line)[1:], " ")
}

// comment puts the comments into the record.
func (g *analysedGame) comment(f *analysedFile, most int) {
	for i := range g.positions {
		g.lines = append(g.lines, g.bestLine(f, i, most))
	}
	for i, n := range g.nodes {
		comments := g.comments(i)
		switch {
		case g.game == nil || !f.lossless:
			if !hasScore(n) && !g.verdicts[i].over {
				comments = append([]string{g.machineLine(i, most)}, comments...)
			}
			n.Comments = append(n.Comments, comments...)
		case i == 0:
			g.game.Comment = joinLines(g.game.Comment, comments)
		default:
			g.game.Moves[i-1].Comment = joinLines(g.game.Moves[i-1].Comment, comments)
		}
	}
}

func joinLines(text string, more []string) string {
	return strings.TrimPrefix(text+"\n"+strings.Join(more, "\n"), "\n")
}

// scoreComment begins a comment with a score, the custom of computer games, which viewers draw graphs from: "** 120 +7776FU -3334FU" in the file.
var scoreComment = regexp.MustCompile(`^\* -?\d`)

// hasScore reports whether the record has a score of its own for the move.
func hasScore(n *kifu.Node) bool {
	for _, text := range n.Comments {
		if scoreComment.MatchString(text) {
			return true
		}
	}
	return false
}

// machineLine writes score, as Black sees it, and best line as computer games do.
func (g *analysedGame) machineLine(i, most int) string {
	v := &g.verdicts[i]
	pv := v.pv[:min(len(v.pv), most)]
	words := append([]string{fmt.Sprintf("* %d", g.blackScore(i))}, kifuMoves(g.positions[i], pv, kifu.CSA, csaMove)...)
	return strings.Join(words, " ")
}

// mateScore stands for a proved mate.
const mateScore = 30000

// blackScore returns the score in centipawns as Black sees it.
func (g *analysedGame) blackScore(i int) int {
	s := &g.verdicts[i].score
	cp := s.CP
	if s.Mate {
		if cp = mateScore; s.Plies < 0 {
			cp = -mateScore
		}
	}
	if g.positions[i].Side() == shogi.White {
		return -cp
	}
	return cp
}

// side names a side.
func (g *analysedGame) side(c shogi.Color) string {
	if g.japanese {
		return []string{"先手", "後手"}[c]
	}
	return []string{"Black", "White"}[c]
}

// comments returns what is said about a position and the move that led to it.
func (g *analysedGame) comments(i int) []string {
	var out []string
	if i > 0 && g.marks[i-1] != noMark {
		out = append(out, g.blame(i-1))
	}
	if v := &g.verdicts[i]; !v.over {
		out = append(out, g.praise(i))
	}
	return out
}

// blame says what was wrong with move i.
func (g *analysedGame) blame(i int) string {
	before, after := 100*g.verdicts[i].score.WinRate, 100-100*g.verdicts[i+1].score.WinRate
	if g.japanese {
		word := map[mark]string{mistake: "疑問手", blunder: "悪手"}[g.marks[i]]
		return fmt.Sprintf("%s（勝率 %.0f%% → %.0f%%）最善は %s", word, before, after, g.lines[i])
	}
	word := map[mark]string{mistake: "Mistake (?)", blunder: "Blunder (??)"}[g.marks[i]]
	return fmt.Sprintf("%s: win rate %.0f %% -> %.0f %%, better was %s", word, before, after, g.lines[i])
}

// praise says what the position is worth, and the best line.
func (g *analysedGame) praise(i int) string {
	v, side := &g.verdicts[i], g.side(g.positions[i].Side())
	if g.japanese {
		return fmt.Sprintf("%s番 勝率%.1f%%（%s）読み筋 %s", side, 100*v.score.WinRate, g.scoreText(&v.score), g.lines[i])
	}
	return fmt.Sprintf("%s to move: win rate %.1f %% (%s), best %s", side, 100*v.score.WinRate, g.scoreText(&v.score), g.lines[i])
}

// scoreText writes a score for the side to move.
func (g *analysedGame) scoreText(s *search.Score) string {
	switch {
	case !s.Mate:
		return fmt.Sprintf("%+d", s.CP)
	case g.japanese && s.Plies > 0:
		return fmt.Sprintf("%d手で勝ち", s.Plies)
	case g.japanese:
		return fmt.Sprintf("%d手で負け", -s.Plies)
	case s.Plies > 0:
		return fmt.Sprintf("mates in %d", s.Plies)
	}
	return fmt.Sprintf("mated in %d", -s.Plies)
}
