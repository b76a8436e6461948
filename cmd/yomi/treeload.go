package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
)

// checkLoad refuses flags that do not go with --load.
func (c *treeShowCmd) checkLoad() error {
	switch {
	case c.Load == "":
		return nil
	case c.Trace != "" || c.Compare != "":
		return errors.New("--load goes neither with a trace nor with --compare")
	case c.Engine != search.EngineUCT:
		return errors.New("--load goes with --engine uct only: alpha-beta keeps no tree")
	}
	return nil
}

// loadOptions are the options of an engine that loads a tree: room for one as large as the engine's own default makes.
func (c *treeShowCmd) loadOptions() []string {
	if c.Load == "" {
		return nil
	}
	return []string{"USI_Hash=256", "TreeFile=" + c.Load}
}

// load reads the saved tree.
func (c *treeShowCmd) load(s streams, e *engine.Engine) error {
	if c.Load == "" {
		return nil
	}
	if err := e.Set(usi.Setting{Name: "LoadTree"}); err != nil {
		return err
	}
	for _, message := range e.Ready() {
		if text, bad := strings.CutPrefix(message, "Error: LoadTree: "); bad {
			return fmt.Errorf("--load: %s", text)
		}
		fmt.Fprintln(s.Out, message)
	}
	return nil
}

// sayUnknown says when a saved tree has nothing about the position: its root has no visits but the one that looked it up.
func (c *treeShowCmd) sayUnknown(s streams, tree *inspect.Tree) {
	if c.Load != "" && len(tree.Nodes) > 0 && tree.Nodes[0].Visits <= 2 {
		fmt.Fprintln(s.Err, "the saved tree has nothing about this position; --position says which was analysed")
	}
}
