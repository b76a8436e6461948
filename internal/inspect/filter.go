package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Filter says which events to show. The zero value shows those of LevelInfo.
type Filter struct {
	Level search.Level
	// Least and Most bound the distance from the root where HasDepth is set.
	Least, Most int
	HasDepth    bool
	// Types, Moves, Kinds and Searches, where not empty, list what is shown.
	Types    []search.NodeType
	Moves    []shogi.Move
	Kinds    []search.EventKind
	Searches []int
	// Square, where set, shows moves from or to it.
	Square    shogi.Square
	HasSquare bool
}

// FilterHelp explains what ParseFilter reads.
const FilterHelp = "debug, depth 2 or depth 1..3 (from the root), type MAX,LEAF, move 7g7f, square 5e, event select,prune, search 2"

// ParseFilter reads a filter from words such as «debug depth 1..3 type MAX,LEAF move 7g7f square 5e event prune search 2». The error names
// the bad word.
func ParseFilter(text string) (f Filter, err error) {
	f.Square = shogi.NoSquare
	words := strings.Fields(text)
	seen := make(map[string]bool)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch word {
		case "debug", "info":
			if f.Level = search.LevelInfo; word == "debug" {
				f.Level = search.LevelDebug
			}
			if seen[word] = true; seen["debug"] && seen["info"] {
				return f, fmt.Errorf("bad filter: both debug and info")
			}
			continue
		case "ply":
			word = "depth"
		}
		if seen[word] {
			return f, fmt.Errorf("bad filter: %q is there twice", word)
		}
		seen[word] = true
		if len(words) == 0 {
			return f, fmt.Errorf("bad filter: unknown word, or no value, at %q; want %s", word, FilterHelp)
		}
		if err := f.set(word, words[0]); err != nil {
			return f, fmt.Errorf("bad filter: %w", err)
		}
		words = words[1:]
	}
	return f, nil
}

// set reads a word with its value.
func (f *Filter) set(word, value string) (err error) {
	switch word {
	case "depth":
		f.Least, f.Most, err = parseRange(value)
		f.HasDepth = true
	case "type":
		f.Types, err = parseList(value, search.ParseNodeType)
	case "move":
		f.Moves, err = parseList(value, shogi.ParseMove)
	case "event":
		f.Kinds, err = parseList(value, search.ParseEventKind)
	case "search":
		f.Searches, err = parseList(value, parseSearch)
	case "square":
		f.Square, err = shogi.ParseSquare(value)
		f.HasSquare = true
	default:
		return fmt.Errorf("unknown word %q; want %s", word, FilterHelp)
	}
	return err
}

func parseList[T any](text string, parse func(string) (T, error)) (list []T, err error) {
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			return nil, fmt.Errorf("an empty word in %q", text)
		}
		item, err := parse(word)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}

// parseSearch reads the number of a search.
func parseSearch(text string) (int, error) {
	n, err := parseNumber("search", text, 1, math.MaxInt)
	return int(n), err
}

// parseRange reads «3» or «2..4» or «2..».
func parseRange(text string) (least, most int, err error) {
	low, high, isRange := strings.Cut(text, "..")
	from, err := parseNumber("depth", low, 0, maxPly)
	switch {
	case err != nil:
		return 0, 0, err
	case !isRange:
		return int(from), int(from), nil
	case high == "":
		return int(from), maxPly, nil
	}
	to, err := parseNumber("depth", high, 0, maxPly)
	if err == nil && to < from {
		err = fmt.Errorf("bad depth %q: want the smaller number first", text)
	}
	return int(from), int(to), err
}

// Match reports whether the event of the search with a number is to be shown.
func (f *Filter) Match(e *search.Event, number int) bool {
	m := e.Move
	switch {
	case len(f.Kinds) == 0 && e.Kind.Level() > f.Level,
		len(f.Kinds) > 0 && !slices.Contains(f.Kinds, e.Kind),
		len(f.Searches) > 0 && !slices.Contains(f.Searches, number),
		f.HasDepth && (e.Ply < f.Least || e.Ply > f.Most),
		len(f.Types) > 0 && !slices.Contains(f.Types, e.Type),
		len(f.Moves) > 0 && !slices.Contains(f.Moves, m):
		return false
	case f.HasSquare:
		return m.IsMove() && (m.To() == f.Square || !m.IsDrop() && m.From() == f.Square)
	}
	return true
}
