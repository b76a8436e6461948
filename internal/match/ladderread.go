package match

import (
	"os"
	"path/filepath"
	"strings"
)

// LadderJSON is the name of the ladder's own lines in its folder; it is no journal.
const LadderJSON = "ladder.jsonl"

// ReadJournals reads the journals of a ladder: the file at the path, the journal of a match folder, or in any other folder each
// *.jsonl and *.jsonl.zst, and the journal of each match folder in it. Games of an interrupted match count. A file that is no journal is an error that names it.
func ReadJournals(path string) ([]Journaled, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = journalsIn(path); err != nil {
			return nil, err
		}
	}
	var out []Journaled
	for _, file := range files {
		h, err := ReadJournal(file)
		if err != nil {
			return nil, err
		}
		out = append(out, Journaled{File: filepath.ToSlash(file), History: *h})
	}
	return out, nil
}

// journalsIn returns the journals of a folder, by name.
func journalsIn(dir string) ([]string, error) {
	if own := filepath.Join(dir, JournalName); isFile(own) { // the other files there are its reports
		return []string{own}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir():
			if journal := filepath.Join(dir, name, JournalName); isFile(journal) {
				files = append(files, journal)
			}
		case name != LadderJSON && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zst")):
			files = append(files, filepath.Join(dir, name))
		}
	}
	return files, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
