package shogi_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

var long = flag.Bool("long", false, "run the perft rows with more than 2 million leaves too")

const (
	longLeaves  = 2_000_000
	shortLeaves = 200_000
)

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

func TestPerft(t *testing.T) {
	var rows []struct {
		Name  string
		SFEN  string
		Depth int
		Nodes uint64
	}
	readJSON(t, "../testdata/perft.json", &rows)
	limit := uint64(longLeaves)
	if testing.Short() {
		limit = shortLeaves
	}
	ran := 0
	for _, row := range rows {
		if row.Nodes > limit && !*long {
			continue
		}
		ran++
		p, err := shogi.ParseConstructedSFEN(row.SFEN)
		require.NoError(t, err, row.Name)
		require.Equal(t, row.Nodes, shogi.Perft(&p, row.Depth), "%s: perft %d of %s", row.Name, row.Depth, row.SFEN)
	}
	require.Greater(t, ran, len(rows)/2)
}

// ruleCase is a row of testdata/rules_cases.json.
type ruleCase struct {
	ID    string
	Kind  string
	Input struct {
		SFEN, Moves, Move, Text, Setting string
	}
	Answer json.RawMessage
}

func (c *ruleCase) answer(t *testing.T, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(c.Answer, into), c.ID)
}

// game returns the case's position with its moves played. Some boards are made by hand and no game can reach them.
func (c *ruleCase) game(t *testing.T) *shogi.Game {
	t.Helper()
	p, err := shogi.ParseConstructedSFEN(c.Input.SFEN)
	require.NoError(t, err, c.ID)
	g := shogi.NewGame(p)
	for _, text := range strings.Fields(c.Input.Moves) {
		m, err := shogi.ParseMove(text)
		require.NoError(t, err, c.ID)
		require.NoError(t, g.Do(m), c.ID)
	}
	return g
}

// TestRuleCases runs the cases that public bug reports of other programs gave.
func TestRuleCases(t *testing.T) {
	checks := map[string]func(*testing.T, *ruleCase){
		"legal_move": checkLegality, "uchifuzume": checkLegality, "nifu": checkLegality, "one_king": checkLegality,
		"legal_set": checkLegalSet, "sfen_parse": checkSFEN, "usi_position": checkPosition, "usi_write": checkWrite,
		"repetition": checkRepetition, "superior_repetition": checkSuperior,
		"declaration": checkDeclaration, "declaration_handicap": checkHandicap, "game_end": checkGameEnd,
	}
	var cases []ruleCase
	readJSON(t, "../testdata/rules_cases.json", &cases)
	ran := map[string]int{}
	for i := range cases {
		c := &cases[i]
		check := checks[c.Kind]
		if check == nil {
			continue // record formats and mates have tests in their own packages
		}
		ran[c.Kind]++
		t.Run(c.ID, func(t *testing.T) { check(t, c) })
	}
	require.Len(t, ran, len(checks), "every kind must have cases")
}

func checkLegality(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	g := c.game(t)
	m, err := shogi.ParseMove(c.Input.Move)
	got := "illegal"
	if err == nil && g.Position().IsLegal(m) {
		got = "legal"
	}
	require.Equal(t, want, got, "%s in %s", c.Input.Move, g.Position().SFEN())
}

func checkLegalSet(t *testing.T, c *ruleCase) {
	var want []string
	c.answer(t, &want)
	require.Equal(t, want, legalText(c.game(t).Position()))
}

func legalText(p *shogi.Position) []string {
	var text []string
	for _, m := range p.AppendLegal(nil) {
		text = append(text, m.String())
	}
	sort.Strings(text)
	return text
}

func checkSFEN(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	p, err := shogi.ParseSFEN(c.Input.Text)
	if want == "error" {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, p.SFEN())
}

func checkPosition(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	g, err := shogi.ParsePosition(c.Input.Text)
	require.NoError(t, err)
	require.Equal(t, want, g.Position().SFEN())
}

func checkWrite(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	require.Equal(t, want, "position "+shogi.NewGame(shogi.StartPosition()).USI())
}

func checkRepetition(t *testing.T, c *ruleCase) {
	var want struct {
		Result string
		AtPly  int `json:"at_ply"`
	}
	c.answer(t, &want)
	p, err := shogi.ParseSFEN(c.Input.SFEN)
	require.NoError(t, err)
	g := shogi.NewGame(p)
	result, at := "none", 0
	for i, text := range strings.Fields(c.Input.Moves) {
		m, err := shogi.ParseMove(text)
		require.NoError(t, err)
		require.NoError(t, g.Do(m))
		if r := g.History().Fourfold(); r != shogi.NoRepetition {
			result, at = repetitionText(r, g.Position().Side()), i+1
			break
		}
	}
	require.Equal(t, want.Result, result)
	require.Equal(t, want.AtPly, at)
}

func repetitionText(r shogi.Repetition, side shogi.Color) string {
	loser := side
	switch r {
	case shogi.RepetitionDraw:
		return "draw"
	case shogi.RepetitionWin:
		loser = side.Opponent()
	}
	return fmt.Sprintf("perpetual_%s_loses", [2]string{"black", "white"}[loser])
}

func checkSuperior(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	got := c.game(t).History().Recurrence()
	require.Equal(t, map[string]shogi.Repetition{
		"superior": shogi.RepetitionSuperior, "inferior": shogi.RepetitionInferior, "equal": shogi.RepetitionDraw,
	}[want], got)
}

func checkDeclaration(t *testing.T, c *ruleCase) {
	var want struct {
		Law27, Law24 string
		KingInCamp   bool `json:"king_in_camp"`
		PiecesInCamp int  `json:"pieces_in_camp"`
		Points       int
		InCheck      bool `json:"in_check"`
	}
	c.answer(t, &want)
	p := c.game(t).Position()
	d := p.Declaration(shogi.CSARule27)
	require.Equal(t, want.Law27, declarationText(d))
	require.Equal(t, want.Law24, declarationText(p.Declaration(shogi.CSARule24)))
	require.Equal(t, want.KingInCamp, d.KingInCamp)
	require.Equal(t, want.PiecesInCamp, d.PiecesInCamp)
	require.Equal(t, want.Points, d.Points)
	require.Equal(t, want.InCheck, d.InCheck)
	m, ok := p.CanDeclare(shogi.CSARule27)
	require.Equal(t, want.Law27 == "win", ok)
	require.Equal(t, ok, m == shogi.MoveWin)
}

func declarationText(d shogi.Declaration) string {
	return [...]string{"lose", "draw", "win"}[d.Result]
}

func checkHandicap(t *testing.T, c *ruleCase) {
	var want struct {
		Without int    `json:"points_without_given_pieces"`
		With    int    `json:"points_with_given_pieces"`
		Plain   string `json:"law27_plain"`
		Given   string `json:"law27_handicap"`
	}
	c.answer(t, &want)
	p := c.game(t).Position()
	plain, given := p.Declaration(shogi.CSARule27), p.Declaration(shogi.CSARule27H)
	require.Equal(t, want.Without, plain.Points)
	require.Equal(t, want.With, given.Points)
	require.Equal(t, want.Plain, declarationText(plain))
	require.Equal(t, want.Given, declarationText(given))
}

func checkGameEnd(t *testing.T, c *ruleCase) {
	var want string
	c.answer(t, &want)
	p := c.game(t).Position()
	require.Equal(t, strings.HasPrefix(want, "ongoing"), p.HasLegalMove())
	if !p.HasLegalMove() {
		loser := [2]string{"(black)", "(white)"}[p.Side()]
		require.Contains(t, want, loser)
	}
}
