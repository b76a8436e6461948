package match

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed" // the balanced openings
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/shogi"
)

// Opening is a game that has been played up to the point where the players take over.
type Opening struct {
	// Line is the number of its line in its file, from 1.
	Line int
	// Text is the opening as the position command of USI gives it: "startpos moves …" or "sfen …".
	Text string
}

// Game returns the opening as a game of its own.
func (o Opening) Game() *shogi.Game {
	g, err := shogi.ParsePosition(o.Text)
	if err != nil {
		panic("match: a checked opening does not parse: " + err.Error())
	}
	return g
}

// ErrNoOpening says that a line holds no opening: it is empty or a comment.
var ErrNoOpening = errors.New("no opening")

// ParseOpening reads a line of an opening file in any of the forms in use: "startpos [moves …]", "position …", "sfen …
// [moves …]", a bare SFEN as in EPD files (what follows a semicolon is skipped), or bare moves from the start position. It
// gives ErrNoOpening for empty lines and those that begin with #. An opening in which the game is over already, or in which
// a king is missing, is refused. The error names the bad token.
func ParseOpening(line string) (Opening, error) {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if line == "" || strings.HasPrefix(line, "#") {
		return Opening{}, ErrNoOpening
	}
	text, _, _ := strings.Cut(line, ";")
	if fields := strings.Fields(text); len(fields) > 0 && !strings.Contains(fields[0], "/") {
		if _, err := shogi.ParseMove(fields[0]); err == nil {
			text = "startpos moves " + text
		}
	}
	g, err := shogi.ParsePosition(text)
	if err != nil {
		return Opening{}, err
	}
	p := g.Position()
	switch {
	case p.KingSquare(shogi.Black) == shogi.NoSquare || p.KingSquare(shogi.White) == shogi.NoSquare:
		return Opening{}, fmt.Errorf("a king is missing in %s", p.SFEN())
	case !p.HasLegalMove():
		return Opening{}, fmt.Errorf("the game is over: no legal move in %s", p.SFEN())
	case g.History().Fourfold() != shogi.NoRepetition:
		return Opening{}, errors.New("the game is over: fourfold repetition")
	}
	return Opening{Text: g.USI()}, nil
}

// ReadOpenings reads an opening file; name stands for it in errors, which also give the number of the bad line.
func ReadOpenings(name string, in io.Reader) ([]Opening, error) {
	var list []Opening
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, readErr := r.ReadString('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return nil, fmt.Errorf("%s: %w", name, readErr)
		}
		o, err := ParseOpening(line)
		if err == nil {
			o.Line = number
			list = append(list, o)
		} else if !errors.Is(err, ErrNoOpening) {
			return nil, fmt.Errorf("%s, line %d: %w", name, number, err)
		}
		if readErr != nil {
			break
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no opening in it", name)
	}
	return list, nil
}

//go:embed balanced.sfen
var balanced []byte

// LoadOpenings reads the opening file, plain or zstd (.zst); an empty path means the list of balanced openings that is
// embedded in the program.
func LoadOpenings(path string) ([]Opening, error) {
	if path == "" {
		return ReadOpenings(openingsName(path), bytes.NewReader(balanced))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if !strings.HasSuffix(path, ".zst") {
		return ReadOpenings(path, file)
	}
	z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return ReadOpenings(path, z)
}

// openingsName is what errors call the opening file.
func openingsName(path string) string {
	if path == "" {
		return "the embedded openings"
	}
	return path
}

// HashOpenings returns the SHA-256 of the openings in their normal form, one a line.
func HashOpenings(list []Opening) string {
	h := sha256.New()
	for _, o := range list {
		io.WriteString(h, o.Text+"\n")
	}
	return hex.EncodeToString(h.Sum(nil))
}

// openingSalt keeps the order of openings apart from other uses of the seed.
const openingSalt = 0x6f70656e696e6773 // "openings"

// openingOrder gives each pair its opening: a seeded permutation of the list, and another one each time the list is used up.
type openingOrder struct {
	seed uint64
	n    int
	laps map[int][]int
}

func newOpeningOrder(seed uint64, n int) *openingOrder {
	return &openingOrder{seed: seed, n: n, laps: make(map[int][]int)}
}

// index returns the place in the list of the pair's opening.
func (o *openingOrder) index(pair int) int {
	lap := pair / o.n
	if o.laps[lap] == nil {
		o.laps[lap] = rand.New(rand.NewPCG(o.seed, openingSalt+uint64(lap))).Perm(o.n)
	}
	return o.laps[lap][pair%o.n]
}
