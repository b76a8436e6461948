package main

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// unsteady are the parts of the output that depend on the machine.
var unsteady = regexp.MustCompile(`(nps|time|evaluating/s|playouts/s:) +\d+`)

// Each file in testdata/usi is a dialogue with the real engine: "> " before what the GUI says, "< " before what the engine must answer,
// "#" before remarks. Numbers that depend on the machine are written N.
// After a deliberate change: go test ./cmd/usi -run Transcripts -update
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../testdata/usi/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if strings.HasPrefix(filepath.Base(file), "search") && runtime.GOARCH != "amd64" {
				t.Skip("other processors round otherwise")
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := replay(t, string(text))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}

// replay says the GUI's lines of a transcript to an engine and returns the transcript with what it answers.
func replay(t *testing.T, transcript string) string {
	t.Helper()
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		newProtocol(engine.New(), outWriter).run(inReader, nil)
		outWriter.Close()
	}()
	answers := bufio.NewReader(outReader)
	late := time.AfterFunc(limit, func() { _ = outReader.CloseWithError(errors.New("no answer")) })
	defer late.Stop()
	var out strings.Builder
	open := false // a search waits for stop or ponderhit
	for _, line := range strings.Split(strings.TrimRight(transcript, "\n"), "\n") {
		if strings.HasPrefix(line, "<") {
			continue
		}
		out.WriteString(line + "\n")
		said, isSaid := strings.CutPrefix(line, "> ")
		if !isSaid {
			continue
		}
		// What ends the answer: the answer to go, else the answer to an isready of ours.
		last := ""
		switch {
		case strings.HasPrefix(said, "go infinite"), strings.HasPrefix(said, "go ponder"):
			open = true
		case strings.HasPrefix(said, "go mate"):
			last = "checkmate"
		case strings.HasPrefix(said, "go perft"):
			last = "Nodes searched"
		case strings.HasPrefix(said, "go"), open && (said == "stop" || strings.HasPrefix(said, "ponderhit")):
			last, open = "bestmove", false
		}
		sent := said + "\n"
		if last == "" {
			if open {
				time.Sleep(100 * time.Millisecond) // long enough for the node limits used
			}
			if said != "isready" {
				sent += "isready\n"
			}
		}
		_, err := io.WriteString(inWriter, sent)
		require.NoError(t, err)
		for {
			answer, err := answers.ReadString('\n')
			require.NoError(t, err, "after %q", said)
			answer = strings.TrimSuffix(answer, "\n")
			if last == "" && said != "isready" && answer == "readyok" {
				break
			}
			// A search that waits shows what it has when it has it, and once more with its answer; only the answer is steady.
			written := "< " + unsteady.ReplaceAllString(answer, "$1 N") + "\n"
			if thinking := strings.HasPrefix(answer, "info depth"); !thinking || !open && !strings.HasSuffix(out.String(), written) {
				out.WriteString(written)
			}
			if last != "" && strings.HasPrefix(answer, last) || answer == "readyok" {
				break
			}
		}
	}
	require.NoError(t, inWriter.Close())
	<-ended
	return out.String()
}
