package main

import (
	"errors"

	"github.com/yomi-shogi/yomi/internal/search"
)

// The flags that say how much of a tree is shown and how it is drawn.
const (
	treeLimitFlags = " most plies width visits"
	treeDrawFlags  = " picture boards japanese"
)

// treeModes are what yomi tree does, the first that is asked for, with the flags that take part in it.
var treeModes = []struct {
	name  string
	asked func(c *treeShowCmd) bool
	flags string
}{
	{"--compare", func(c *treeShowCmd) bool { return c.Compare != "" }, "compare position engine nodes depth time option" + treeLimitFlags + treeDrawFlags},
	{"--serve", func(c *treeShowCmd) bool { return c.Serve }, "serve address token"},
	{"a picture of a trace", func(c *treeShowCmd) bool { return c.Trace != "" && c.Picture != "" }, "search" + treeLimitFlags + treeDrawFlags},
	{"a trace that is gone through", func(c *treeShowCmd) bool { return c.Trace != "" }, "script boards japanese" + treeLimitFlags},
	{"a search that is stepped through", func(c *treeShowCmd) bool { return c.Step },
		"step break script record load position engine nodes depth time option" + treeLimitFlags + treeDrawFlags},
	{"a search", func(*treeShowCmd) bool { return true }, "record load position engine nodes depth time option" + treeLimitFlags + treeDrawFlags},
}

// checkEffect refuses flags that take no part in what is to be done.
func (c *treeShowCmd) checkEffect(given map[string]bool) error {
	for _, mode := range treeModes {
		if !mode.asked(c) {
			continue
		}
		if err := refuseOthers(given, mode.flags, mode.name); err != nil {
			return err
		}
		break
	}
	switch {
	case c.Compare != "" && given["engine"] && c.Engine != search.EngineAlphaBeta:
		return errors.New("--compare is for alpha-beta: --engine uct has no effect")
	case c.Trace == "" && c.Picture == "" && (c.Boards || c.Japanese):
		return errors.New("--boards and --japanese say how to draw: they need --picture, for example: -o tree.svg")
	}
	return nil
}
