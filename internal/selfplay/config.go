package selfplay

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// Config decides, together with the nets and the list of openings, what a game with a number is like.
type Config struct {
	// Seed is the start of all random numbers of the run.
	Seed uint64 `json:"seed,omitempty"`
	// DeepNodes and FastNodes are the playouts of a deep and of a fast search. DeepShare is the share of deep ones, 0..1.
	DeepNodes int64   `json:"deep_nodes"`
	FastNodes int64   `json:"fast_nodes"`
	DeepShare float64 `json:"deep_share"`
	// NoiseShare is the part of the root's priors that is noise in deep searches, 0..1; NoiseConcentration is the sum of the
	// Dirichlet distribution's parameters. See uct.RootNoise.
	NoiseShare         float64 `json:"noise"`
	NoiseConcentration float64 `json:"noise_concentration"`
	// Temperature spreads the choice among the searched moves: a move's chance grows with visits^(1/temperature). It falls from
	// Temperature at move number 1 towards FinalTemperature, the difference halved every HalfLife plies. Both are 0 or more; 0 plays the best.
	Temperature      float64 `json:"temperature"`
	FinalTemperature float64 `json:"final_temperature"`
	HalfLife         int     `json:"half_life"`
	// OpeningShare is the share of games that begin from the list of openings, 0..1; the others begin from the start position.
	// After that up to RandomPlies moves, in number equally likely, are drawn as the policy says.
	OpeningShare float64 `json:"opening_share"`
	RandomPlies  int     `json:"random_plies"`
	// Resign is the win rate below which a side gives up when its last ResignMoves searches agree; 0 for never. PlayOn is the
	// share of games, 0..1, that are played on in spite of that.
	Resign      float64 `json:"resign"`
	ResignMoves int     `json:"resign_moves"`
	PlayOn      float64 `json:"play_on"`
	// MaxMoves is the number of moves after which a game is drawn.
	MaxMoves int `json:"max_moves"`
	// Declaration is the entering-king rule.
	Declaration shogi.DeclarationRule `json:"-"`
	// HashMB is the memory of each worker's tree in MB.
	HashMB int `json:"hash_mb"`
}

// MarshalJSON names the entering-king rule.
func (c Config) MarshalJSON() ([]byte, error) {
	return json.Marshal(namedConfig{plainConfig(c), c.Declaration.String()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Config) UnmarshalJSON(data []byte) error {
	n := namedConfig{plainConfig: plainConfig(*c)}
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	rule, err := shogi.ParseDeclarationRule(n.Rule)
	*c = Config(n.plainConfig)
	c.Declaration = rule
	return err
}

// plainConfig is a Config without its methods, namedConfig has the rule by its name.
type plainConfig Config
type namedConfig struct {
	plainConfig
	Rule string `json:"declaration"`
}

// DefaultConfig returns settings that are good for learning: after KataGo's («Accelerating Self-Play Learning in Go», 2020: a quarter of
// deep searches, temperature 0.8 falling to 0.2, resignation at 5 %) and AlphaZero's noise for shogi.
func DefaultConfig() Config {
	return Config{
		DeepNodes: 800, FastNodes: 100, DeepShare: 0.25,
		NoiseShare: 0.25, NoiseConcentration: 12,
		Temperature: 0.8, FinalTemperature: 0.2, HalfLife: 20,
		OpeningShare: 0.5, RandomPlies: 8,
		Resign: 0.05, ResignMoves: 3, PlayOn: 0.1,
		MaxMoves: 320, Declaration: shogi.CSARule27, HashMB: 4,
	}
}

const (
	// maxPlies is the largest MaxMoves: what a node's key can count.
	maxPlies = 1<<16 - 1
	// maxConcentration is the largest NoiseConcentration; its noise is the same for all moves.
	maxConcentration = 1_000_000
	// maxHashMB is the largest HashMB, as for the engine's option.
	maxHashMB = 1 << 16
)

// Check refuses settings that make no sense. The error names the setting as the command line does.
func (c *Config) Check() error {
	for _, s := range []struct {
		name  string
		value float64
	}{{"deep-share", c.DeepShare}, {"noise", c.NoiseShare}, {"opening-share", c.OpeningShare}, {"resign", c.Resign}, {"play-on", c.PlayOn}} {
		if !(s.value >= 0 && s.value <= 1) {
			return fmt.Errorf("bad %s %v: want 0..1", s.name, s.value)
		}
	}
	const hottest = 100
	for _, s := range []struct {
		name  string
		value float64
	}{{"temperature", c.Temperature}, {"final-temperature", c.FinalTemperature}} {
		if !(s.value >= 0 && s.value <= hottest) {
			return fmt.Errorf("bad %s %v: want 0..%d", s.name, s.value, hottest)
		}
	}
	switch {
	case c.DeepNodes < 1 || c.FastNodes < 1:
		return fmt.Errorf("bad deep-nodes %d or fast-nodes %d: want at least 1", c.DeepNodes, c.FastNodes)
	case c.NoiseShare > 0 && !(c.NoiseConcentration > 0 && c.NoiseConcentration <= maxConcentration):
		return fmt.Errorf("bad noise-concentration %v: want more than 0 and at most %d", c.NoiseConcentration, maxConcentration)
	case c.HalfLife < 1:
		return fmt.Errorf("bad half-life %d: want at least 1", c.HalfLife)
	case c.RandomPlies < 0:
		return fmt.Errorf("bad random-plies %d: want 0 or more", c.RandomPlies)
	case c.ResignMoves < 1:
		return fmt.Errorf("bad resign-moves %d: want at least 1", c.ResignMoves)
	case c.MaxMoves < 1 || c.MaxMoves > maxPlies:
		return fmt.Errorf("bad max-moves %d: want 1..%d", c.MaxMoves, maxPlies)
	case c.HashMB < 1 || c.HashMB > maxHashMB:
		return fmt.Errorf("bad hash %d: want 1..%d", c.HashMB, maxHashMB)
	}
	return nil
}

// seedSetting is the name of the seed among a game's settings.
const seedSetting = "seed"

// settings returns all that decides the games, by the names of the command line. They are kept with each game.
func (c *Config) settings(openings []match.Opening) []record.Setting {
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	list := "none"
	if c.OpeningShare > 0 && len(openings) > 0 {
		list = match.HashOpenings(openings)[:16]
	}
	return []record.Setting{
		{Name: seedSetting, Value: strconv.FormatUint(c.Seed, 10)},
		{Name: "deep-nodes", Value: strconv.FormatInt(c.DeepNodes, 10)},
		{Name: "fast-nodes", Value: strconv.FormatInt(c.FastNodes, 10)},
		{Name: "deep-share", Value: float(c.DeepShare)},
		{Name: "noise", Value: float(c.NoiseShare)},
		{Name: "noise-concentration", Value: float(c.NoiseConcentration)},
		{Name: "temperature", Value: float(c.Temperature)},
		{Name: "final-temperature", Value: float(c.FinalTemperature)},
		{Name: "half-life", Value: strconv.Itoa(c.HalfLife)},
		{Name: "openings", Value: list},
		{Name: "opening-share", Value: float(c.OpeningShare)},
		{Name: "random-plies", Value: strconv.Itoa(c.RandomPlies)},
		{Name: "resign", Value: float(c.Resign)},
		{Name: "resign-moves", Value: strconv.Itoa(c.ResignMoves)},
		{Name: "play-on", Value: float(c.PlayOn)},
		{Name: "max-moves", Value: strconv.Itoa(c.MaxMoves)},
		{Name: "declaration", Value: c.Declaration.String()},
		{Name: "hash", Value: strconv.Itoa(c.HashMB)},
	}
}
