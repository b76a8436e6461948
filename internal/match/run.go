package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/yomi-shogi/yomi/shogi"
)

// Config says what match is to be played.
type Config struct {
	A, B Spec
	// Openings is the opening file; empty means the embedded list.
	Openings string
	Seed     uint64
	// Games is the number of games, an even one.
	Games int
	Rules Rules
	SPRT  SPRT
}

// maxGames is the largest match: what is missing of it is kept in memory.
const maxGames = 10_000_000

// Check refuses a match that makes no sense.
func (c *Config) Check() error {
	if c.Games < 2 || c.Games%2 != 0 || c.Games > maxGames {
		return fmt.Errorf("bad number of games %d: want an even number from 2 to %d, because every opening is played twice", c.Games, maxGames)
	}
	for _, s := range []Spec{c.A, c.B} {
		if s.Name == "" || strings.ContainsFunc(s.Name, unicode.IsControl) {
			return fmt.Errorf("bad name %q of a player: want one line of text", s.Name)
		}
		if s.Time == (TimeControl{}) {
			return fmt.Errorf("%s has no time control", s.Name)
		}
		if s.Margin < 0 {
			return fmt.Errorf("%s: bad margin %s", s.Name, s.Margin)
		}
	}
	return errors.Join(c.Rules.Check(), c.SPRT.Check())
}

// header identifies the players and openings and returns the match's header.
func (c *Config) header(ctx context.Context) (*Header, []Opening, error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	openings, err := LoadOpenings(c.Openings)
	if err != nil {
		return nil, nil, err
	}
	if most := c.Rules.MaxPlies; most > 0 {
		for _, o := range openings {
			if ply := o.Game().Position().Ply(); ply > most {
				return nil, nil, fmt.Errorf("%s, line %d: the opening begins with move %d, but a game draws after %d", openingsName(c.Openings), o.Line, ply, most)
			}
		}
	}
	h := &Header{Version: journalVersion, Started: time.Now().UTC().Format(time.RFC3339), A: c.A, B: c.B, Openings: c.Openings,
		OpeningsSHA256: HashOpenings(openings), OpeningsCount: len(openings), Seed: c.Seed, Games: c.Games, Rules: c.Rules}
	if c.SPRT.On() {
		h.SPRT = &c.SPRT
	}
	for i, s := range []Spec{c.A, c.B} {
		if h.Identities[i], err = Identify(ctx, s, c.Rules); err != nil {
			return nil, nil, err
		}
	}
	return h, openings, nil
}

// config returns the configuration that a header describes.
func (h *Header) config() Config {
	c := Config{A: h.A, B: h.B, Openings: h.Openings, Seed: h.Seed, Games: h.Games, Rules: h.Rules}
	if h.SPRT != nil {
		c.SPRT = *h.SPRT
	}
	return c
}

// JournalName is the name of the journal in a match's folder.
const JournalName = "journal.jsonl"

// Match is a match with its journal.
type Match struct {
	Header   Header
	Records  []Record
	openings []Opening
	journal  *Journal
	games    int
}

// Create begins a match in a folder, which is made when missing. A folder that holds a match already is refused. Programs are
// started once to see that they work; that ends early when ctx ends.
func Create(ctx context.Context, dir string, c Config) (*Match, error) {
	path := filepath.Join(dir, JournalName)
	if _, err := os.Stat(path); err == nil { // found out before any program is started
		return nil, &os.PathError{Op: "create", Path: path, Err: os.ErrExist}
	}
	h, openings, err := c.header(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	j, err := CreateJournal(path, h)
	if err != nil {
		return nil, err
	}
	return &Match{Header: *h, openings: openings, journal: j, games: c.Games}, nil
}

// Resume goes on with the match in the folder, with more games when games is larger than before (0 keeps the number). It is
// refused when programs, options or openings have changed.
func Resume(ctx context.Context, dir string, games int) (*Match, error) {
	j, history, err := OpenJournal(filepath.Join(dir, JournalName))
	if err != nil {
		return nil, err
	}
	config := history.Header.config()
	if games > 0 {
		config.Games = games
	}
	now, openings, err := config.header(ctx)
	if err == nil {
		if changed := history.Header.Changed(now); changed != "" {
			err = fmt.Errorf("the match in %s cannot go on: %s", dir, changed)
		}
	}
	if err != nil {
		j.Close()
		return nil, err
	}
	return &Match{Header: history.Header, Records: history.Records, openings: openings, journal: j, games: config.Games}, nil
}

// Games returns the number of games that the match is to have.
func (m *Match) Games() int { return m.games }

// Close closes the journal.
func (m *Match) Close() error { return m.journal.Close() }

// Standings returns the standings of the games so far.
func (m *Match) Standings() *Standings { return m.Header.Standings(m.Records) }

// Standings sums up games of the match with this header.
func (h *Header) Standings(records []Record) *Standings {
	var sprt SPRT
	if h.SPRT != nil {
		sprt = *h.SPRT
	}
	s := NewStandings(sprt)
	for i := range records {
		s.Add(&records[i])
	}
	return s
}

// RunOptions says how a match is played; it does not change the games.
type RunOptions struct {
	// Concurrency is the number of games at the same time.
	Concurrency int
	// Affinity keeps the programs of each game on a core of their own (Linux).
	Affinity bool
	// Progress, when not nil, is called after each game, from one goroutine.
	Progress func(r *Record, s *Standings)
}

// Run plays the games that are missing. When ctx ends, games in progress are given up and played again by the next Run after
// Resume; the error is ctx's then. When the SPRT reaches a bound, no new pair is begun; the games in progress and the second
// games of begun pairs are finished.
func (m *Match) Run(ctx context.Context, o RunOptions) (*Standings, error) {
	standings := m.Standings()
	feed := newFeed(m.games, m.Records)
	if standings.Decided() {
		feed.stop()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	finished := make(chan Record)
	var slots sync.WaitGroup
	for slot := range max(1, o.Concurrency) {
		cpu := 0
		if o.Affinity {
			cpu = slot%runtime.NumCPU() + 1
		}
		slots.Go(func() { m.slot(ctx, cpu, feed, finished) })
	}
	go func() {
		slots.Wait()
		close(finished)
	}()
	var failed error
	for r := range finished {
		if failed == nil {
			if failed = m.journal.Append(&r); failed != nil {
				cancel() // without a journal there is no point in playing on
				continue
			}
		}
		if failed != nil {
			continue
		}
		m.Records = append(m.Records, r)
		standings.Add(&r)
		if standings.Decided() {
			feed.stop()
		}
		if o.Progress != nil {
			o.Progress(&r, standings)
		}
	}
	if failed != nil {
		return standings, failed
	}
	if len(standings.open) == 0 && (standings.Decided() || standings.All.Games() >= m.games) {
		return standings, nil // nothing was given up, whatever became of ctx
	}
	return standings, ctx.Err()
}

// slot plays one game after the other. Its players live through several games.
func (m *Match) slot(ctx context.Context, cpu int, feed *feed, finished chan<- Record) {
	players := map[string]Player{PlayerA: newPlayer(m.Header.A, m.Header.Rules, cpu), PlayerB: newPlayer(m.Header.B, m.Header.Rules, cpu)}
	defer players[PlayerA].Close()
	defer players[PlayerB].Close()
	order := newOpeningOrder(m.Header.Seed, len(m.openings))
	for ctx.Err() == nil {
		number, ok := feed.next()
		if !ok {
			return
		}
		r := Record{Game: number, Pair: number / 2, Opening: order.index(number / 2), Black: PlayerA}
		if number%2 == 1 {
			r.Black = PlayerB
		}
		table := Table{Rules: m.Header.Rules}
		for _, c := range []shogi.Color{shogi.Black, shogi.White} {
			name := r.Player(c)
			table.Players[c] = players[name]
			spec := m.Header.A
			if name == PlayerB {
				spec = m.Header.B
			}
			table.Controls[c], table.Margins[c] = spec.Time, spec.Margin
			table.Seeds[c] = gameSeed(m.Header.Seed, number, name)
		}
		played, err := Play(ctx, table, m.openings[r.Opening])
		if err != nil {
			return
		}
		played.Game, played.Pair, played.Opening, played.Black = r.Game, r.Pair, r.Opening, r.Black
		finished <- played
	}
}

// gameSeed returns a player's seed in a game.
func gameSeed(seed uint64, game int, player string) uint64 {
	return rand.New(rand.NewPCG(seed, uint64(game)<<1|uint64(player[0]&1))).Uint64()
}

// feed hands out the games that are missing, in order.
type feed struct {
	mu      sync.Mutex
	missing []int
	begun   map[int]bool // pairs of which a game was handed out or is finished
	stopped bool
}

func newFeed(games int, done []Record) *feed {
	f := &feed{begun: make(map[int]bool)}
	finished := make(map[int]bool)
	for i := range done {
		finished[done[i].Game] = true
		f.begun[done[i].Pair] = true
	}
	for n := range games {
		if !finished[n] {
			f.missing = append(f.missing, n)
		}
	}
	return f
}

// next returns the next game. After stop only pairs that were begun are finished.
func (f *feed) next() (game int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, n := range f.missing {
		if f.stopped && !f.begun[n/2] {
			continue
		}
		f.missing = slices.Delete(f.missing, i, i+1)
		f.begun[n/2] = true
		return n, true
	}
	return 0, false
}

// stop ends the handing out of new pairs.
func (f *feed) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = true
}
