package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/yomi-shogi/yomi/internal/inspect"
)

// treeLogCmd prints a trace.
type treeLogCmd struct {
	Trace  string `arg:"" type:"existingfile" help:"Trace, written by the USI option Inspect_TraceFile or by yomi tree --record."`
	Filter string `short:"f" default:"debug" placeholder:"WORDS" help:"What to print, such as 'depth 0..2 type MAX,LEAF move 7g7f square 5e event select,prune search 2'; without debug the course of the search and values only (${default})."`
	Most   int    `default:"0" help:"Most lines, 0 for any number (${default})."`
}

// Help shows examples.
func (treeLogCmd) Help() string {
	return `Examples:
  yomi tree log think.trace
  yomi tree log think.trace --filter "event prune depth 1..2"
  yomi tree log game.trace --filter "event clock,best,end"

The lines look like
  12:01:07.123 [ply 3] MIN 7g7f score 150 alpha 120 beta inf
  12:01:07.123 [ply 3] MIN PRUNE skipped 12, by 3c3d with alpha 150 >= beta 120, depth 2`
}

// Run prints the trace.
func (c *treeLogCmd) Run(s streams) error {
	filter, err := inspect.ParseFilter(c.Filter)
	if err != nil {
		return err
	}
	f, err := os.Open(c.Trace)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(s.Out)
	lines := 0
	cut, err := inspect.Read(f, func(r *inspect.Record) error {
		if !filter.Match(&r.Event, r.Search) || c.Most > 0 && lines >= c.Most {
			return nil
		}
		lines++
		_, err := fmt.Fprintln(out, r.Text())
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if cut {
		fmt.Fprintln(s.Err, "the end of the trace is missing")
	}
	return err
}
