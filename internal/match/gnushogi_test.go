package match

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// fakeGNU is a player in whose place a fake GNU Shogi stands.
func fakeGNU(t *testing.T, habit string) Spec {
	self, err := os.Executable()
	require.NoError(t, err)
	return Spec{Name: habit, Preset: "gnushogi", Command: []string{self, "fake-gnushogi", habit}, Time: TimeControl{Byoyomi: time.Second}}
}

func TestGnushogiEdit(t *testing.T) {
	for _, c := range readCases(t, "testdata/gnushogi-edit.txt") {
		p, err := shogi.ParseSFEN(c[0])
		require.NoError(t, err)
		require.Equal(t, c[1], strings.Join(edit(&p), " "))
	}
}

// readCases reads pairs of lines: a question and its answer. Empty lines and lines with # in front are skipped.
func readCases(t *testing.T, file string) [][2]string {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	require.NotEmpty(t, lines)
	require.Zero(t, len(lines)%2)
	var cases [][2]string
	for i := 0; i < len(lines); i += 2 {
		cases = append(cases, [2]string{lines[i], lines[i+1]})
	}
	return cases
}

func TestGnushogiReply(t *testing.T) {
	for line, want := range map[string]struct {
		text string
		kind replyKind
	}{
		"1. ... 7g7f 299700":                {"7g7f", replyMove},
		"12. ... P*5e -1000":                {"P*5e", replyMove},
		"3. ... 8h2b+ 0":                    {"8h2b+", replyMove},
		"1. 7g7f 299700":                    {"", replyOther},
		"Illegal move (no match) 2g2f":      {"Illegal move (no match) 2g2f", replyRefusal},
		"Illegal move (in check) 9i8i":      {"Illegal move (in check) 9i8i", replyRefusal},
		"White mates!":                      {"White mates!", replyOver},
		"Drawn game!":                       {"Drawn game!", replyOver},
		"Clocks: 0 0":                       {"", replyOther},
		"enter piece & location:":           {"", replyOther},
		"":                                  {"", replyOther},
		"GNU Shogi 1.4.2 ... is not a move": {"", replyOther},
	} {
		text, kind := readReply(line)
		require.Equal(t, want.text, text, line)
		require.Equal(t, want.kind, kind, line)
	}
}

// Whole games: the fake keeps its own board and dies of what it does not understand, and the match checks its moves.
func TestGnushogiPlays(t *testing.T) {
	rules := testRules()
	rules.MaxPlies = 60
	for _, habit := range []string{"plays well", "sees a draw"} {
		for _, r := range playFakes(t, fakeGNU(t, habit), fake(t, "plays well"), 4, rules) {
			require.False(t, r.Outcome.IsFault(), "%s: %s\n%s", r.Outcome, r.Detail, strings.Join(r.Lines, "\n"))
			require.NotEmpty(t, r.Plies)
		}
	}
}

func TestGnushogiFromTheStart(t *testing.T) {
	player := newGnushogi(fakeGNU(t, "plays well"), testRules(), 0)
	defer player.Close()
	require.NoError(t, player.NewGame(t.Context(), 1))
	turn := Turn{Game: shogi.NewGame(shogi.StartPosition()), Control: player.spec.Time}
	require.Equal(t, []string{"new", "level 0 0:01", "black", "force", "switch"}, player.commands(&turn))
	turn.Control = TimeControl{MoveTime: 75 * time.Second}
	require.Equal(t, "level 0 1:15", player.commands(&turn)[1])
	turn.Control = player.spec.Time
	for range 3 {
		a, err := player.Think(t.Context(), turn)
		require.NoError(t, err)
		require.NoError(t, turn.Game.Do(a.Move))
		reply := turn.Game.Position().AppendLegal(nil)[0]
		require.NoError(t, turn.Game.Do(reply))
		require.Equal(t, []string{reply.String()}, player.commands(&turn), "it only needs to be told the reply")
	}
	elsewhere := turn
	elsewhere.Game = shogi.NewGame(shogi.StartPosition())
	require.Len(t, player.commands(&elsewhere), 5, "another game is told from its beginning")
}

func TestGnushogiFaults(t *testing.T) {
	for habit, want := range map[string]struct {
		outcome        Outcome
		detail, stderr string
	}{
		"hangs":                 {OutcomeNoBestMove, "no answer to ", ""},
		"dies":                  {OutcomeCrash, "exit status 3", "segmentation fault"},
		"plays an illegal move": {OutcomeIllegalMove, `"5i5a"`, ""},
		"refuses":               {OutcomeIllegalMove, "Illegal move (no match)", ""},
		"gives up":              {OutcomeResign, "", ""},
	} {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			for _, r := range playFakes(t, fakeGNU(t, habit), fake(t, "plays well"), 4, testRules()) {
				require.Equal(t, want.outcome, r.Outcome, "%+v", r)
				require.Equal(t, PlayerB, r.Winner())
				require.Contains(t, r.Detail, want.detail)
				require.Contains(t, r.Stderr, want.stderr)
				require.NotEmpty(t, r.Plies)
			}
		})
	}
	rules := testRules()
	rules.Startup = time.Second
	_, err := Identify(t.Context(), fakeGNU(t, "stalls"), rules)
	require.ErrorContains(t, err, "stall: no answer")
}

func TestGnushogiSpec(t *testing.T) {
	id, err := Identify(t.Context(), fakeGNU(t, "plays well"), testRules())
	require.NoError(t, err)
	require.Equal(t, "GNU Shogi fake", id.Engine)
	s := fakeGNU(t, "plays well")
	s.Options = []Setting{{"Threads", "1"}}
	_, err = Identify(t.Context(), s, testRules())
	require.ErrorContains(t, err, `no option "Threads"`)
	for _, text := range []string{"10+0.1", "0,0.5", "movetime=1500ms", "nodes=10", "1,1", "movetime=1s depth=3"} {
		s.Time, err = ParseTimeControl(text)
		require.NoError(t, err)
		require.ErrorContains(t, s.CheckTime(), "whole seconds a move", text)
	}
	s.Time = TimeControl{MoveTime: 2 * time.Second}
	require.NoError(t, s.CheckTime())
}

// A real game, where Debian's gnushogi is installed.
func TestRealGnushogi(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for some seconds")
	}
	s, err := ParseSpec("gnushogi")
	if err != nil {
		t.Skip("gnushogi is not installed (Debian: apt-get install gnushogi)")
	}
	if _, err := exec.LookPath(s.Command[0]); err != nil {
		t.Skip("gnushogi is not installed (Debian: apt-get install gnushogi)")
	}
	s.Time = TimeControl{Byoyomi: time.Second}
	id, err := Identify(t.Context(), s, testRules())
	require.NoError(t, err)
	require.Contains(t, id.Engine, "GNU Shogi")
	rules := testRules() // games end after move 32, openings are up to 25 long
	for _, r := range playFakes(t, s, fake(t, "plays well"), 2, rules) {
		require.False(t, r.Outcome.IsFault(), "%s: %s\n%s", r.Outcome, r.Detail, strings.Join(r.Lines, "\n"))
	}
}
