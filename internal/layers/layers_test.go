// Package layers holds the order of the project's packages and the tests that keep it: who may import whom, that every
// package says what it is, and what the top folder may contain. It has no code of its own.
package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/yomi-shogi/yomi"
	root   = "../.."
)

// rows lists the packages, highest row first. A package imports only from rows below its own, and in its own row from
// those to its right. External test packages (package x_test) may import upward.
const rows = `
cmd/usi
cmd/yomi
internal/learn
internal/selfplay internal/tune internal/match internal/hashlab
internal/engine
internal/dashboard
internal/inspect
internal/usi
internal/train internal/record
value/alphabeta uct
internal/search
internal/journal
policy value internal/nn internal/simd
shogi/kifu shogi/mate shogi/book
nodehash/classic nodehash
shogi
zobrist
internal/layers
`

// topLevel lists what the top folder may hold beside the packages' folders and what .gitignore names.
var topLevel = []string{
	".ci", ".git", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY.md", "docs", "go.mod", "go.sum", "testdata",
}

// rank returns the place of each package in the order: an import must go to a higher rank.
func rank() map[string]int {
	places := make(map[string]int)
	for i, name := range strings.Fields(rows) {
		places[name] = i
	}
	return places
}

// importAllowed applies the rule for an import between two packages of the module, named by their folders.
func importAllowed(from, to string, places map[string]int) bool {
	f, known := places[from]
	t, alsoKnown := places[to]
	return known && alsoKnown && f < t
}

func TestRule(t *testing.T) {
	places := rank()
	for _, tc := range []struct {
		from, to string
		want     bool
	}{
		{"uct", "shogi", true},
		{"shogi", "uct", false},
		{"value/alphabeta", "uct", true},
		{"uct", "value/alphabeta", false},
		{"uct", "policy", true},
		{"internal/simd", "internal/nn", false},
		{"shogi", "shogi", false},
		{"shogi", "elsewhere", false},
		{"elsewhere", "shogi", false},
	} {
		require.Equal(t, tc.want, importAllowed(tc.from, tc.to, places), "%s imports %s", tc.from, tc.to)
	}
}

// source is one parsed Go file: its folder relative to the module root, and its syntax up to the imports.
type source struct {
	dir, file string
	syntax    *ast.File
}

func (s source) externalTest() bool {
	return strings.HasSuffix(s.file, "_test.go") && strings.HasSuffix(s.syntax.Name.Name, "_test")
}

// sources parses all Go files of the module, whatever their build tags. Folders with a go.mod of their own hold
// generators, which are other modules.
func sources(t *testing.T) []source {
	var found []source
	files := token.NewFileSet()
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == root {
				return nil
			}
			base := d.Name()
			if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		syntax, err := parser.ParseFile(files, name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		found = append(found, source{filepath.ToSlash(dir), d.Name(), syntax})
		return err
	}))
	require.NotEmpty(t, found)
	return found
}

func TestImports(t *testing.T) {
	places := rank()
	for _, s := range sources(t) {
		require.Contains(t, places, s.dir, "%s/%s: the package is not in the table of layers", s.dir, s.file)
		for _, spec := range s.syntax.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			require.NotEqual(t, "C", name, "%s/%s uses cgo", s.dir, s.file)
			to, inside := strings.CutPrefix(name, module+"/")
			if !inside || s.externalTest() {
				continue
			}
			require.True(t, importAllowed(s.dir, to, places), "%s/%s must not import %s", s.dir, s.file, to)
		}
	}
}

func TestPackageComments(t *testing.T) {
	comments := make(map[string]string)
	for _, s := range sources(t) {
		if s.externalTest() {
			continue
		}
		comments[s.dir] += "" // the package exists
		doc := s.syntax.Doc.Text()
		if doc == "" {
			continue
		}
		require.Empty(t, comments[s.dir], "%s: a second package comment, in %s", s.dir, s.file)
		comments[s.dir] = doc
		if name := s.syntax.Name.Name; name != "main" {
			require.True(t, strings.HasPrefix(doc, "Package "+name+" "), "%s: the comment must begin with Package %s", s.dir, name)
		}
	}
	for dir, doc := range comments {
		require.NotEmpty(t, doc, "%s has no package comment", dir)
	}
}

func TestTopLevel(t *testing.T) {
	allowed := append([]string(nil), topLevel...)
	for _, name := range strings.Fields(rows) {
		top, _, _ := strings.Cut(name, "/")
		allowed = append(allowed, top)
	}
	ignored := ignoredPatterns(t)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if !matchesAny(t, ignored, e.Name()) {
			require.Contains(t, allowed, e.Name(), "unexpected entry in the top folder")
		}
	}
}

// ignoredPatterns returns the lines of .gitignore in a form that path.Match takes for a top-level name.
func ignoredPatterns(t *testing.T) []string {
	text, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	require.NoError(t, err)
	var patterns []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, strings.Trim(line, "/"))
		}
	}
	return patterns
}

func matchesAny(t *testing.T, patterns []string, name string) bool {
	for _, p := range patterns {
		ok, err := path.Match(p, name)
		require.NoError(t, err)
		if ok {
			return true
		}
	}
	return false
}
