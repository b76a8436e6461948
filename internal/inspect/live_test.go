package inspect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
)

func TestLive(t *testing.T) {
	var lines []string
	l := NewLive(Filter{Level: search.LevelDebug}, func(line string) { lines = append(lines, line) })
	l.Event(&search.Event{Kind: search.EventStart, Engine: search.EngineUCT})
	for range 5 * liveLines {
		l.Event(&search.Event{Kind: search.EventMerge})
	}
	l.Event(&search.Event{Kind: search.EventEnd})
	require.True(t, strings.HasPrefix(lines[0], "START"))
	require.LessOrEqual(t, len(lines), 5*liveLines/2)
	require.Contains(t, lines[len(lines)-2], "more events")
	require.True(t, strings.HasPrefix(lines[len(lines)-1], "END"))
}
