package usi

import (
	"os"
	"path/filepath"
	"time"
)

// Program says how to start an engine.
type Program struct {
	// Path is the program, found in PATH when it has no separator; Args are its arguments.
	Path string
	Args []string
	// Dir is the folder to start in. Empty leaves it to Folder.
	Dir string
	// CPU is the core to run on, counted from 1; 0 leaves the choice to the system. Only Linux heeds it.
	CPU int
	// Tap, when not nil, is called with each line that the engine writes and the time when it came, from one goroutine.
	Tap func(line string, at time.Time)
}

// Folder returns the folder that the program starts in: Dir; without one the program's own folder, where engines look for
// their files and where GUIs start them. A program that is found in PATH, such as an interpreter, stays in the current folder, so
// that relative files among its arguments mean what they say.
func (p *Program) Folder() (string, error) {
	switch {
	case p.Dir != "":
		return p.Dir, nil
	case filepath.Base(p.Path) == p.Path:
		return os.Getwd()
	}
	path, err := filepath.Abs(p.Path)
	return filepath.Dir(path), err
}
