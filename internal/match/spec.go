package match

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/usi"
)

// InProcess is the name of the player that is yomi itself, run inside this program.
const InProcess = "yomi"

// Spec says who a player is.
type Spec struct {
	// Name is what reports call the player.
	Name string `json:"name"`
	// Preset names a program whose habits are known (see Presets), "" for any other.
	Preset string `json:"preset,omitempty"`
	// Command is the program with its arguments; empty means yomi in this process.
	Command []string `json:"command,omitempty"`
	// Options are set on the engine, in this order, after those that the match itself sets.
	Options []Setting `json:"options,omitempty"`
	// Time is how long the player may think.
	Time TimeControl `json:"time"`
	// Margin is what its moves may take over their time without loss; 0 for the margin of the match.
	Margin time.Duration `json:"margin_ns,omitempty"`
}

// Setting is an option with its value.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ParseSetting reads NAME=VALUE.
func ParseSetting(text string) (Setting, error) {
	name, value, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return Setting{}, fmt.Errorf("bad option %q: want NAME=VALUE", text)
	}
	return Setting{name, value}, nil
}

// preset is a program whose habits need care.
type preset struct {
	name, program string
	args          []string
	options       []Setting
	// resetAll: all declared options must be set to their defaults, because the program remembers what it was told in earlier runs.
	resetAll bool
	// swapClocks: the program takes btime for White's time and wtime for Black's.
	swapClocks bool
	// leastByoyomi: only byoyomi is understood, and shorter ones are overrun; 0 for any time control.
	leastByoyomi time.Duration
	// dialect: the program speaks the protocol of GNU Shogi instead of USI, and only whole seconds a move are understood.
	dialect bool
	// margin is what the program needs over its time; 0 for the margin of the match.
	margin time.Duration
}

// presetTable returns the known programs.
func presetTable() []preset {
	return []preset{
		{name: "gpsusi", program: "/usr/games/gpsusi", options: []Setting{{"Thread", "1"}}, resetAll: true,
			leastByoyomi: time.Second, margin: 3 * time.Second}, // of a second it takes up to 1.4 s, and now and then 3 s on a busy machine
		{name: "fairy-stockfish", program: "/usr/games/fairy-stockfish", options: []Setting{{"UCI_Variant", "shogi"}}, swapClocks: true},
		{name: "gnushogi", program: "/usr/games/gnushogi", args: []string{"-X"}, dialect: true, margin: 3 * time.Second}, // it finishes a first depth however long that takes
	}
}

// Presets returns the names of the programs that can be given without a path.
func Presets() []string {
	var names []string
	for _, p := range presetTable() {
		names = append(names, p.name)
	}
	return names
}

func (s *Spec) preset() preset {
	for _, p := range presetTable() {
		if p.name == s.Preset {
			return p
		}
	}
	return preset{}
}

// ParseSpec reads a player: "yomi" (in this process), the name of a preset, or a command line, in which blanks separate and
// quotes keep together.
func ParseSpec(text string) (Spec, error) {
	words, err := splitWords(text)
	switch {
	case err != nil:
		return Spec{}, fmt.Errorf("bad player %q: %w", text, err)
	case len(words) == 0:
		return Spec{}, errors.New(`bad player "": want yomi, gpsusi, fairy-stockfish, gnushogi or a command`)
	case len(words) == 1 && words[0] == InProcess:
		return Spec{Name: InProcess}, nil
	}
	for _, p := range presetTable() {
		if len(words) == 1 && words[0] == p.name {
			path := p.program
			if found, err := exec.LookPath(p.name); err == nil {
				path = found
			}
			return Spec{Name: p.name, Preset: p.name, Command: append([]string{path}, p.args...), Margin: p.margin}, nil
		}
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return Spec{}, fmt.Errorf("bad player %q: %w%s", text, err, didYouMean(words[0], append(Presets(), InProcess)))
	}
	name := strings.TrimSuffix(filepath.Base(words[0]), ".exe")
	if filepath.Base(words[0]) != words[0] { // a path must stay right when the match goes on from another folder
		if words[0], err = filepath.Abs(words[0]); err != nil {
			return Spec{}, err
		}
	}
	return Spec{Name: name, Command: words}, nil
}

// splitWords cuts a command line at blanks; single and double quotes keep blanks inside a word.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// CheckTime refuses a time control that the player is known not to understand.
func (s *Spec) CheckTime() error {
	p, t := s.preset(), s.Time
	if each := moveTime(t); p.dialect && (t.Main > 0 || t.Increment > 0 || t.Nodes > 0 || t.Depth > 0 || each < time.Second || each%time.Second != 0) {
		return fmt.Errorf("%s plays only with whole seconds a move, for example 0,1 or movetime=1s; got %s", s.Preset, t)
	}
	least := p.leastByoyomi
	if least == 0 {
		return nil
	}
	if t.Increment > 0 || t.MoveTime > 0 || t.Nodes > 0 || t.Depth > 0 || t.Main > 0 || t.Byoyomi < least {
		return fmt.Errorf("%s plays only with byoyomi of %s or more, for example 0,1; got %s", s.Preset, least, s.Time)
	}
	return nil
}

// Identity is what a player turned out to be. A match is resumed only with the same ones.
type Identity struct {
	// Engine is the name that the engine gives itself.
	Engine string `json:"engine"`
	// SHA256 is the hash of the program (of this program for a player in the process), with the files among its arguments and
	// its options' values.
	SHA256 string `json:"sha256"`
	// Options are all settings made, those of the match and of the preset included.
	Options []Setting `json:"options,omitempty"`
	// Remarks are the errors and warnings that the engine gave while it got ready, the first few of them.
	Remarks []string `json:"remarks,omitempty"`
}

// Identify starts the player once to see that it works, checks its options against what it declares, and hashes its program.
func Identify(ctx context.Context, s Spec, rules Rules) (Identity, error) {
	if err := s.CheckTime(); err != nil {
		return Identity{}, err
	}
	if len(s.Command) == 0 {
		return identifySelf(s, rules)
	}
	if s.preset().dialect {
		return identifyGnushogi(ctx, s, rules)
	}
	player := newProgram(s, rules, 0)
	var remarks remarks
	player.tap = remarks.hear
	if err := player.start(ctx); err != nil {
		return Identity{}, fmt.Errorf("%s: %w", s.Name, explain(err))
	}
	defer player.Close()
	settings, err := s.settings(player.client.Options(), rules)
	if err != nil {
		return Identity{}, err
	}
	name := player.client.Name()
	if err := player.configure(); err != nil {
		return Identity{}, fmt.Errorf("%s: %w", s.Name, explain(err))
	}
	if err := player.ready(ctx); err != nil {
		return Identity{}, fmt.Errorf("%s: %w", s.Name, explain(err))
	}
	hash, err := s.hash(s.Command[0], settings)
	return Identity{Engine: name, SHA256: hash, Options: settings, Remarks: remarks.list()}, err
}

// identifySelf is Identify for a player in this process.
func identifySelf(s Spec, rules Rules) (Identity, error) {
	settings, err := s.settings(engine.New().Options(), rules)
	if err != nil {
		return Identity{}, err
	}
	player := newInProcess(s, rules)
	if err := player.start(); err != nil {
		return Identity{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	messages := player.engine.Ready()
	for _, message := range messages {
		if isError(message) { // such as a net that cannot be read, instead of which another one would play
			return Identity{}, fmt.Errorf("%s: %s", s.Name, message)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return Identity{}, err
	}
	hash, err := s.hash(self, settings)
	return Identity{Engine: "yomi in this process", SHA256: hash, Options: settings, Remarks: messages}, err
}

// explain adds the end of the dialogue and of the standard error to a failure.
func explain(err error) error {
	var f *usi.Failure
	if !errors.As(err, &f) {
		return err
	}
	const shown = 8
	text := f.Error()
	if lines := f.Lines; len(lines) > 0 {
		text += "\n  last lines of the dialogue:\n    " + strings.Join(lines[max(0, len(lines)-shown):], "\n    ")
	}
	if f.Stderr != "" {
		text += "\n  standard error:\n    " + strings.ReplaceAll(strings.TrimSpace(f.Stderr), "\n", "\n    ")
	}
	return errors.New(text)
}

// settings returns what is set on an engine that declares those options: what the preset needs, what the match decides (one
// core, no pondering, its maximum of plies and declaration rule) where the engine has an option for it, and the user's options, which go last.
func (s *Spec) settings(declared []usi.Option, rules Rules) ([]Setting, error) {
	var out []Setting
	put := func(name, value string) {
		if i := slices.IndexFunc(out, func(o Setting) bool { return strings.EqualFold(o.Name, name) }); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, Setting{name, value})
	}
	p := s.preset()
	for _, o := range declared {
		if p.resetAll && o.Type != usi.Button {
			put(o.Name, o.Default)
		}
		if value, ok := rules.option(o); ok {
			put(o.Name, value)
		}
	}
	for _, o := range append(slices.Clone(p.options), s.Options...) {
		d, err := findOption(declared, o.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		value, err := d.Check(o.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		put(d.Name, value)
	}
	return out, nil
}

// findOption finds a declared option by its name in any case. The error names the nearest one.
func findOption(declared []usi.Option, name string) (usi.Option, error) {
	var names []string
	for _, o := range declared {
		if strings.EqualFold(o.Name, name) {
			return o, nil
		}
		names = append(names, o.Name)
	}
	return usi.Option{}, fmt.Errorf("no option %q%s", name, didYouMean(name, names))
}

// hash hashes the program at the path and those of its arguments and of the values set that are files: scripts, nets.
func (s *Spec) hash(path string, settings []Setting) (string, error) {
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	folder := ""
	var words []string
	if len(s.Command) > 0 {
		program := usi.Program{Path: s.Command[0]}
		if folder, err = program.Folder(); err != nil {
			return "", err
		}
		words = slices.Clone(s.Command[1:])
	}
	for _, o := range settings {
		words = append(words, o.Value)
	}
	h := sha256.New()
	if err := hashFile(h, path); err != nil {
		return "", err
	}
	for _, word := range words {
		if !filepath.IsAbs(word) {
			word = filepath.Join(folder, word)
		}
		if info, err := os.Stat(word); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := hashFile(h, word); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashFile(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
