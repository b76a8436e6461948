package record

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Format is a file format of training records.
type Format int

// The formats. Yomi and HCPE3 hold whole games, the others positions.
const (
	PSV Format = iota
	HCPE
	HCPE2
	HCPE3
	Yomi
)

var formatNames = [...]string{PSV: "psv", HCPE: "hcpe", HCPE2: "hcpe2", HCPE3: "hcpe3", Yomi: "yomi"}

// String returns the format's name, which is also how file names end.
func (f Format) String() string { return formatNames[f] }

// HoldsGames reports whether the format holds whole games.
func (f Format) HoldsGames() bool { return f == Yomi || f == HCPE3 }

// FormatOf returns the format that a file's name tells: .yomi, or .psv, .hcpe, .hcpe2 or .hcpe3 with or without .zst behind it.
func FormatOf(path string) (Format, error) {
	name, compressed := strings.CutSuffix(filepath.Base(path), ".zst")
	for f, ending := range formatNames {
		if !strings.HasSuffix(name, "."+ending) {
			continue
		}
		if compressed && Format(f) == Yomi {
			return PSV, fmt.Errorf("%s: .yomi files are compressed in themselves; unpack it with zstd -d", path)
		}
		return Format(f), nil
	}
	return PSV, fmt.Errorf("%s: unknown record format, want a name ending in .yomi, .psv, .hcpe, .hcpe2 or .hcpe3 (the latter four also .zst)", path)
}
