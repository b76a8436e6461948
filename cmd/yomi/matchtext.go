package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/yomi-shogi/yomi/internal/match"
)

// commandLine returns the command with these arguments, to be repeated.
func commandLine(args []string) string {
	words := []string{"yomi"}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	return strings.Join(words, " ")
}

// resumeMatch returns the command that goes on with the match.
func resumeMatch(dir string, m *match.Match, concurrency int) string {
	command := commandFor(os.Args[0]) + " match --resume " + quoted(dir)
	if m.Games() != m.Header.Games {
		command += fmt.Sprintf(" --games %d", m.Games())
	}
	if concurrency > 1 {
		command += fmt.Sprintf(" --concurrency %d", concurrency)
	}
	return command
}

// announce prints what is going to be played, in a form from which it can be repeated.
func announce(out io.Writer, dir string, m *match.Match, concurrency int) {
	h := &m.Header
	for i, p := range []match.Spec{h.A, h.B} {
		id := h.Identities[i]
		fmt.Fprintf(out, "%s: %s (%s, sha256 %.16s), time %s", []string{"A", "B"}[i], p.Name, id.Engine, id.SHA256, p.Time)
		if p.Margin > 0 {
			fmt.Fprintf(out, " (margin %s)", p.Margin)
		}
		for _, o := range id.Options {
			fmt.Fprintf(out, " %s=%s", o.Name, o.Value)
		}
		fmt.Fprintln(out)
		for _, remark := range id.Remarks {
			fmt.Fprintf(out, "   %s says: %s\n", p.Name, remark)
		}
	}
	openings := h.Openings
	if openings == "" {
		openings = "embedded"
	}
	fmt.Fprintf(out, "%d games (%d finished), %d at a time; seed %d; %d openings (%s, sha256 %.16s)\n",
		m.Games(), len(m.Records), concurrency, h.Seed, h.OpeningsCount, openings, h.OpeningsSHA256)
	if cores := runtime.NumCPU(); concurrency > cores {
		fmt.Fprintf(out, "warning: %d games at a time on %d cores; times will not be fair\n", concurrency, cores)
	}
	fmt.Fprintf(out, "folder %s; to go on after an interruption: %s\n", dir, resumeMatch(dir, m, concurrency))
}

// report writes the files of a match and prints its standings.
func report(out io.Writer, dir string, h *match.Header, records []match.Record) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"games.jsonl", func(w io.Writer) error { return match.WriteJSONLines(w, records) }},
		{"games.pgn", func(w io.Writer) error { return match.WritePGN(w, h, records) }},
		{"games.csa", func(w io.Writer) error { return match.WriteCSA(w, h, records) }},
		{"report.html", func(w io.Writer) error { return match.WriteReport(w, h, records) }},
	} {
		if err := writeFile(filepath.Join(dir, f.name), f.write); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%sreport      %s\n", h.Standings(records).Text(h.A.Name, h.B.Name), filepath.Join(dir, "report.html"))
	return nil
}
