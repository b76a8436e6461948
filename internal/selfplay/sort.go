package selfplay

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/yomi-shogi/yomi/internal/record"
)

// Sort writes the games of a file to out as a file of games in the order of their numbers. A run with several workers writes them in
// the order in which they ended; sorted, the file does not depend on that, but for times.
func Sort(path string, out io.Writer) error {
	in, err := record.OpenGames(path)
	if err != nil {
		return err
	}
	defer in.Close()
	var games []*record.Game
	for {
		g := new(record.Game)
		if err := in.Next(g); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		games = append(games, g)
	}
	slices.SortFunc(games, func(a, b *record.Game) int { return cmp.Compare(a.Number, b.Number) })
	w, err := record.NewGameWriter(out)
	if err != nil {
		return err
	}
	const block = 256 << 10
	w.BlockSize = block
	for _, g := range games {
		if err := w.Write(g); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}
