package engine

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/uct"
)

func TestOptionTableIsSound(t *testing.T) {
	table := optionTable()
	seen := map[string]bool{}
	for i := range table {
		o := &table[i]
		for _, name := range append([]string{o.Name}, o.aliases...) {
			require.NotContains(t, name, " ", "GUIs drop names with blanks")
			require.False(t, seen[strings.ToLower(name)], "%s twice", name)
			seen[strings.ToLower(name)] = true
			require.Same(t, o, find(table, strings.ToUpper(name)))
		}
		value, err := o.Check(o.Default)
		require.NoError(t, err)
		require.Equal(t, o.Default, value)
		require.NotEmpty(t, o.help)
		require.Equal(t, usi.Text(o.String()), o.String(), "plain text of a bearable length")
	}
}

// Every row must reach its own setting: a changed value changes the settings, and changing it back restores them.
func TestEveryOptionActs(t *testing.T) {
	table := optionTable()
	var reached []settings
	for i := range table {
		o := &table[i]
		if o.Type == usi.Button {
			require.NotNil(t, o.press)
			continue
		}
		s := defaults(table)
		other := map[usi.OptionType]string{usi.Check: "true", usi.String: "x", usi.Filename: "x"}[o.Type]
		switch {
		case o.Type == usi.Check && o.Default == "true":
			other = "false"
		case o.Type == usi.Spin && o.Default == "0":
			other = "1"
		case o.Type == usi.Spin:
			other = spinText(o.Min)
			if other == o.Default {
				other = spinText(o.Max)
			}
		case o.Type == usi.Combo:
			other = o.Vars[0]
			if other == o.Default {
				other = o.Vars[1]
			}
		}
		o.put(&s, other)
		require.NotEqual(t, defaults(table), s, o.Name)
		require.NotContains(t, reached, s, "%s shares a setting", o.Name)
		reached = append(reached, s)
		o.put(&s, o.Default)
		require.Equal(t, defaults(table), s, o.Name)
	}
}

func spinText(n int64) string { return strconv.FormatInt(n, 10) }

// The defaults of the search's tunables survive the way through whole numbers, so a GUI that sends all defaults changes nothing.
func TestTunablesAreExact(t *testing.T) {
	s := defaults(optionTable())
	for i, want := range uct.DefaultParams() {
		require.InDelta(t, want, s.uctParams()[i], 1e-12, uct.ParamTable()[i].Name)
	}
	require.Equal(t, uct.DefaultParams(), s.uctParams())
}

func TestDefaultsAreTheSearchs(t *testing.T) {
	got, want := New().options(), uct.DefaultOptions()
	want.ResignThreshold = 0.01
	require.Equal(t, want, got)
}

func TestSet(t *testing.T) {
	e := New()
	set := func(name, value string) error { return e.Set(usi.Setting{Name: name, Value: value, HasValue: true}) }
	require.NoError(t, set("uct_threads", "2"))
	require.Equal(t, int64(2), e.set.threads)
	require.NoError(t, set("Draw_Value_White", "700"))
	require.InDelta(t, 0.3, e.options().DrawValue[1], 1e-6, "worth 0.7 to White is worth 0.3 to Black")
	require.NoError(t, set("UCT_Hash_Size", "4096"))
	before := e.set
	require.ErrorIs(t, set("No_Such_Option", "1"), ErrUnknownOption)
	require.ErrorContains(t, set("Threads", "0"), `"0"`)
	require.ErrorContains(t, set("UCT_Hash_Size", "4097"), `"4097"`)
	require.ErrorContains(t, e.Set(usi.Setting{Name: "Threads"}), "missing")
	require.Equal(t, before, e.set)
}

func TestHelpNamesEveryOption(t *testing.T) {
	help := OptionHelp()
	for _, o := range New().Options() {
		require.Contains(t, help, "  "+o.Name+" (")
	}
}

var update = flag.Bool("update", false, "write the README's option table anew")

// The README's table is this table.
func TestReadmeHasTheOptions(t *testing.T) {
	const path, begin, end = "../../README.md", "<!-- options:begin -->\n", "<!-- options:end -->"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "options:begin is missing")
	got, tail, found := strings.Cut(rest, end)
	require.True(t, found, "options:end is missing")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(head+begin+OptionMarkdown()+end+tail), 0o644))
		return
	}
	require.Equal(t, OptionMarkdown(), got, "-update writes it")
}

func TestMachineMB(t *testing.T) {
	if mb := MachineMB(); mb != 0 {
		require.Greater(t, mb, int64(64))
		require.Less(t, mb, int64(math.MaxInt32))
	}
}
