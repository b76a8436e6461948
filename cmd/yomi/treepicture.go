package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// checkPictureName refuses names of pictures that cannot be written; "" is none.
func checkPictureName(path string) error {
	switch filepath.Ext(path) {
	case ".svg", ".dot", ".png":
		return nil
	}
	if path == "" {
		return nil
	}
	return fmt.Errorf("bad picture %q: want a name that ends in .svg, .dot or .png", path)
}

// writePicture draws trees side by side.
func writePicture(s streams, path string, trees []*inspect.Tree, p inspect.Picture, captions []string) error {
	var err error
	switch filepath.Ext(path) {
	case ".dot":
		err = writeFile(path, func(w io.Writer) error { return inspect.SideBySideDOT(w, p, trees, captions) })
	case ".png":
		err = writePNG(path, trees, p, captions)
	default:
		err = writeFile(path, func(w io.Writer) error { return inspect.SideBySide(w, p, trees, captions) })
	}
	if err == nil {
		fmt.Fprintln(s.Out, "drawn to", path)
	}
	return err
}

// browsers are the programs that can make a PNG, the first found is used.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

var pictureSize = regexp.MustCompile(`width="(\d+)" height="(\d+)"`)

// writePNG lets Chromium draw the SVG.
func writePNG(path string, trees []*inspect.Tree, p inspect.Picture, captions []string) error {
	browser := ""
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil {
			browser = found
			break
		}
	}
	if browser == "" {
		return errors.New("a .png needs Chromium, which is not installed; an .svg does not")
	}
	var svg bytes.Buffer
	if err := inspect.SideBySide(&svg, p, trees, captions); err != nil {
		return err
	}
	size := pictureSize.FindSubmatch(svg.Bytes())
	dir, err := os.MkdirTemp("", "yomi-tree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "tree.svg")
	if err := os.WriteFile(source, svg.Bytes(), 0o644); err != nil {
		return err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	args := []string{"--headless=new", "--hide-scrollbars", "--user-data-dir=" + filepath.Join(dir, "profile"),
		fmt.Sprintf("--window-size=%s,%s", size[1], size[2]), "--screenshot=" + path, "file://" + source}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // Chromium refuses root otherwise
	}
	if out, err := exec.Command(browser, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", browser, err, out)
	}
	_, err = os.Stat(path)
	return err
}

// compare searches the position once for each value of a setting of alpha-beta and draws the trees.
func (c *treeShowCmd) compare(ctx context.Context, s streams) error {
	game, err := shogi.ParsePosition(c.Position)
	if err != nil {
		return fmt.Errorf("--position: %w", err)
	}
	name, values, ok := strings.Cut(c.Compare, "=")
	list := strings.Split(values, ",")
	if !ok || len(list) < 2 {
		return fmt.Errorf("bad --compare %q: want a setting with two values or more, such as ordering=none,heuristic", c.Compare)
	}
	if known := alphabeta.SettingNames(); !slices.Contains(known, name) {
		return fmt.Errorf("bad --compare %q: unknown setting %q%s", c.Compare, name, nearest(name, known))
	}
	c.Engine = search.EngineAlphaBeta
	var trees []*inspect.Tree
	var captions []string
	for _, value := range list {
		e, err := c.newEngine("AlphaBeta_Settings=" + name + "=" + value)
		if err != nil {
			return err
		}
		builder := inspect.NewBuilder(0)
		e.SetSink(builder)
		result := e.Search(ctx, game, c.limits(), func([]search.Info) {})
		if ctx.Err() != nil {
			return errInterrupted
		}
		whole := builder.Tree()
		tree := whole.Cut(c.drawn())
		trees = append(trees, &tree)
		caption := fmt.Sprintf("%s=%s: depth %d, best %s, %d moves made, %d pruned", name, value, tree.Depth, result.Best, tree.Searched, tree.Skipped())
		captions = append(captions, caption)
		fmt.Fprintln(s.Out, caption)
	}
	return writePicture(s, c.Picture, trees, c.picture("Move "+fmt.Sprint(game.Position().Ply())+": "+c.Compare), captions)
}
