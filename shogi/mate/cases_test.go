package mate

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

// firstMoves returns the first moves of all shortest mates.
func firstMoves(s *Solver, p *shogi.Position, plies int) []string {
	var first []string
	for _, m := range slowChecks(p) {
		after := *p
		after.Do(m)
		mates := true
		for _, reply := range after.AppendLegal(nil) {
			next := after
			next.Do(reply)
			if plies == 1 || s.Solve(&next, Limits{Plies: plies - 2}).Outcome != Mate {
				mates = false
				break
			}
		}
		if mates {
			first = append(first, m.String())
		}
	}
	return first
}

// TestMateCases solves problems and positions of public bug reports: «mate» with its exact length and first moves, «mate_long»
// whose exact length is not known, «nomate».
func TestMateCases(t *testing.T) {
	var cases []struct {
		SFEN, Kind string
		Length     int      `json:"mate_in"`
		FirstMoves []string `json:"first_moves"`
	}
	readJSON(t, "testdata/mate_cases.json", &cases)
	s := NewSolver(64 << 20)
	for _, c := range cases {
		t.Run(c.SFEN, func(t *testing.T) {
			p, err := shogi.ParseSFEN(c.SFEN)
			require.NoError(t, err)
			switch c.Kind {
			case "nomate":
				require.Equal(t, NoMate, s.Solve(&p, Limits{Nodes: 3_000_000}).Outcome)
			case "mate":
				requireShortest(t, s, &p, c.Length, c.FirstMoves)
			case "mate_long":
				requireAnyMate(t, s, &p)
			default:
				require.Fail(t, "unknown kind", c.Kind)
			}
		})
	}
	require.Greater(t, len(cases), 100)
}

// mateRule is a row of the rule cases of kind mate or mate_refutation.
type mateRule struct {
	ID, Kind string
	Input    struct{ SFEN, Move string }
	Answer   struct {
		Result     string
		Length     int      `json:"mate_in"`
		FirstMoves []string `json:"first_moves"`
		Reply      string   `json:"a_legal_reply"`
	}
}

// TestReportedMates runs the mate cases among the rule cases: problems of bug reports, and moves that were taken for mate.
func TestReportedMates(t *testing.T) {
	var rows []json.RawMessage
	readJSON(t, "../../testdata/rules_cases.json", &rows)
	checks := map[string]func(*testing.T, *Solver, *mateRule){"mate": checkMate, "mate_refutation": checkRefutation}
	s := NewSolver(64 << 20)
	ran := 0
	for _, row := range rows {
		var head struct{ Kind string }
		require.NoError(t, json.Unmarshal(row, &head))
		check := checks[head.Kind]
		if check == nil {
			continue
		}
		ran++
		var c mateRule
		require.NoError(t, json.Unmarshal(row, &c))
		t.Run(c.ID, func(t *testing.T) { check(t, s, &c) })
	}
	require.Greater(t, ran, 15)
}

func checkMate(t *testing.T, s *Solver, c *mateRule) {
	p, err := shogi.ParseConstructedSFEN(c.Input.SFEN)
	require.NoError(t, err)
	switch {
	case c.Answer.Result == "nomate":
		require.Equal(t, NoMate, s.Solve(&p, Limits{Nodes: 3_000_000}).Outcome)
	case c.Answer.Length > 0:
		requireShortest(t, s, &p, c.Answer.Length, c.Answer.FirstMoves)
	default:
		requireAnyMate(t, s, &p)
	}
}

// checkRefutation asks whether the solver believes that the move mates at once, and whether it knows the reply.
func checkRefutation(t *testing.T, s *Solver, c *mateRule) {
	p, err := shogi.ParseConstructedSFEN(c.Input.SFEN)
	require.NoError(t, err)
	m, err := shogi.ParseMove(c.Input.Move)
	require.NoError(t, err)
	r := s.Solve(&p, Limits{Plies: 1})
	require.False(t, r.Outcome == Mate && r.Line[0] == m)
	p.Do(m)
	reply, err := shogi.ParseMove(c.Answer.Reply)
	require.NoError(t, err)
	require.True(t, p.IsLegal(reply))
}

// firstMovesLimit is the length up to which all first moves are compared without -long.
const firstMovesLimit = 9

// requireShortest solves a mate of known length.
func requireShortest(t *testing.T, s *Solver, p *shogi.Position, plies int, first []string) {
	t.Helper()
	r := s.Solve(p, Limits{Nodes: 3_000_000})
	require.Equal(t, Mate, r.Outcome, r.Reason)
	require.Equal(t, plies, r.Plies)
	require.True(t, r.Minimal)
	require.Contains(t, first, r.Line[0].String())
	requireProved(t, s, p, &r)
	if plies <= firstMovesLimit || *long {
		require.ElementsMatch(t, first, firstMoves(s, p, plies))
	}
}

// requireAnyMate finds a mate of unknown length and replays its proof against every defence.
func requireAnyMate(t *testing.T, s *Solver, p *shogi.Position) {
	t.Helper()
	outcome, move, plies := s.Quick(p, 3_000_000)
	require.Equal(t, Mate, outcome)
	requireQuickProved(t, s, p, move, plies)
}
