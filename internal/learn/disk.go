package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/yomi-shogi/yomi/internal/train"
)

// slackBytes is for files too small to count: states, reports, what is written between two looks at the disk.
const slackBytes = 1 << 20

// usage returns the bytes of all files in a folder.
func usage(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, os.ErrNotExist) { // a temporary file that got its name meanwhile
			return nil
		}
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}

// room makes sure that so many bytes more fit into the budget. When they do not, the journals of old gates go first, then the oldest
// games. When that is not enough, nothing is removed and it is an error; nets are never removed for it.
func (l *Loop) room(need int64) error {
	used, err := usage(l.dir)
	need += slackBytes
	over := used + need - l.options.Disk
	if err != nil || over <= 0 {
		return err
	}
	var remove []string
	gain := int64(0)
	for _, path := range l.spare() {
		bytes, err := sizeOf(path)
		if err != nil {
			return err
		}
		if gain < over && bytes > 0 {
			remove = append(remove, path)
			gain += bytes
		}
	}
	if gain < over {
		const mega = 1e6
		return fmt.Errorf("the disk budget of %.1f MB is too small: %.1f MB are in use and cannot be spared, %.1f MB more are needed",
			float64(l.options.Disk)/mega, float64(used-gain)/mega, float64(need)/mega)
	}
	for _, path := range remove {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		l.report(Progress{Line: "disk budget: removed " + path})
	}
	return nil
}

// sizeOf returns the bytes of a file or a folder, 0 when there is none.
func sizeOf(path string) (int64, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	return usage(path)
}

// spare lists what can be removed for want of room, the least needed first. Games that the generation in progress has yet to learn from
// stay.
func (l *Loop) spare() []string {
	var gates, games []string
	for i := range l.History {
		n := l.History[i].Number
		gates = append(gates, l.file(n, "gate"))
		if slices.Contains(l.now.Done, TrainValue) || !slices.Contains(l.now.Window, n) {
			games = append(games, l.file(n, gamesName))
		}
	}
	return append(gates, games...)
}

// tidy removes what finished generations do not need any more: of all of them the state; beyond the window everything but promoted
// nets; the nets of those that were rejected, and checkpoints of all but the best.
func (l *Loop) tidy() error {
	best := l.Best()
	kinds := []train.Kind{train.Policy, train.Value}
	var failed error
	remove := func(generation int, names ...string) {
		for _, name := range names {
			failed = errors.Join(failed, os.RemoveAll(l.file(generation, name)))
		}
	}
	for i := range l.History {
		g := &l.History[i]
		old := g.Number < len(l.History)+2-l.Config.Window
		if remove(g.Number, stateName, playingName); old {
			remove(g.Number, gamesName, "gate")
		}
		for _, kind := range kinds {
			if !g.Promoted {
				remove(g.Number, string(kind)+".nn")
			}
			if g.Number != best {
				failed = errors.Join(failed, os.RemoveAll(l.checkpoint(g.Number, kind)))
			}
			if old {
				remove(g.Number, string(kind)+".svg", string(kind)+".log.jsonl")
			}
		}
		if old && !g.Promoted {
			failed = errors.Join(failed, os.RemoveAll(l.folder(g.Number)))
		}
	}
	return errors.Join(failed, l.removeTemporary())
}

// removeTemporary removes files that a killed program left half written.
func (l *Loop) removeTemporary() error {
	left, err := filepath.Glob(filepath.Join(l.dir, "gen-*", "*.new"))
	more, err2 := filepath.Glob(filepath.Join(l.dir, "*.new"))
	failed := errors.Join(err, err2)
	for _, path := range append(left, more...) {
		failed = errors.Join(failed, os.Remove(path))
	}
	return failed
}
