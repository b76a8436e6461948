package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/yomi-shogi/yomi/internal/hashlab"
)

// hashlabCmd measures hash functions and tables.
type hashlabCmd struct {
	Records []string `arg:"" optional:"" type:"existingfile" help:"Game records to take positions from: .psv , .hcpe, .hcpe3 or .yomi, also .zst. Without any: positions of random games."`

	Preset string `enum:"positions,easyai,chopsticks,solved" default:"positions" help:"What to measure: positions, easyai (a published experiment with its true numbers), chopsticks (32 buckets, JSW, DUAL*), solved (games solved, saved, read again) (${default})."`

	Limit int       `default:"100000" help:"Most different positions; 0 for all of the records (${default})."`
	Modes string    `default:"faithful,32-bit" help:"How the textbook functions compute: faithful, 32-bit, 64-bit (${default})."`
	Sizes []int     `default:"1024,4096,65536" help:"Buckets of the tables, powers of two (${default})."`
	Loads []float64 `default:"0.25,0.5,0.67,0.9,2" help:"Different positions a bucket (${default})."`
	Seed  uint64    `default:"1" help:"Of the random games and of the squares that the avalanche test changes (${default})."`
	Depth int       `default:"6" help:"Depth of --preset chopsticks (${default})."`

	Out string `short:"o" type:"path" placeholder:"DIR" help:"Folder for report.html, report.json and a CSV file for each table; solved saves its tables there."`
}

// Help shows examples.
func (hashlabCmd) Help() string {
	return `Examples:
  yomi hashlab testdata/sample.psv.zst -o hashlab
  yomi hashlab games1.psv.zst games2.hcpe --limit 0 --sizes 1048576 --loads 0.5,0.9 --modes faithful,32-bit,64-bit
  yomi hashlab --preset easyai

The report goes to the standard output. It ends with a measured recommendation and with what the textbooks' rules of thumb are worth.`
}

// Run makes the report.
func (c *hashlabCmd) Run(ctx context.Context, s streams) error {
	if c.Preset != "positions" && len(c.Records) > 0 {
		return fmt.Errorf("--preset %s has its own keys: no records may be given", c.Preset)
	}
	r, err := c.report(ctx, s)
	if ctx.Err() != nil {
		fmt.Fprintf(s.Err, "Interrupted; nothing was written. To begin again:\n  %s %s\n", commandFor(os.Args[0]), strings.Join(c.words(), " "))
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if err := r.Text(s.Out); err != nil || c.Out == "" {
		return err
	}
	if err := c.write(r); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "Written: %s\n", filepath.Join(c.Out, "report.html"))
	return nil
}

// words returns the command line that makes the report again.
func (c *hashlabCmd) words() []string {
	words := []string{"hashlab"}
	switch c.Preset {
	case "positions":
		for _, path := range c.Records {
			words = append(words, quoted(path))
		}
		words = append(words, fmt.Sprintf("--limit %d --modes %s --sizes %s --loads %s --seed %d", c.Limit, c.Modes, listed(c.Sizes), listed(c.Loads), c.Seed))
	case "chopsticks":
		words = append(words, fmt.Sprintf("--preset chopsticks --depth %d", c.Depth))
	default:
		words = append(words, "--preset "+c.Preset)
	}
	if c.Out != "" {
		words = append(words, "-o "+quoted(c.Out))
	}
	return words
}

// listed writes numbers with commas between them.
func listed[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

func (c *hashlabCmd) report(ctx context.Context, s streams) (*hashlab.Report, error) {
	named := *c
	for i, path := range c.Records {
		if i == 0 {
			named.Records = nil
		}
		named.Records = append(named.Records, filepath.Base(path)) // a report says nothing of one's folders
	}
	named.Out = ""
	command := "yomi " + strings.Join(named.words(), " ")
	switch c.Preset {
	case "easyai":
		return hashlab.EasyAIReport(command)
	case "chopsticks":
		if c.Depth < 1 {
			return nil, fmt.Errorf("bad --depth %d: want at least 1", c.Depth)
		}
		return hashlab.ChopsticksReport(ctx, c.Depth, command)
	case "solved":
		return c.solved(ctx, command)
	}
	return c.positions(ctx, s, command)
}

// solved saves the tables in the folder, or in one that is deleted at the end.
func (c *hashlabCmd) solved(ctx context.Context, command string) (*hashlab.Report, error) {
	dir := c.Out
	if dir == "" {
		temporary, err := os.MkdirTemp("", "yomi-hashlab-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return hashlab.SolvedReport(ctx, dir, command)
}

// positions measures on positions.
func (c *hashlabCmd) positions(ctx context.Context, s streams, command string) (*hashlab.Report, error) {
	config := hashlab.GridConfig{Sizes: c.Sizes, Loads: c.Loads, Seed: c.Seed}
	var err error
	if config.Modes, err = hashlab.ParseModes(c.Modes); err != nil {
		return nil, err
	}
	if err := config.Check(); err != nil {
		return nil, err
	}
	set, err := c.read(ctx, s)
	if err != nil {
		return nil, err
	}
	bar := newProgressBar(s.Err, "tables", 0, int64(len(c.Sizes)*len(hashlab.Schemes(config.Modes))))
	defer bar.end()
	return hashlab.Study(ctx, set, config, command, func(step string, done, total int) {
		bar.set(int64(done), fmt.Sprintf("  %s %d / %d", step, done, total))
	})
}

// read reads or makes the positions.
func (c *hashlabCmd) read(ctx context.Context, s streams) (*hashlab.Set, error) {
	const least = 1000
	if c.Limit < 0 || c.Limit > 0 && c.Limit < least {
		return nil, fmt.Errorf("bad --limit %d: want at least %d positions, or 0 for all", c.Limit, least)
	}
	bar := newProgressBar(s.Err, "positions", 0, int64(c.Limit))
	defer bar.end()
	report := func(n int) { bar.set(int64(n), "") }
	if len(c.Records) > 0 {
		set, err := hashlab.ReadRecords(ctx, c.Records, c.Limit, report)
		if err == nil && set.Len() < least {
			err = fmt.Errorf("the records hold only %d different positions: want at least %d", set.Len(), least)
		}
		return set, err
	}
	if c.Limit == 0 {
		return nil, errors.New("--limit 0 needs record files")
	}
	return hashlab.RandomGames(ctx, c.Limit, c.Seed, report)
}

// write writes the report's files.
func (c *hashlabCmd) write(r *hashlab.Report) error {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	files := map[string]func(io.Writer) error{"report.html": r.HTML, "report.json": r.JSON}
	for _, section := range r.Sections {
		for _, t := range section.Tables {
			files[t.Name+".csv"] = t.CSV
		}
	}
	for name, write := range files {
		if err := writeFile(filepath.Join(c.Out, name), write); err != nil {
			return err
		}
	}
	return nil
}
