package train

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Sources names the files of a run.
type Sources struct {
	// Train are the files to learn from.
	Train []string `json:"train,omitempty"`
	// Last are the files whose last games are kept for validation, taken together in this order; empty means all of Train. Those of
	// Also are kept and measured apart. They need not be among Train.
	Last []string `json:"validate_last,omitempty"`
	Also []string `json:"also_validate,omitempty"`
	// Share is the share of games that is kept, 0..1.
	Share float64 `json:"validate_share"`
}

// Loaded is the positions of a run.
type Loaded struct {
	Train    *Data
	Validate []Set
	// About says in words what was read and what was kept.
	About string
}

// LoadSources reads the files, each once, and keeps the validation games apart.
func LoadSources(s Sources) (*Loaded, error) {
	if s.Share < 0 || s.Share >= 1 {
		return nil, fmt.Errorf("validation share %v, want 0 or more and less than 1", s.Share)
	}
	groups := [][]string{s.Last, s.Also}
	if len(s.Last) == 0 {
		groups[0] = s.Train
	}
	var paths []string
	for _, path := range slices.Concat(s.Train, groups[0], groups[1]) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	parts := make(map[string]*Data)
	loaded, err := loadEach(paths)
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		parts[path] = loaded[i]
	}
	out := new(Loaded)
	var about []string
	for _, group := range groups {
		if len(group) > 0 && s.Share > 0 {
			set, text := keepLast(parts, group, s.Share)
			out.Validate = append(out.Validate, set)
			about = append(about, text)
		}
	}
	var train []*Data
	for _, path := range s.Train {
		train = append(train, parts[path])
	}
	out.Train = Join(train...)
	out.About = fmt.Sprintf("%d positions of %d games to learn from %s", out.Train.Positions(), out.Train.Games(), names(s.Train))
	if out.Train.Skipped > 0 {
		out.About += fmt.Sprintf(" (%d bad records left out)", out.Train.Skipped)
	}
	out.About = strings.Join(append([]string{out.About}, about...), "; ")
	return out, nil
}

// keepLast takes the last games of a group of files out of its parts.
func keepLast(parts map[string]*Data, group []string, share float64) (Set, string) {
	games := 0
	for _, path := range group {
		games += parts[path].Games()
	}
	keep := int(float64(games) * share)
	var kept []*Data
	var text []string
	for _, path := range slices.Backward(group) {
		n := min(keep, parts[path].Games())
		if n == 0 {
			break
		}
		keep -= n
		head, tail := parts[path].Split(n)
		parts[path] = head
		kept = append([]*Data{tail}, kept...)
		text = append(text, fmt.Sprintf("the last %d games of %s", n, filepath.Base(path)))
	}
	data := Join(kept...)
	return Set{Name: names(group), Data: data},
		fmt.Sprintf("kept to validate: %s (%d positions)", strings.Join(text, " and "), data.Positions())
}

func names(paths []string) string {
	var base []string
	for _, path := range paths {
		base = append(base, filepath.Base(path))
	}
	return strings.Join(base, " ")
}
