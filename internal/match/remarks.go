package match

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
)

// maxRemarks is how many errors and warnings of an engine are kept.
const maxRemarks = 5

// remarks collects the errors and warnings that an engine tells its user by "info string". Its methods may be called from
// several goroutines.
type remarks struct {
	mu    sync.Mutex
	texts []string
}

// hear looks at a line of the engine.
func (r *remarks) hear(line string, _ time.Time) {
	word, args := usi.Split(line)
	kind, text := usi.Split(args)
	if word != "info" || kind != "string" || !isError(text) && !hasPrefixFold(text, "warning") {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.texts) < maxRemarks {
		r.texts = append(r.texts, usi.Text(text))
	}
}

// list returns what was collected.
func (r *remarks) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.texts)
}

// isError reports whether a message of an engine tells of an error, as engines mark it: "Error: …", "error! …".
func isError(message string) bool { return hasPrefixFold(message, "error") }

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
