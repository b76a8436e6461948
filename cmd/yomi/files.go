package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// commandFor returns the command that starts the program at the path again. A program of "go run" is gone when it ends.
func commandFor(path string) string {
	if slashed := filepath.ToSlash(path); strings.Contains(slashed, "/go-build") && strings.Contains(slashed, "/exe/") {
		return "go run ./cmd/yomi"
	}
	return quoted(path)
}

// writeFile writes a file beside its place and then puts it there, so that there is never half a file.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + ".partial")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".partial", path)
}

// fileName makes a player's name fit for a file name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// quoted quotes a word for the shell where needed.
func quoted(word string) string {
	if fileName(strings.ReplaceAll(word, "/", "")) == strings.ReplaceAll(word, "/", "") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
