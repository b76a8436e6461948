package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/internal/train"
)

// Config is all that decides what a loop makes.
type Config struct {
	// Seed decides everything random; the seeds of the parts below are not used.
	Seed uint64 `json:"seed"`
	// Games is the number of games of a generation.
	Games    int64           `json:"games"`
	SelfPlay selfplay.Config `json:"self_play"`
	// Openings is the file of openings for self-play and gate, "" for the embedded list.
	Openings string `json:"openings,omitempty"`
	// Window is how many generations are learnt from: the newest and those before it.
	Window int `json:"window"`
	// Handed is the handed data. Its Share is the share of the last games that is kept for validation, of the handed files together and
	// of each generation's games.
	Handed train.Sources `json:"handed"`
	// HandedShare is the share of handed positions among those that a net learns from, 0 or more and less than 1. It has no meaning
	// without handed files.
	HandedShare float64 `json:"handed_share"`
	// Scratch begins each training with random weights instead of the best net's.
	Scratch bool         `json:"from_scratch"`
	Policy  train.Config `json:"policy"`
	Value   train.Config `json:"value"`
	Gate    Gate         `json:"gate"`
}

// Gate says how new nets are judged.
type Gate struct {
	// Nodes is the playouts of each move.
	Nodes int64 `json:"nodes"`
	// Games is the most games, an even number. When the test is still undecided then, the new nets are rejected.
	Games int `json:"games"`
	// HashMB is the memory of each player's tree in MB.
	HashMB int `json:"hash_mb"`
	// SPRT is the test of new − best. The new nets are promoted when it accepts H1.
	SPRT  match.SPRT  `json:"sprt"`
	Rules match.Rules `json:"rules"`
}

// DefaultConfig returns settings for a loop on a machine with few cores: generations of 500 games, of which a window of five is
// learnt from in equal parts with handed data, at rates of a fifth of those of a training from scratch.
func DefaultConfig() Config {
	c := Config{
		Seed: 1, Games: 500, SelfPlay: selfplay.DefaultConfig(), Window: 5, Handed: train.Sources{Share: .1}, HandedShare: .5,
		Policy: train.DefaultConfig(train.Policy), Value: train.DefaultConfig(train.Value),
		Gate: Gate{
			Nodes: 400, Games: 1600, HashMB: 16, Rules: match.DefaultRules(),
			SPRT: match.SPRT{Elo0: 0, Elo1: 30, Alpha: .05, Beta: .05, Model: match.Normalized},
		},
	}
	for _, net := range []*train.Config{&c.Policy, &c.Value} {
		net.Epochs, net.Rate = 1, net.Rate/5
		net.WarmUp = 20 // the first generations have less than 100 batches
	}
	c.Gate.Rules.Resign = match.ResignRule{Score: 2500, Count: 3}
	return c
}

// maxHashMB is the largest Gate.HashMB, what the engine's option takes.
const maxHashMB = 1 << 16

// maxGenerationGames bounds the games of a generation, which are sorted in memory.
const maxGenerationGames = 1_000_000

// Check refuses settings that make no sense.
func (c *Config) Check() error {
	switch {
	case c.Games < 1 || c.Games > maxGenerationGames:
		return fmt.Errorf("bad games %d of a generation: want 1..%d", c.Games, maxGenerationGames)
	case c.Window < 1:
		return fmt.Errorf("bad window %d: want at least 1", c.Window)
	case !(c.HandedShare >= 0 && c.HandedShare < 1):
		return fmt.Errorf("bad handed share %v: want 0 or more and less than 1", c.HandedShare)
	case !(c.Handed.Share >= 0 && c.Handed.Share < 1):
		return fmt.Errorf("bad validation share %v: want 0 or more and less than 1", c.Handed.Share)
	case len(c.Handed.Train) == 0 && len(c.Handed.Last)+len(c.Handed.Also) > 0:
		return errors.New("files to validate with, but no handed files to learn from")
	case c.Gate.Nodes < 1:
		return fmt.Errorf("bad gate nodes %d: want at least 1", c.Gate.Nodes)
	case c.Gate.HashMB < 1 || c.Gate.HashMB > maxHashMB:
		return fmt.Errorf("bad gate hash %d: want 1..%d", c.Gate.HashMB, maxHashMB)
	case !c.Gate.SPRT.On():
		return errors.New("bad gate: it needs the bounds of a test")
	}
	for _, part := range []struct {
		name string
		err  error
	}{{"self-play", c.SelfPlay.Check()}, {"policy net", c.Policy.Check()}, {"value net", c.Value.Check()}} {
		if part.err != nil {
			return fmt.Errorf("%s: %w", part.name, part.err)
		}
	}
	gate := c.match("new", "best", 0)
	if err := errors.Join(c.Gate.SPRT.Check(), gate.Check()); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

// fits refuses start nets that the training cannot go on from.
func (c *Config) fits(nets *selfplay.Nets) error {
	if scale := nets.EvalCoef(); scale != c.Value.ScoreScale {
		return fmt.Errorf("the start value net gives scores on a scale of %v, but the training takes them on one of %v (score scale)", scale, c.Value.ScoreScale)
	}
	if c.Scratch {
		return nil
	}
	ofPolicy, ofValue := nets.Hidden()
	for _, net := range []struct {
		name         string
		theirs, ours int
	}{{"policy", ofPolicy, c.Policy.Hidden}, {"value", ofValue, c.Value.Hidden}} {
		if net.theirs != net.ours {
			return fmt.Errorf("the start %s net has %d hidden units, but %d are to be trained: begin from scratch, or with other nets", net.name, net.theirs, net.ours)
		}
	}
	return nil
}

// stored is what config.json holds.
type stored struct {
	Version int    `json:"version"`
	Config  Config `json:"config"`
	// OpeningsSHA256 and Handed tell the contents of the files, those of Handed by name.
	OpeningsSHA256 string            `json:"openings_sha256"`
	Files          map[string]string `json:"handed_sha256,omitempty"`
	// Nets are the nets of generation 0.
	Nets string `json:"start_nets"`
}

const storedVersion = 1

// identify reads the files that the config names.
func identify(c Config) (*stored, []match.Opening, error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	openings, err := match.LoadOpenings(c.Openings)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range openings {
		if ply := o.Game().Position().Ply(); c.Gate.Rules.MaxPlies > 0 && ply > c.Gate.Rules.MaxPlies {
			return nil, nil, fmt.Errorf("opening in line %d: it begins with move %d, but a game draws after %d", o.Line, ply, c.Gate.Rules.MaxPlies)
		}
	}
	s := &stored{Version: storedVersion, Config: c, OpeningsSHA256: match.HashOpenings(openings), Files: map[string]string{}}
	for _, path := range slices.Concat(c.Handed.Train, c.Handed.Last, c.Handed.Also) {
		if s.Files[path], err = hashFile(path); err != nil {
			return nil, nil, err
		}
	}
	return s, openings, nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// readStored reads a config.json.
func readStored(path string) (*stored, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := new(stored)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Version != storedVersion {
		return nil, fmt.Errorf("%s: version %d, this program reads %d", path, s.Version, storedVersion)
	}
	return s, nil
}

// changed says which setting differs and how, "" when none does.
func (s *stored) changed(now *stored) (string, error) {
	then, err1 := flatten(s)
	current, err2 := flatten(now)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	names := maps.Clone(then)
	maps.Copy(names, current)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if then[name] != current[name] {
			return fmt.Sprintf("%s was %s, now it is %s", name, orNone(then[name]), orNone(current[name])), nil
		}
	}
	return "", nil
}

func orNone(text string) string {
	if text == "" {
		return "not given"
	}
	return text
}

// flatten returns the values of what JSON makes of x by their paths, such as "gate.nodes".
func flatten(x any) (map[string]string, error) {
	data, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	var tree map[string]json.RawMessage
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	out := make(map[string]string)
	var walk func(prefix string, tree map[string]json.RawMessage)
	walk = func(prefix string, tree map[string]json.RawMessage) {
		for name, value := range tree {
			var inner map[string]json.RawMessage
			if json.Unmarshal(value, &inner) == nil && inner != nil {
				walk(prefix+name+".", inner)
			} else {
				out[prefix+name] = string(value)
			}
		}
	}
	walk("", tree)
	return out, nil
}
