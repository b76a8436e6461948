package tune

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/uct"
)

func number64(n int64) *int64 { return &n }

func TestParseParam(t *testing.T) {
	for text, want := range map[string]Request{
		"C_puct":                          {Name: "C_puct"},
		"C_puct=2690:500:20000:400":       {"C_puct", number64(2690), number64(500), number64(20000), number64(400)},
		" C_puct = 1 : -2 : 3 : 4 ":       {"C_puct", number64(1), number64(-2), number64(3), number64(4)},
		"SlowMover=:::10":                 {Name: "SlowMover", Step: number64(10)},
		"C_puct=3000":                     {Name: "C_puct", Start: number64(3000)},
		"C_puct=:500":                     {Name: "C_puct", Min: number64(500)},
		"C_puct=":                         {Name: "C_puct"},
		"Skill Level=9223372036854775807": {Name: "Skill Level", Start: number64(1<<63 - 1)},
	} {
		got, err := ParseParam(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"":                            `bad parameter ""`,
		"=3":                          `bad parameter "=3"`,
		"C_puct=1:2:3:4:5":            "5 numbers",
		"C_puct=x":                    `start "x"`,
		"C_puct=1:two":                `minimum "two"`,
		"C_puct=1:2:3.5":              `maximum "3.5"`,
		"C_puct=1:2:3:1e3":            `step "1e3"`,
		"C_puct=99999999999999999999": "is no whole number",
	} {
		_, err := ParseParam(text)
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParseParam(f *testing.F) {
	f.Add("C_puct=2690:500:20000:400")
	f.Add("SlowMover=:::10")
	f.Add("x=-1:")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseParam(text)
		if err != nil {
			return
		}
		require.NotEmpty(t, r.Name)
		require.False(t, strings.Contains(r.Name, "="))
		if r.Start == nil || r.Min == nil || r.Max == nil || r.Step == nil {
			return
		}
		p := Param{r.Name, *r.Start, *r.Min, *r.Max, *r.Step}
		again, err := ParseParam(p.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

func TestTunables(t *testing.T) {
	list := Tunables(engine.New().Options())
	byName := make(map[string]Tunable)
	for _, row := range list {
		byName[row.Name] = row
	}
	require.Equal(t, Tunable{Param{"C_puct", 2690, 500, 20000, 200}, "exploration inside the tree; larger tries more moves"}, byName["C_puct"])
	require.EqualValues(t, 500, byName["C_puct_base"].Step, "an option in the tunable's own unit")
	require.Contains(t, byName, "SlowMover")
	require.NotContains(t, byName, "Seed")
	require.NotContains(t, byName, "USI_Ponder")
	for _, row := range uct.ParamTable() {
		p := byName[row.Name].Param
		require.NoError(t, p.Check(), "every tunable of the search can be tuned without more words")
		require.NotEmpty(t, byName[row.Name].Meaning)
	}
}

func TestResolve(t *testing.T) {
	declared := engine.New().Options()
	base := []match.Setting{{Name: "SlowMover", Value: "120"}}
	params, err := resolve([]Request{{Name: "slowmover", Step: number64(10)}, {Name: "C_puct", Start: number64(3000), Max: number64(9000)}}, declared, base)
	require.NoError(t, err)
	require.Equal(t, []Param{{"SlowMover", 120, 10, 1000, 10}, {"C_puct", 3000, 500, 9000, 200}}, params)
}

// TestBadParams asks for what cannot be tuned: the errors name the parameter and what is wrong, and nothing is left behind.
func TestBadParams(t *testing.T) {
	declared := engine.New().Options()
	for text, want := range map[string]string{
		"C_puc":                   `no option "C_puc", did you mean "C_puct"?`,
		"zzz":                     `no option "zzz"`,
		"USI_Ponder":              "USI_Ponder cannot be tuned: it is no number",
		"Seed":                    "Seed cannot be tuned",
		"SlowMover":               "SlowMover has no step of its own",
		"C_puct=100":              "C_puct: bad start 100: not in the range 500..20000",
		"C_puct=:100":             "C_puct: bad range 100..20000: the option takes 500..20000",
		"C_puct=::20001":          "the option takes 500..20000",
		"C_puct=:3000:3000":       "C_puct: bad range 3000..3000",
		"C_puct=:::0":             "C_puct: bad step 0",
		"C_puct=:::9751":          "C_puct: bad step 9751: want 1 to 9750",
		"NodesLimit=:::10":        "NodesLimit: the range 0..9223372036854775807 is too wide",
		"C_puct_root C_puct_Root": "parameter C_puct_root is given twice",
		"":                        "no parameter to tune",
	} {
		var requests []Request
		for _, word := range strings.Fields(text) {
			r, err := ParseParam(word)
			require.NoError(t, err)
			requests = append(requests, r)
		}
		_, err := resolve(requests, declared, nil)
		require.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{"Threads": "Threads cannot be tuned: the match decides it", "C_puc": `did you mean "C_puct"?`} {
		c := quickConfig()
		c.Requests = []Request{{Name: text, Step: number64(1)}}
		dir := t.TempDir()
		_, err := Create(context.Background(), dir, c)
		require.ErrorContains(t, err, want)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

func TestBadConfig(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"bad number of iterations 0":   func(c *Config) { c.Iterations = 0 },
		"bad number of pairs -1":       func(c *Config) { c.Pairs = -1 },
		"bad rate 0":                   func(c *Config) { c.R = 0 },
		"bad rate 1.5":                 func(c *Config) { c.R = 1.5 },
		`did you mean "USI_Hash"?`:     func(c *Config) { c.Options[0].Name = "USI_Hsah" },
		"bad value \"x\" for USI_Hash": func(c *Config) { c.Options[0].Value = "x" },
		"no time control":              func(c *Config) { c.Time = match.TimeControl{} },
		`did you mean "CSARule24"?`:    func(c *Config) { c.Rules.Declaration = "CSARule2" },
		"no such file":                 func(c *Config) { c.Openings = "/no/such" },
		"but a game draws after 5":     func(c *Config) { c.Rules.MaxPlies = 5 },
	} {
		c := quickConfig()
		change(&c)
		_, err := Create(context.Background(), t.TempDir(), c)
		require.ErrorContains(t, err, want)
	}
}
