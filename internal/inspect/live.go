package inspect

import (
	"fmt"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
)

// liveLines is the most lines a second that Live says: what people and GUIs can take.
const liveLines = 100

// Live is a Sink that says events as lines of text while the search runs. Of a flood it says the first lines of each second and how many
// it left out.
type Live struct {
	mu      sync.Mutex
	filter  Filter
	say     func(line string)
	number  int
	second  time.Time
	said    int
	dropped int
}

// NewLive returns a sink for the events that the filter shows. say is called from the search's goroutines, one at a time.
func NewLive(f Filter, say func(line string)) *Live { return &Live{filter: f, say: say} }

// Event says an event.
func (l *Live) Event(e *search.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Kind == search.EventStart {
		l.number++
	}
	if !l.filter.Match(e, l.number) {
		return
	}
	now := time.Now()
	whole := e.Kind == search.EventStart || e.Kind == search.EventEnd
	if now.Sub(l.second) >= time.Second || whole && l.dropped > 0 {
		if l.dropped > 0 {
			l.say(fmt.Sprintf("%d more events", l.dropped))
		}
		l.second, l.said, l.dropped = now, 0, 0
	}
	if l.said >= liveLines {
		l.dropped++
		return
	}
	l.said++
	l.say(EventText(e))
}
