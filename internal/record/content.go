package record

import "strings"

// Content is a set of what there may be to know about a game beside its positions, moves and, where it has one, its result.
type Content uint32

// The kinds of content.
const (
	ContentScores Content = 1 << iota
	ContentPly
	ContentVisits
	ContentDeep
	ContentEnd
	ContentNames
	ContentPlayers
	ContentTimes
	ContentValues
	ContentReasons
	ContentComments
	ContentTags
	ContentRun
	ContentNoResult
	contentKinds = iota
)

var contentNames = [contentKinds]string{
	"scores", "move numbers", "visits of the candidates", "which moves teach a policy", "how the game ended", "the players' names",
	"the players' options, programs and limits", "times", "win rates and proved mates", "reasons of the searches and random moves",
	"comments", "tags", "game number, seed, date and opening plies", "games without a result",
}

// Names lists the set's members in words.
func (c Content) Names() []string {
	var names []string
	for i, name := range contentNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String lists the set's members, separated by commas.
func (c Content) String() string { return strings.Join(c.Names(), ", ") }

// Holds returns what a format can hold. Of how the game ended hcpe3 knows repetition, declaration and the limit of moves only, and
// its visits have 16 bits.
func (f Format) Holds() Content {
	switch f {
	case PSV:
		return ContentScores | ContentPly
	case HCPE, HCPE2:
		return ContentScores
	case HCPE3:
		return ContentScores | ContentVisits | ContentDeep
	}
	return 1<<contentKinds - 1
}

// Content returns what is known about the game.
func (g *Game) Content() Content {
	c := g.headContent()
	for i := range g.Moves {
		c |= g.Moves[i].content()
	}
	return c
}

func (g *Game) headContent() Content {
	var c Content
	add := func(kind Content, there bool) {
		if there {
			c |= kind
		}
	}
	add(ContentPly, g.Start.Ply() != 1)
	add(ContentEnd, g.End != EndUnknown || g.Detail != "")
	add(ContentNames, g.Black.Name != "" || g.White.Name != "")
	add(ContentTags, len(g.Tags) > 0)
	add(ContentComments, g.Comment != "")
	add(ContentRun, g.Number != 0 || g.Seed != 0 || g.OpeningPlies != 0 || !g.Ended.IsZero())
	add(ContentNoResult, g.Result == NoResult)
	for _, p := range []*Player{&g.Black, &g.White} {
		add(ContentPlayers, len(p.Options) > 0 || p.Hash != "" || p.Limits != "" || p.EvalCoef != 0 || p.Outside)
	}
	return c
}

func (m *GameMove) content() Content {
	var c Content
	add := func(kind Content, there bool) {
		if there {
			c |= kind
		}
	}
	add(ContentScores, m.Known&HasScore != 0)
	add(ContentVisits, len(m.Candidates) > 0)
	add(ContentDeep, !m.Deep)
	add(ContentTimes, m.Known&HasTime != 0)
	add(ContentValues, m.Known&(HasRootValue|HasNetValue) != 0 || m.Mate != 0)
	add(ContentReasons, m.Reason != "" || m.Random)
	add(ContentComments, m.Comment != "")
	return c
}

// Content returns what is known about a sample.
func (s *Sample) Content() Content {
	c := ContentScores
	if s.Position.Ply() != 1 {
		c |= ContentPly
	}
	return c
}
