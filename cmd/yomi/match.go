package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/match"
)

// matchCmd plays matches.
type matchCmd struct {
	A    string   `arg:"" optional:"" help:"Player A: yomi (in this process), gpsusi, fairy-stockfish, gnushogi, or the command of a USI engine in quotes."`
	B    string   `arg:"" optional:"" help:"Player B."`
	More []string `arg:"" optional:"" help:"More players, with --ladder. NAME=COMMAND names one."`

	Quick  bool   `group:"What to do" help:"20 games at half a second a move (one second for gpsusi and gnushogi), hopeless games cut short: a first impression."`
	Resume string `group:"What to do" type:"existingdir" placeholder:"DIR" help:"Go on with the match in this folder. Only --games, --concurrency and --affinity may be given with it."`
	Report string `group:"What to do" placeholder:"DIR" help:"Write the reports of the match in this folder anew and print its standings."`
	Check  string `group:"What to do" placeholder:"CMD" help:"Check how well an engine keeps to the USI protocol, and print a table."`

	Games       int           `group:"Games" default:"100" help:"Number of games; each opening is played twice with colours swapped (${default})."`
	Time        string        `group:"Games" default:"10+0.1" placeholder:"TC" help:"Time control of both: 10+0.1 (seconds + increment), 60,1 (seconds, byoyomi), movetime=1s, nodes=800, depth=6 (${default})."`
	ATime       string        `group:"Games" name:"a-time" placeholder:"TC" help:"Time control of A, when it differs."`
	BTime       string        `group:"Games" name:"b-time" placeholder:"TC" help:"Time control of B."`
	AOption     []string      `group:"Games" name:"a-option" sep:"none" placeholder:"NAME=VALUE" help:"An option of A. May be given several times."`
	BOption     []string      `group:"Games" name:"b-option" sep:"none" placeholder:"NAME=VALUE" help:"An option of B."`
	AMargin     time.Duration `group:"Games" name:"a-margin" placeholder:"TIME" help:"--margin of A alone; gpsusi and gnushogi have 3s because they cannot do better."`
	BMargin     time.Duration `group:"Games" name:"b-margin" placeholder:"TIME" help:"--margin of B alone."`
	AName       string        `group:"Games" name:"a-name" help:"What reports call A."`
	BName       string        `group:"Games" name:"b-name" help:"What reports call B."`
	Openings    string        `group:"Games" type:"existingfile" placeholder:"FILE" help:"Opening file: lines of startpos moves ..., sfen ..., position ... or bare SFEN. Without it the embedded balanced list."`
	Seed        string        `group:"Games" default:"random" help:"Order of the openings, and seed of yomi in process: a number or random; it is printed."`
	Concurrency int           `group:"Games" default:"1" help:"Games at the same time, each on one core (${default})."`
	Affinity    bool          `group:"Games" help:"Keep the programs of each game on a core of their own (Linux)."`
	Restart     bool          `group:"Games" help:"Start programs anew for each game."`

	MaxPlies      int           `group:"Rules" default:"320" help:"Draw after so many moves; 0 for no limit. Passed on to engines that know MaxMovesToDraw (${default})."`
	Declaration   string        `group:"Rules" default:"CSARule27" help:"Entering-king rule, as the USI option EnteringKingRule (${default})."`
	Resign        string        `group:"Rules" placeholder:"SCORExCOUNT" help:"Lost when both players' scores say so by SCORE for COUNT moves, for example 3000x4."`
	ResignOneSide bool          `group:"Rules" help:"The losing player's scores are enough for --resign."`
	Draw          string        `group:"Rules" placeholder:"SCORExCOUNT@MOVE" help:"Drawn when both scores are within SCORE for COUNT moves, from MOVE on, for example 20x8@160."`
	Margin        time.Duration `group:"Rules" default:"100ms" help:"What a move may take over its time without loss (${default})."`
	Hang          time.Duration `group:"Rules" default:"1m" help:"Most time for a move without a limit of time, such as nodes=800 (${default})."`
	Startup       time.Duration `group:"Rules" default:"2m" help:"Most time for a program to start and get ready (${default})."`

	SPRT      string  `group:"Test" name:"sprt" placeholder:"ELO0,ELO1" help:"Stop when A − B is decided between two hypotheses, for example 0,5."`
	SPRTModel string  `group:"Test" name:"sprt-model" default:"normalized" enum:"normalized,logistic" help:"Scale of the bounds: normalized or logistic Elo (${default})."`
	Alpha     float64 `group:"Test" default:"0.05" help:"Risk to accept ELO1 wrongly (${default})."`
	Beta      float64 `group:"Test" default:"0.05" help:"Risk to accept ELO0 wrongly (${default})."`

	ladderFlags

	Out string `group:"Output" short:"o" placeholder:"DIR" help:"Folder for the journal, games and report; default: matches/NAMES-TIME. With --ladder: folder for the table; default: that of the ladder."`
}

// Help shows examples.
func (matchCmd) Help() string {
	return `Examples:
  yomi match --quick yomi gpsusi
  yomi match yomi yomi --a-option PolicyEvaluator=heuristic --b-option PolicyEvaluator=uniform --time nodes=800 --games 200
  yomi match "./usi-new" "./usi-old" --time 10+0.1 --concurrency 2 --sprt 0,5 --games 4000 -o new-old
  yomi match --resume new-old
  yomi match --check "./usi"
  yomi match --ladder ladder yomi fairy-stockfish gpsusi gnushogi "yomi 0.1=./old/yomi-usi" --games 100
  yomi match --ladder docs/matches --no-play -o docs

The folder gets journal.jsonl (each game at once; a killed match goes on from it), games.jsonl, games.pgn, games.csa and report.html.`
}

// Run does what the flags say.
func (c *matchCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	given := givenFlags(k)
	if err := c.checkLadder(given); err != nil {
		return err
	}
	modes := 0
	for _, given := range []bool{c.Resume != "", c.Report != "", c.Check != ""} {
		if given {
			modes++
		}
	}
	switch {
	case c.Ladder != "":
		return c.ladder(ctx, s, given, commandLine(k.Args))
	case modes > 1 || modes == 1 && c.A != "":
		return errors.New("--resume, --report and --check stand alone, without players")
	case c.Check != "":
		return checkEngine(ctx, s, c.Check)
	case c.Report != "":
		h, err := match.ReadJournal(journalIn(c.Report))
		if err != nil {
			return err
		}
		return report(s.Out, filepath.Dir(journalIn(c.Report)), &h.Header, h.Records)
	case c.Resume != "":
		return c.resume(ctx, s, given)
	case c.A == "" || c.B == "":
		return errors.New("two players are needed, for example: yomi match --quick yomi gpsusi")
	}
	if c.Quick {
		c.quick(given)
	}
	return c.begin(ctx, s)
}

// journalIn returns the journal of a folder, or the path itself when it is a file.
func journalIn(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return path
	}
	return filepath.Join(path, match.JournalName)
}

// begin starts a new match.
func (c *matchCmd) begin(ctx context.Context, s streams) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	if err := c.checkConcurrency(); err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		dir = filepath.Join("matches", fileName(config.A.Name)+"-"+fileName(config.B.Name)+"-"+time.Now().Format("20060102-150405"))
	}
	m, err := match.Create(ctx, dir, config)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s holds a match already; go on with: yomi match --resume %s", dir, quoted(dir))
	}
	if err != nil && ctx.Err() != nil {
		return errInterrupted // while programs were started
	}
	if err != nil {
		return err
	}
	defer m.Close()
	return c.play(ctx, s, dir, m)
}

func (c *matchCmd) checkConcurrency() error {
	if c.Concurrency < 1 {
		return fmt.Errorf("bad --concurrency %d: want at least 1", c.Concurrency)
	}
	return nil
}

// givenFlags returns the names of the flags on the command line.
func givenFlags(k *kong.Context) map[string]bool {
	given := make(map[string]bool)
	for _, p := range k.Path {
		if p.Flag != nil {
			given[p.Flag.Name] = true
		}
	}
	return given
}

// resume goes on with a match. All that decides the games comes from its journal.
func (c *matchCmd) resume(ctx context.Context, s streams, given map[string]bool) error {
	for name := range given {
		switch name {
		case "resume", "games", "concurrency", "affinity":
		default:
			return fmt.Errorf("--%s cannot be given with --resume: the match goes on as it began", name)
		}
	}
	if err := c.checkConcurrency(); err != nil {
		return err
	}
	games := 0 // as many as the match was to have
	if given["games"] {
		games = c.Games
	}
	m, err := match.Resume(ctx, c.Resume, games)
	if err != nil && ctx.Err() != nil {
		return errInterrupted // while programs were started
	}
	if err != nil {
		return err
	}
	defer m.Close()
	return c.play(ctx, s, c.Resume, m)
}

// quick sets what --quick stands for, except what was given.
func (c *matchCmd) quick(given map[string]bool) {
	if !given["games"] {
		c.Games = 20
	}
	if !given["time"] {
		c.Time = "0,0.5"
		for _, name := range []string{c.A, c.B} {
			if name == "gpsusi" || name == "gnushogi" {
				c.Time = "0,1"
			}
		}
	}
	if !given["concurrency"] {
		c.Concurrency = max(1, runtime.NumCPU()/2)
	}
	if !given["resign"] {
		c.Resign = "2500x3"
	}
	if !given["draw"] {
		c.Draw = "30x8@160"
	}
}

// config reads the flags.
func (c *matchCmd) config() (match.Config, error) {
	config := match.Config{Openings: c.Openings, Games: c.Games, Rules: match.Rules{MaxPlies: c.MaxPlies, Declaration: c.Declaration,
		Margin: c.Margin, Hang: c.Hang, Startup: c.Startup, Restart: c.Restart}}
	var err error
	if config.Seed, err = c.seed(); err != nil {
		return config, err
	}
	if config.Openings != "" {
		if config.Openings, err = filepath.Abs(config.Openings); err != nil {
			return config, err
		}
	}
	if c.ResignOneSide && c.Resign == "" {
		return config, errors.New("--resign-one-side needs --resign, for example --resign 3000x4")
	}
	if c.Resign != "" {
		if config.Rules.Resign, err = match.ParseResign(c.Resign); err != nil {
			return config, err
		}
		config.Rules.Resign.OneSided = c.ResignOneSide
	}
	if c.Draw != "" {
		if config.Rules.Draw, err = match.ParseDraw(c.Draw); err != nil {
			return config, err
		}
	}
	if c.SPRT != "" {
		if config.SPRT, err = c.sprt(); err != nil {
			return config, err
		}
	}
	if config.A, err = player(c.A, c.AName, first(c.ATime, c.Time), c.AOption); err != nil {
		return config, err
	}
	if config.B, err = player(c.B, c.BName, first(c.BTime, c.Time), c.BOption); err != nil {
		return config, err
	}
	if c.AMargin != 0 {
		config.A.Margin = c.AMargin
	}
	if c.BMargin != 0 {
		config.B.Margin = c.BMargin
	}
	return config, nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (c *matchCmd) seed() (uint64, error) {
	if c.Seed == "random" {
		return rand.Uint64() >> 16, nil // short enough to copy
	}
	seed, err := strconv.ParseUint(c.Seed, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("bad --seed %q: want a number or random", c.Seed)
	}
	return seed, nil
}

func (c *matchCmd) sprt() (match.SPRT, error) {
	low, high, err := parseBounds("--sprt", c.SPRT)
	if err != nil {
		return match.SPRT{}, err
	}
	t := match.SPRT{Elo0: low, Elo1: high, Alpha: c.Alpha, Beta: c.Beta, Model: match.Model(c.SPRTModel)}
	return t, t.Check()
}

// parseBounds reads the two bounds of a test from a flag.
func parseBounds(flag, text string) (low, high float64, err error) {
	first, second, _ := strings.Cut(text, ",")
	low, err1 := strconv.ParseFloat(first, 64)
	high, err2 := strconv.ParseFloat(second, 64)
	if err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("bad %s %q: want ELO0,ELO1, for example 0,30", flag, text)
	}
	return low, high, nil
}

// player reads one player's flags.
func player(text, name, control string, options []string) (match.Spec, error) {
	s, err := match.ParseSpec(text)
	if err != nil {
		return s, err
	}
	if name != "" {
		s.Name = name
	}
	if s.Time, err = match.ParseTimeControl(control); err != nil {
		return s, err
	}
	for _, text := range options {
		o, err := match.ParseSetting(text)
		if err != nil {
			return s, err
		}
		s.Options = append(s.Options, o)
	}
	return s, s.CheckTime()
}

// play plays the games that are missing and writes the reports.
func (c *matchCmd) play(ctx context.Context, s streams, dir string, m *match.Match) error {
	announce(s.Err, dir, m, c.Concurrency)
	err := c.run(ctx, s, m)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if err := report(s.Out, dir, &m.Header, m.Records); err != nil {
		return err
	}
	if err != nil {
		fmt.Fprintf(s.Err, "Interrupted after %d of %d games. To go on:\n  %s\n", len(m.Records), m.Games(), resumeMatch(dir, m, c.Concurrency))
		return errInterrupted
	}
	return nil
}

// run plays the games that are missing, with a progress bar.
func (c *matchCmd) run(ctx context.Context, s streams, m *match.Match) error {
	bar := newProgressBar(s.Err, "games", int64(len(m.Records)), int64(m.Games()))
	_, err := m.Run(ctx, match.RunOptions{Concurrency: c.Concurrency, Affinity: c.Affinity, Progress: func(r *match.Record, now *match.Standings) {
		rating := match.Rate(now.Pairs)
		text := "  A " + now.All.String()
		if rating.Spread {
			text += fmt.Sprintf("  Elo A − B %+.0f ± %.0f", rating.Elo.Value, rating.Elo.Margin())
		}
		bar.set(int64(now.All.Games()), text)
	}})
	bar.end()
	return err
}
