package alphabeta

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Driver is the way in which a tree is searched. All give the same score.
type Driver uint8

// The drivers.
const (
	PVS       Driver = iota // NegaScout, principal variation search
	Minimax                 // no cut-offs
	AlphaBeta               // fail-soft alpha-beta
	Scout                   // Pearl's SCOUT
	MTDF                    // null windows from a guess
	SSS                     // null windows from above
	Dual                    // null windows from below
	SSSOpen                 // Stockman's SSS* with its OPEN list
	DualOpen                // DUAL* with an OPEN list
)

var driverNames = []string{"pvs", "minimax", "alphabeta", "scout", "mtdf", "sss", "dual", "sss-open", "dual-open"}

// String returns the driver's name.
func (d Driver) String() string { return driverNames[d] }

// Drivers returns all drivers, minimax first.
func Drivers() []Driver {
	return []Driver{Minimax, AlphaBeta, Scout, PVS, MTDF, SSS, Dual, SSSOpen, DualOpen}
}

// Ordering is what the order of moves follows.
type Ordering uint8

// The orderings.
const (
	OrderNone      Ordering = iota // the game's own order
	OrderHeuristic                 // the game's ranks: captures, promotions, checks, the neighbourhood of kings
	OrderMemory                    // what the search has learnt, where switched on, before the ranks
)

var orderingNames = []string{"none", "heuristic", "memory"}

// String returns the ordering's name.
func (o Ordering) String() string { return orderingNames[o] }

// Config says how to search. The zero value is plain principal variation search to a fixed depth; Default has everything on.
type Config struct {
	Driver   Driver
	Ordering Ordering
	// TableMove, Killers, History, CounterMoves and Refutations take part in OrderMemory: the move in the table; the last two moves
	// that cut at the same ply; how often a move cut; the reply that refuted the move before; and the line that refuted
	// the same root move in the last iteration.
	TableMove, Killers, History, CounterMoves, Refutations bool
	// TableSize is the number of entries of the transposition table, 0 for no table.
	TableSize int
	// EqualDepth takes values only from entries of exactly the wanted depth. With it table and no table give the same score.
	EqualDepth bool
	// TableAnswers takes an exact value from the table also inside the window, and at the root. It saves nodes, but the line ends there.
	TableAnswers bool
	// Deepening searches depth 1, 2, 3 … instead of the wanted depth at once.
	Deepening bool
	// Aspiration is the half width of the window around the last iteration's score, 0 for a full window. alphabeta and pvs use it.
	Aspiration int
	// Quiescence is the largest number of captures (and moves out of check) behind a leaf, 0 for none.
	Quiescence int
	// CheckExtension searches positions in check one ply deeper.
	CheckExtension bool
	// WinLoss asks only who wins: positions in which the game goes on count 0, the window is (-1, 1), and a score is right only in sign.
	WinLoss bool
	// CheckKeys compares whole positions where keys agree, counts those that differ (Stats.Collisions) and does not believe them.
	// It remembers every stored position.
	CheckKeys bool
	// KeyBits cuts keys to so many low bits, to force collisions; 0 leaves them whole.
	KeyBits int
	// OpenLimit is the most nodes that sss-open and dual-open may hold; 0 means 4 million. A search that needs more ends without
	// a result for its depth.
	OpenLimit int
	// MultiPV is the number of best lines to find; 0 means 1.
	MultiPV int
}

const defaultOpenLimit = 4_000_000

// Default returns the configuration for play: everything on.
func Default() Config {
	return Config{
		Driver: PVS, Ordering: OrderMemory, TableMove: true, Killers: true, History: true, CounterMoves: true, Refutations: true,
		TableSize: 1 << 20, Deepening: true, Aspiration: 40, Quiescence: 8, CheckExtension: true,
	}
}

// setting is one field of a Config with its name in text.
type setting struct {
	name string
	flag func(c *Config) *bool
	num  func(c *Config) *int
}

// settings lists the fields that are numbers or flags.
func settings() []setting {
	flag := func(name string, f func(c *Config) *bool) setting { return setting{name: name, flag: f} }
	num := func(name string, f func(c *Config) *int) setting { return setting{name: name, num: f} }
	return []setting{
		flag("table-move", func(c *Config) *bool { return &c.TableMove }),
		flag("killers", func(c *Config) *bool { return &c.Killers }),
		flag("history", func(c *Config) *bool { return &c.History }),
		flag("counter-moves", func(c *Config) *bool { return &c.CounterMoves }),
		flag("refutations", func(c *Config) *bool { return &c.Refutations }),
		num("table", func(c *Config) *int { return &c.TableSize }),
		flag("equal-depth", func(c *Config) *bool { return &c.EqualDepth }),
		flag("table-answers", func(c *Config) *bool { return &c.TableAnswers }),
		flag("deepening", func(c *Config) *bool { return &c.Deepening }),
		num("aspiration", func(c *Config) *int { return &c.Aspiration }),
		num("quiescence", func(c *Config) *int { return &c.Quiescence }),
		flag("check-extension", func(c *Config) *bool { return &c.CheckExtension }),
		flag("win-loss", func(c *Config) *bool { return &c.WinLoss }),
		flag("check-keys", func(c *Config) *bool { return &c.CheckKeys }),
		num("key-bits", func(c *Config) *int { return &c.KeyBits }),
		num("open-limit", func(c *Config) *int { return &c.OpenLimit }),
		num("multipv", func(c *Config) *int { return &c.MultiPV }),
	}
}

// SettingNames returns the names that ParseConfig knows.
func SettingNames() []string {
	names := []string{"driver", "ordering"}
	for _, s := range settings() {
		names = append(names, s.name)
	}
	return names
}

// ErrUnknownSetting says that there is no setting of the name.
var ErrUnknownSetting = errors.New("unknown setting")

// ParseConfig changes a configuration by a text such as "driver=mtdf,ordering=none,killers=off,table=65536". The error names the
// unknown setting (ErrUnknownSetting) or the bad value.
func ParseConfig(c Config, text string) (Config, error) {
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, found := strings.Cut(strings.TrimSpace(part), "=")
		if !found {
			return c, fmt.Errorf("bad setting %q: want NAME=VALUE", part)
		}
		if err := c.set(name, value); err != nil {
			return c, err
		}
	}
	return c, c.Check()
}

func (c *Config) set(name, value string) error {
	switch name {
	case "driver":
		i := slices.Index(driverNames, value)
		if i < 0 {
			return fmt.Errorf("bad driver %q: want one of %v", value, driverNames)
		}
		c.Driver = Driver(i)
		return nil
	case "ordering":
		i := slices.Index(orderingNames, value)
		if i < 0 {
			return fmt.Errorf("bad ordering %q: want one of %v", value, orderingNames)
		}
		c.Ordering = Ordering(i)
		return nil
	}
	for _, s := range settings() {
		if s.name != name {
			continue
		}
		if s.flag != nil {
			i := slices.Index([]string{"off", "on"}, value)
			if i < 0 {
				return fmt.Errorf("bad value %q for %s: want on or off", value, name)
			}
			*s.flag(c) = i == 1
			return nil
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("bad value %q for %s: want a number from 0", value, name)
		}
		*s.num(c) = n
		return nil
	}
	return fmt.Errorf("%w %q", ErrUnknownSetting, name)
}

// maxTable is the largest table, in entries.
const maxTable = 1 << 32

// Check refuses a configuration that makes no sense; the error names the field.
func (c *Config) Check() error {
	switch {
	case int(c.Driver) >= len(driverNames):
		return fmt.Errorf("driver %d: there are %d", c.Driver, len(driverNames))
	case int(c.Ordering) >= len(orderingNames):
		return fmt.Errorf("ordering %d: there are %d", c.Ordering, len(orderingNames))
	case c.TableSize < 0 || c.TableSize > maxTable:
		return fmt.Errorf("table %d: want 0 to %d entries", c.TableSize, maxTable)
	case c.KeyBits < 0 || c.KeyBits > 64:
		return fmt.Errorf("key-bits %d: want 0 to 64", c.KeyBits)
	case c.Aspiration < 0 || c.Quiescence < 0 || c.OpenLimit < 0 || c.MultiPV < 0:
		return errors.New("aspiration, quiescence, open-limit and multipv must not be negative")
	case c.MultiPV > 1 && (c.Driver == SSSOpen || c.Driver == DualOpen):
		return fmt.Errorf("multipv %d: %s finds one line only", c.MultiPV, c.Driver)
	}
	return nil
}

// linesFound returns how many of n lines the driver finds: at least one, and with an OPEN list only one.
func (c *Config) linesFound(n int) int {
	if c.Driver == SSSOpen || c.Driver == DualOpen {
		return 1
	}
	return max(1, n)
}

// String returns the configuration as ParseConfig reads it, what is off or 0 left out.
func (c Config) String() string {
	parts := []string{"driver=" + c.Driver.String(), "ordering=" + c.Ordering.String()}
	for _, s := range settings() {
		switch {
		case s.flag != nil && *s.flag(&c):
			parts = append(parts, s.name+"=on")
		case s.num != nil && *s.num(&c) != 0:
			parts = append(parts, fmt.Sprintf("%s=%d", s.name, *s.num(&c)))
		}
	}
	return strings.Join(parts, ",")
}
