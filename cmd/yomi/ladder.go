package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
)

// ladderFlags are the flags of match that belong to --ladder.
type ladderFlags struct {
	Ladder   string   `group:"Ladder" placeholder:"DIR" help:"Play the matches of a ladder and rate all its players together. DIR holds a match folder for each two players; it may hold journals (.jsonl, .jsonl.zst) of other matches, too. Without players: go on with what is unfinished, then make the table anew."`
	AllPairs bool     `group:"Ladder" help:"Everyone plays everyone; without it the first player plays each of the others."`
	Anchor   string   `group:"Ladder" placeholder:"NAME" help:"The player whose rating is 0; without it fairy-stockfish, or else the one with the most games."`
	Journals []string `group:"Ladder" sep:"none" placeholder:"PATH" help:"Count the games of this journal, or of the journals in this folder, too. May be given several times."`
	Rename   []string `group:"Ladder" sep:"none" placeholder:"OLD=NEW" help:"Take the player OLD of the journals for NEW. May be given several times."`
	NoPlay   bool     `group:"Ladder" help:"Only make the table."`
}

// defaultAnchor is the anchor where it plays: its version hardly changes, so that tables of different days can be compared.
const defaultAnchor = "fairy-stockfish"

// ladderTime is the default time control of a ladder's games: the only one that all known programs understand.
const ladderTime = "0,1"

// checkLadder refuses flags that have no meaning with or without --ladder, and players.
func (c *matchCmd) checkLadder(given map[string]bool) error {
	own := []string{"all-pairs", "anchor", "journals", "rename", "no-play"}
	if c.Ladder == "" {
		for _, name := range own {
			if given[name] {
				return fmt.Errorf("--%s needs --ladder DIR", name)
			}
		}
		if len(c.More) > 0 {
			return fmt.Errorf("a third player %q needs --ladder DIR", c.More[0])
		}
		return nil
	}
	always := append(own, "ladder", "out", "concurrency", "affinity")
	games := []string{"games", "time", "openings", "seed", "restart", "max-plies", "declaration", "resign", "resign-one-side", "draw", "margin", "hang", "startup"}
	for name := range given {
		switch {
		case slices.Contains(always, name):
		case !slices.Contains(games, name):
			return fmt.Errorf("--%s cannot be given with --ladder; play such a match with: yomi match … -o %s", name, quoted(filepath.Join(c.Ladder, "NAME")))
		case c.A == "":
			return fmt.Errorf("--%s needs players with --ladder: matches that were begun go on as they began", name)
		}
	}
	if c.A != "" && c.B == "" {
		return errors.New("a ladder needs two players or more, for example: yomi match --ladder ladder yomi fairy-stockfish gnushogi")
	}
	if c.A != "" && c.NoPlay {
		return errors.New("--no-play makes the table of what was played, without players")
	}
	return c.checkConcurrency()
}

// ladder plays what is missing and writes the table. command is the command line, for the table.
func (c *matchCmd) ladder(ctx context.Context, s streams, given map[string]bool, command string) error {
	if !given["time"] {
		c.Time = ladderTime
	}
	renames, err := parseRenames(c.Rename)
	if err != nil {
		return err
	}
	var played error
	if !c.NoPlay {
		if played = c.playLadder(ctx, s); played != nil && !errors.Is(played, errInterrupted) {
			return played
		}
	}
	if err := c.writeLadder(s, renames, command); err != nil && played == nil {
		return err
	}
	if played != nil {
		fmt.Fprintf(s.Err, "Interrupted. To go on:\n  %s %s\n", commandFor(os.Args[0]), strings.TrimPrefix(command, "yomi "))
	}
	return played
}

// parseRenames reads OLD=NEW.
func parseRenames(texts []string) (map[string]string, error) {
	renames := make(map[string]string)
	for _, text := range texts {
		old, now, found := strings.Cut(text, "=")
		if !found || old == "" || now == "" {
			return nil, fmt.Errorf("bad --rename %q: want OLD=NEW", text)
		}
		renames[old] = now
	}
	return renames, nil
}

// ladderMatch is a match of the ladder.
type ladderMatch struct {
	dir string
	// games is the number of games to play; listed says that its players were given.
	games  int
	listed bool
}

// playLadder plays the matches one after the other.
func (c *matchCmd) playLadder(ctx context.Context, s streams) error {
	matches, err := c.beginLadder(ctx)
	if err != nil {
		return err
	}
	if matches, err = c.addUnfinished(matches); err != nil {
		return err
	}
	for i, l := range matches {
		if ctx.Err() != nil {
			return errInterrupted
		}
		m, err := match.Resume(ctx, l.dir, l.games)
		switch {
		case err != nil && ctx.Err() != nil:
			return errInterrupted
		case err != nil && l.listed:
			return err
		case err != nil:
			fmt.Fprintf(s.Err, "left as it is: %v\n", err)
			continue
		}
		fmt.Fprintf(s.Err, "match %d of %d: %s – %s\n", i+1, len(matches), m.Header.A.Name, m.Header.B.Name)
		err = c.climb(ctx, s, l.dir, m)
		if err := errors.Join(err, m.Close()); err != nil {
			return err
		}
	}
	return nil
}

// climb plays one match of the ladder to its end.
func (c *matchCmd) climb(ctx context.Context, s streams, dir string, m *match.Match) error {
	announce(s.Err, dir, m, c.Concurrency)
	err := c.run(ctx, s, m)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if err := report(s.Err, dir, &m.Header, m.Records); err != nil {
		return err
	}
	if err != nil {
		return errInterrupted
	}
	return nil
}

// beginLadder makes the folders of the matches between the given players that are not there yet, and returns those matches.
func (c *matchCmd) beginLadder(ctx context.Context) ([]ladderMatch, error) {
	if c.A == "" {
		_, err := os.Stat(c.Ladder)
		return nil, err
	}
	configs, err := c.ladderConfigs()
	if err != nil {
		return nil, err
	}
	var matches []ladderMatch
	for _, config := range configs {
		dir := filepath.Join(c.Ladder, fileName(config.A.Name)+"-"+fileName(config.B.Name))
		m, err := match.Create(ctx, dir, config)
		switch {
		case errors.Is(err, os.ErrExist):
			if err := c.sameMatch(dir, &config); err != nil {
				return nil, err
			}
		case err != nil && ctx.Err() != nil:
			return nil, errInterrupted
		case err != nil:
			return nil, err
		default:
			if err := m.Close(); err != nil {
				return nil, err
			}
		}
		matches = append(matches, ladderMatch{dir, config.Games, true})
	}
	return matches, nil
}

// sameMatch refuses to go on with a match under flags other than those it began with.
func (c *matchCmd) sameMatch(dir string, config *match.Config) error {
	h, err := match.ReadJournal(filepath.Join(dir, match.JournalName))
	if err != nil {
		return err
	}
	now := h.Header
	now.A, now.B, now.Rules = config.A, config.B, config.Rules
	changed := h.Header.Changed(&now)
	switch {
	case changed == "" && h.Header.Openings != config.Openings:
		changed = fmt.Sprintf("the openings: %q then, %q now", h.Header.Openings, config.Openings)
	case changed == "" && c.Seed != "random" && h.Header.Seed != config.Seed:
		changed = fmt.Sprintf("the seed: %d then, %d now", h.Header.Seed, config.Seed)
	}
	if changed != "" {
		return fmt.Errorf("the match in %s was begun otherwise: %s", dir, changed)
	}
	return nil
}

// ladderConfigs returns the matches between the given players.
func (c *matchCmd) ladderConfigs() ([]match.Config, error) {
	var names, texts []string
	for _, text := range append([]string{c.A, c.B}, c.More...) {
		name, command := ladderPlayer(text)
		if slices.Contains(names, name) && name != "" {
			return nil, fmt.Errorf("two players are called %q: name them apart with NAME=COMMAND", name)
		}
		names, texts = append(names, name), append(texts, command)
	}
	var configs []match.Config
	for i := range texts {
		for j := i + 1; j < len(texts); j++ {
			if i > 0 && !c.AllPairs {
				continue
			}
			pair := *c
			pair.A, pair.AName, pair.B, pair.BName = texts[i], names[i], texts[j], names[j]
			config, err := pair.config()
			if err != nil {
				return nil, err
			}
			if config.A.Name == config.B.Name {
				return nil, fmt.Errorf("two players are called %q: name them apart with NAME=COMMAND", config.A.Name)
			}
			config.Seed = firstSeed(configs, config.Seed)
			configs = append(configs, config)
		}
	}
	return configs, nil
}

// firstSeed returns the seed of the first match, so that all meet the same openings.
func firstSeed(configs []match.Config, seed uint64) uint64 {
	if len(configs) > 0 {
		return configs[0].Seed
	}
	return seed
}

// ladderPlayer cuts NAME=COMMAND. What stands before = is no name when it looks like the beginning of a command. Yomi in this
// process is named with its version, as later versions will stand beside it.
func ladderPlayer(text string) (name, command string) {
	name, command, found := strings.Cut(text, "=")
	if !found || name == "" || strings.ContainsAny(name, `/\"'`) {
		name, command = "", text
	}
	if name == "" && command == match.InProcess {
		name = match.InProcess + " " + engine.Version()
	}
	return name, command
}

// addUnfinished adds the unfinished matches of the folder to those that were given.
func (c *matchCmd) addUnfinished(matches []ladderMatch) ([]ladderMatch, error) {
	entries, err := os.ReadDir(c.Ladder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		dir := filepath.Join(c.Ladder, e.Name())
		if _, err := os.Stat(filepath.Join(dir, match.JournalName)); err != nil {
			continue
		}
		h, err := match.ReadJournal(filepath.Join(dir, match.JournalName))
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(matches, func(m ladderMatch) bool { return m.dir == dir })
		games := h.Header.Games
		if i >= 0 {
			games = max(games, matches[i].games)
		}
		switch finished := len(h.Records) >= games || h.Header.Standings(h.Records).Decided(); {
		case finished && i >= 0:
			matches = slices.Delete(matches, i, i+1)
		case i >= 0:
			matches[i].games = games
		case !finished:
			matches = append(matches, ladderMatch{dir: dir})
		}
	}
	return matches, nil
}

// writeLadder rates the players and writes the table.
func (c *matchCmd) writeLadder(s streams, renames map[string]string, command string) error {
	var journals []match.Journaled
	for _, path := range append([]string{c.Ladder}, c.Journals...) {
		found, err := match.ReadJournals(path)
		if err != nil {
			return err
		}
		journals = append(journals, found...)
	}
	anchor := c.Anchor
	for i := range journals {
		h := &journals[i].Header
		for _, name := range []*string{&h.A.Name, &h.B.Name} {
			if now, found := renames[*name]; found {
				*name = now
			}
			if c.Anchor == "" && *name == defaultAnchor && len(journals[i].Records) > 1 {
				anchor = defaultAnchor
			}
		}
	}
	l, err := match.NewLadder(journals, anchor)
	if err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		dir = c.Ladder
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	page := filepath.Join(dir, "ladder.md")
	if err := writeFile(page, func(w io.Writer) error { return l.WriteMarkdown(w, command) }); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, match.LadderJSON), l.WriteJSON); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s\nthe table is in %s\n", l.Text(), page)
	return nil
}
