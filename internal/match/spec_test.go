package match

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestIdentify(t *testing.T) {
	s := fake(t, "plays well")
	s.Options = []Setting{{"skill level", "3"}}
	id, err := Identify(t.Context(), s, testRules())
	require.NoError(t, err)
	require.Equal(t, "fake plays well", id.Engine)
	require.Len(t, id.SHA256, 64)
	require.Equal(t, []Setting{{"USI_Ponder", "false"}, {"Threads", "1"}, {"MaxMovesToDraw", "32"}, {"Skill Level", "3"}}, id.Options)

	s.Options = []Setting{{"Thread", "2"}}
	_, err = Identify(t.Context(), s, testRules())
	require.ErrorContains(t, err, `no option "Thread", did you mean "Threads"?`)
	s.Options = []Setting{{"Threads", "200"}}
	_, err = Identify(t.Context(), s, testRules())
	require.ErrorContains(t, err, "1..64")

	_, err = Identify(t.Context(), Spec{Name: InProcess, Options: []Setting{{"USI_Hsah", "16"}}, Time: TimeControl{Nodes: 1}}, testRules())
	require.ErrorContains(t, err, `did you mean "USI_Hash"?`)

	g, err := ParseSpec("gpsusi")
	require.NoError(t, err)
	g.Time = TimeControl{MoveTime: time.Second}
	require.ErrorContains(t, g.CheckTime(), "only with byoyomi")
	g.Time = TimeControl{Byoyomi: time.Second}
	require.NoError(t, g.CheckTime())
}

func TestParseSpec(t *testing.T) {
	s, err := ParseSpec(`sh -c "exec 'my engine'" ''`)
	require.NoError(t, err)
	require.Equal(t, []string{"sh", "-c", "exec 'my engine'", ""}, s.Command)
	s, err = ParseSpec("yomi")
	require.NoError(t, err)
	require.Empty(t, s.Command)
	for text, want := range map[string]string{"": `""`, `sh "x`: "not closed", "gpsus": `did you mean "gpsusi"?`} {
		_, err = ParseSpec(text)
		require.ErrorContains(t, err, want)
	}
}

// Ctrl-C ends the start of an engine that does not answer.
func TestIdentifyEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := Identify(ctx, fake(t, "stalls"), testRules())
	require.Error(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
}

// A net that cannot be read must not be replaced by another one unnoticed.
func TestIdentifyErrors(t *testing.T) {
	self := Spec{Name: InProcess, Options: []Setting{{"USI_Hash", "1"}, {"PolicyFile", "/no/such/file"}}, Time: TimeControl{Nodes: 1}}
	_, err := Identify(t.Context(), self, testRules())
	require.ErrorContains(t, err, "/no/such/file")

	id, err := Identify(t.Context(), fake(t, "has lost its net"), testRules())
	require.NoError(t, err)
	require.Equal(t, []string{"Error: no net", "warning: weak"}, id.Remarks)
}

// The files that a player is given are part of it, be they arguments or values of options.
func TestIdentityOfFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	s := fake(t, "plays well")
	for _, c := range []struct {
		command  []string
		settings []Setting
	}{
		{command: []string{s.Command[0], file}},
		{command: []string{s.Command[0]}, settings: []Setting{{"EvalFile", file}}},
		{settings: []Setting{{"PolicyFile", file}}},
	} {
		s.Command = c.command
		hash := func(text string) string {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			got, err := s.hash("sh", c.settings)
			require.NoError(t, err)
			return got
		}
		require.NotEqual(t, hash("a"), hash("b"), c)
		require.Equal(t, hash("a"), hash("a"), c)
	}
	// A relative name is looked for where the program runs.
	folder := t.TempDir()
	s = Spec{Command: []string{filepath.Join(folder, "engine"), "net"}}
	require.NoError(t, os.WriteFile(s.Command[0], []byte("#!"), 0o755))
	without, err := s.hash(s.Command[0], nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "net"), []byte("x"), 0o644))
	with, err := s.hash(s.Command[0], nil)
	require.NoError(t, err)
	require.NotEqual(t, without, with)
}

func TestConfigCheck(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"bad number of games": func(c *Config) { c.Games = 2_000_000_000 },
		`bad name "a\nb"`:     func(c *Config) { c.B.Name = "a\nb" },
		"has no time control": func(c *Config) { c.A.Time = TimeControl{} },
		"bad margin":          func(c *Config) { c.A.Margin = -1 },
		"draws after 8":       func(c *Config) { c.Rules.MaxPlies = 8 },
	} {
		c := selfConfig(2, TimeControl{Nodes: 1})
		change(&c)
		_, err := Create(t.Context(), t.TempDir(), c)
		require.ErrorContains(t, err, want)
	}
}

// A journal that could not be begun is not left in the way.
func TestCreateJournalFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), JournalName)
	_, err := CreateJournal(path, &Header{SPRT: &SPRT{Elo0: math.Inf(-1)}})
	require.Error(t, err)
	require.NoFileExists(t, path)
}
