package match

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// scripted plays given moves, one after the other, with given scores.
type scripted struct {
	moves  []string
	scores []int
	wall   time.Duration
	turns  []Turn
	result string
}

func (s *scripted) NewGame(context.Context, uint64) error { return nil }

func (s *scripted) Think(_ context.Context, t Turn) (Answer, error) {
	n := len(s.turns)
	s.turns = append(s.turns, t)
	if n >= len(s.moves) {
		return Answer{}, &usi.Failure{Kind: usi.Crash, Detail: "the script is over"}
	}
	a := Answer{Text: s.moves[n], Wall: s.wall}
	a.Move, _, _ = usi.ParseBestMove(a.Text)
	if n < len(s.scores) {
		a.Info, a.HasInfo = search.Info{Score: search.Score{CP: s.scores[n]}}, true
	}
	return a, nil
}

func (s *scripted) GameOver(result string) { s.result = result }

func (s *scripted) Evidence() ([]string, string) { return []string{"the script"}, "" }

func (s *scripted) Close() {}

func TestPlay(t *testing.T) {
	var cases []struct {
		Name, Opening, Black, White string
		BlackScores                 []int `json:"black_scores"`
		WhiteScores                 []int `json:"white_scores"`
		MaxPlies                    int   `json:"max_plies"`
		Declaration, Resign, Draw   string
		Outcome                     Outcome
		Result                      Result
		Plies                       int
	}
	readJSON(t, "testdata/games.json", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			rules := DefaultRules()
			if c.MaxPlies > 0 {
				rules.MaxPlies = c.MaxPlies
			}
			if c.Declaration != "" {
				rules.Declaration = c.Declaration
			}
			var err error
			if c.Resign != "" {
				rules.Resign, err = ParseResign(c.Resign)
				require.NoError(t, err)
			}
			if c.Draw != "" {
				rules.Draw, err = ParseDraw(c.Draw)
				require.NoError(t, err)
			}
			require.NoError(t, rules.Check())
			opening, err := ParseOpening(c.Opening)
			require.NoError(t, err)
			black := &scripted{moves: strings.Fields(c.Black), scores: c.BlackScores}
			white := &scripted{moves: strings.Fields(c.White), scores: c.WhiteScores}
			r, err := Play(context.Background(), Table{Players: [2]Player{black, white}, Rules: rules}, opening)
			require.NoError(t, err)
			require.Equal(t, c.Outcome, r.Outcome, "%s in %s", r.Detail, r.Position())
			require.Equal(t, c.Result, r.Result)
			require.Len(t, r.Plies, c.Plies)
			want := map[Result][2]string{BlackWins: {"win", "lose"}, WhiteWins: {"lose", "win"}, Drawn: {"draw", "draw"}}[c.Result]
			require.Equal(t, want, [2]string{black.result, white.result})
			_, err = shogi.ParsePosition(r.Position())
			require.NoError(t, err)
			if r.Outcome.IsFault() && r.Outcome != OutcomeCrash {
				require.Equal(t, []string{"the script"}, r.Lines)
			}
		})
	}
}

func TestPlayOnTheClock(t *testing.T) {
	opening := Opening{Text: "startpos"}
	black := &scripted{moves: strings.Fields("7g7f 2g2f resign"), wall: 1500 * time.Millisecond}
	white := &scripted{moves: strings.Fields("3c3d 8c8d"), wall: 900 * time.Millisecond}
	table := Table{Players: [2]Player{black, white}, Rules: DefaultRules(),
		Controls: [2]TimeControl{{Main: 2 * time.Second, Increment: time.Second}, {Byoyomi: time.Second}}}
	r, err := Play(context.Background(), table, opening)
	require.NoError(t, err)
	require.Equal(t, OutcomeResign, r.Outcome)
	require.Equal(t, "go btime 2000 wtime 0 binc 1000 winc 1000", black.turns[0].command(false))
	require.Equal(t, "go btime 1500 wtime 0 byoyomi 1000", white.turns[0].command(false))
	require.Equal(t, "go btime 0 wtime 1500 byoyomi 1000", white.turns[0].command(true))
	require.Equal(t, 1500*time.Millisecond, black.turns[1].limits().Clock.Main[shogi.Black])
	require.EqualValues(t, 1500, r.Plies[0].Wall)

	white.turns, white.wall = nil, 1101*time.Millisecond
	black.turns = nil
	r, err = Play(context.Background(), table, opening)
	require.NoError(t, err)
	require.Equal(t, OutcomeTimeLoss, r.Outcome, "the margin is 100 ms")
	require.Equal(t, BlackWins, r.Result)
	require.Len(t, r.Plies, 1)

	black.turns, white.turns = nil, nil
	table.Margins[shogi.White] = 200 * time.Millisecond
	r, err = Play(context.Background(), table, opening)
	require.NoError(t, err)
	require.Equal(t, OutcomeResign, r.Outcome, "White has a margin of its own")

	require.Equal(t, "go nodes 800 depth 3", (&Turn{Control: TimeControl{Nodes: 800, Depth: 3}}).command(false))
}

func TestRules(t *testing.T) {
	r := DefaultRules()
	require.NoError(t, r.Check())
	r.Declaration = "CSARule28"
	require.ErrorContains(t, r.Check(), `did you mean "CSARule24"?`)
	for text, part := range map[string]string{"3000": `""`, "yx4": `"y"`, "-3x2": `"-3"`, "30x0": `"0"`} {
		_, err := ParseResign(text)
		require.ErrorContains(t, err, part, text)
	}
	_, err := ParseDraw("20x8@x")
	require.ErrorContains(t, err, `"x"`)
	d, err := ParseDraw("20x8@160")
	require.NoError(t, err)
	require.Equal(t, DrawRule{20, 8, 160}, d)
}
