package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// studyPlayer is an alpha-beta engine as a player of a match.
type studyPlayer struct {
	options alphabeta.Options
	engine  *alphabeta.Engine
}

func (p *studyPlayer) NewGame(context.Context, uint64) error {
	if p.engine != nil {
		p.engine.Clear()
		return nil
	}
	engine, err := alphabeta.NewEngine(p.options)
	if err != nil {
		return &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
	}
	p.engine = engine
	return nil
}

func (p *studyPlayer) Think(ctx context.Context, t match.Turn) (match.Answer, error) {
	begin := time.Now()
	c := &t.Control
	limits := search.Limits{MoveTime: c.MoveTime, Nodes: c.Nodes, Depth: c.Depth, Start: begin}
	if c.HasClock() {
		limits.Clock = &search.ClockTimes{Main: t.Left, Increment: [2]time.Duration{c.Increment, c.Increment}, Byoyomi: c.Byoyomi}
	}
	r := p.engine.Search(ctx, t.Game, limits, nil)
	a := match.Answer{Move: r.Best, Text: r.Best.String(), Wall: time.Since(begin)}
	if len(r.Lines) > 0 {
		a.Info, a.HasInfo = r.Lines[0], true
	}
	return a, nil
}

func (p *studyPlayer) GameOver(string) {}

func (p *studyPlayer) Evidence() ([]string, string) { return nil, "" }

func (p *studyPlayer) Close() {}

// studyMatch is a match between changed and old.
type studyMatch struct {
	players   [2]*studyPlayer // A (changed) and B (old)
	control   match.TimeControl
	openings  []match.Opening
	order     []int
	games     int
	standings *match.Standings
	done      int
}

// matchHeader is the first line of a file of games: what decides them.
type matchHeader struct {
	A, B, Time, Openings string
	Seed                 uint64
}

const (
	studyHashMB = 16
	// studyMargin keeps a busy machine from deciding games: weights are the question here, not clocks.
	studyMargin = 5 * time.Second
)

// player returns a player with the weights and configuration.
func (c *studyCmd) player(w *alphabeta.Weights, config alphabeta.Config) *studyPlayer {
	o := alphabeta.DefaultOptions()
	o.HashMB, o.PVInterval, o.MaxMovesToDraw = studyHashMB, 0, match.DefaultRules().MaxPlies
	o.Config, o.Weights = config, w
	return &studyPlayer{options: o}
}

// matchPlayers returns the players: changed weights against old ones, or, without changed weights, two configurations.
func (c *studyCmd) matchPlayers(old, changed *alphabeta.Weights) (players [2]*studyPlayer, names [2]string, err error) {
	switch {
	case len(c.Weight) > 0 && len(c.Config) == 0:
		d := alphabeta.Default()
		return [2]*studyPlayer{c.player(changed, d), c.player(old, d)}, [2]string{strings.Join(c.Weight, " "), "old weights"}, nil
	case len(c.Weight) == 0 && len(c.Config) == 2:
		names, configs, err := c.configs()
		if err != nil {
			return players, [2]string{}, err
		}
		return [2]*studyPlayer{c.player(old, configs[0]), c.player(old, configs[1])}, [2]string(names), nil
	}
	return players, names, errors.New("--match needs changed weights (--weight), or two configurations (--config)")
}

// match plays the match.
func (c *studyCmd) match(ctx context.Context, s streams, old, changed *alphabeta.Weights) error {
	if c.Match%2 != 0 {
		return fmt.Errorf("--match %d: want an even number, because every opening is played twice", c.Match)
	}
	players, names, err := c.matchPlayers(old, changed)
	if err != nil {
		return err
	}
	control, err := match.ParseTimeControl(c.Time)
	if err != nil {
		return err
	}
	openings, err := match.LoadOpenings("")
	if err != nil {
		return err
	}
	m := &studyMatch{players: players, control: control, openings: openings, games: c.Match, standings: match.NewStandings(match.SPRT{}),
		order: rand.New(rand.NewPCG(c.Seed, 0)).Perm(len(openings))}
	header := matchHeader{names[0], names[1], control.String(), match.HashOpenings(openings), c.Seed}
	journal, err := m.open(c.Record, &header)
	if err != nil {
		return err
	}
	if journal != nil {
		defer journal.Close()
	}
	fmt.Fprintf(s.Err, "A: %s\nB: %s\n", names[0], names[1])
	err = m.play(ctx, s.Err, journal)
	fmt.Fprint(s.Out, m.standings.Text(names[0], names[1]))
	if errors.Is(err, context.Canceled) {
		if c.Record != "" {
			fmt.Fprintf(s.Err, "Interrupted after %d of %d games. The same command goes on.\n", m.done, m.games)
		}
		return errInterrupted
	}
	return err
}

// open reads the games that are in the file already, and opens it for more; nil without a file.
func (m *studyMatch) open(path string, header *matchHeader) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file that games can be kept in", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	whole, err := m.read(file, header)
	if err == nil {
		err = file.Truncate(whole) // a game that was being written when the program was killed goes
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err == nil && whole == 0 {
		err = json.NewEncoder(file).Encode(header)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return file, nil
}

// read counts the games of a file and returns how many of its bytes are whole lines.
func (m *studyMatch) read(file *os.File, header *matchHeader) (whole int64, err error) {
	data, err := io.ReadAll(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		if whole == 0 {
			var h matchHeader
			if err := json.Unmarshal([]byte(line), &h); err != nil || h != *header {
				return 0, errors.New("holds another match; choose another file")
			}
		} else {
			var r match.Record
			if err := json.Unmarshal([]byte(line), &r); err != nil || r.Game != m.done {
				return 0, fmt.Errorf("game %d is damaged", m.done+1)
			}
			m.standings.Add(&r)
			m.done++
		}
		whole += int64(len(line))
	}
	return whole, nil
}

// play plays the games that are missing.
func (m *studyMatch) play(ctx context.Context, progress io.Writer, journal *os.File) error {
	bar := newProgressBar(progress, "games", int64(m.done), int64(m.games))
	defer bar.end()
	for m.done < m.games {
		r, err := m.game(ctx)
		if err != nil {
			return err
		}
		m.standings.Add(&r)
		m.done++
		bar.set(int64(m.done), "  A "+m.standings.All.String())
		if journal != nil {
			if err := json.NewEncoder(journal).Encode(&r); err != nil {
				return err
			}
		}
	}
	return nil
}

// game plays the next game: each opening twice with colours swapped.
func (m *studyMatch) game(ctx context.Context) (match.Record, error) {
	pair := m.done / 2
	opening := m.order[pair%len(m.order)]
	t := match.Table{Controls: [2]match.TimeControl{m.control, m.control}, Rules: match.DefaultRules()}
	t.Rules.Margin = studyMargin
	a := shogi.Color(m.done % 2) // A has Black first
	t.Players[a], t.Players[a.Opponent()] = m.players[0], m.players[1]
	r, err := match.Play(ctx, t, m.openings[opening])
	r.Game, r.Pair, r.Opening, r.Black = m.done, pair, opening, "A"
	if a == shogi.White {
		r.Black = "B"
	}
	return r, err
}
