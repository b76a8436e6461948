package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

// debugLog copies the dialogue to a file, a line each, with the time and ">" for what came in, "<" for what went out.
// Without a file it does nothing.
type debugLog struct {
	path string
	file *os.File
	out  *bufio.Writer
}

// open sends the log to the end of the file; an empty path closes it.
func (l *debugLog) open(path string) error {
	if path == l.path {
		return nil
	}
	l.close()
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	l.path, l.file, l.out = path, file, bufio.NewWriter(file)
	return nil
}

// write adds a line. A full disk must not end a game, so write errors are not reported.
func (l *debugLog) write(direction byte, line string) {
	if l.file == nil {
		return
	}
	fmt.Fprintf(l.out, "%s %c %s\n", time.Now().Format("2006-01-02 15:04:05.000"), direction, line)
	_ = l.out.Flush()
}

func (l *debugLog) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
	*l = debugLog{}
}
