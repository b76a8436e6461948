package record

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// randomGame plays a game of random moves with random thoughts.
func randomGame(random *rand.Rand, plies int) *Game {
	g := &Game{
		Start: shogi.StartPosition(), Number: random.Int64N(1000), Seed: random.Uint64(),
		Black: Player{Name: "black", Options: []Setting{{"Threads", "2"}}, Hash: "program 12ab", Limits: "nodes=800", EvalCoef: 500},
		White: Player{Name: "白", Outside: random.IntN(2) == 0},
		Ended: time.Unix(random.Int64N(2e9), 0).UTC(), Result: Result(1 + random.IntN(3)), End: EndResign, Detail: "x",
		Tags: []Setting{{"event", "test"}}, Comment: "begin",
	}
	p := g.Start
	for range plies {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			break
		}
		random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		m := GameMove{Move: moves[0], Known: Facts(random.IntN(16)), Deep: random.IntN(4) > 0, Random: random.IntN(2) == 0}
		if m.Known&HasScore != 0 {
			m.Score, m.Mate = int16(random.IntN(1<<16)-1<<15), int16(random.IntN(20)-10)
		}
		if m.Known&HasRootValue != 0 {
			m.RootValue = random.Float32()
		}
		if m.Known&HasNetValue != 0 {
			m.NetValue = random.Float32()
		}
		if m.Known&HasTime != 0 {
			m.Time = time.Duration(random.IntN(1e9))
		}
		for _, c := range moves[:random.IntN(min(len(moves), 10))] {
			m.Candidates = append(m.Candidates, Candidate{c, random.Uint32N(1000)})
		}
		g.Moves = append(g.Moves, m)
		p.Do(m.Move)
	}
	g.OpeningPlies = random.IntN(len(g.Moves) + 1)
	return g
}

// gameFile writes a file of games, each in a block, and returns it with where each block ends.
func gameFile(t testing.TB, games []*Game) (data []byte, ends []int) {
	var b bytes.Buffer
	w, err := NewGameWriter(&b)
	require.NoError(t, err)
	for _, g := range games {
		require.NoError(t, w.Write(g))
		ends = append(ends, b.Len())
	}
	require.NoError(t, w.Close())
	return b.Bytes(), ends
}

// readGames reads a file to its end; bad counts the errors on the way.
func readGames(t testing.TB, path string) (games []*Game, cut int64, bad int) {
	r, err := OpenGames(path)
	require.NoError(t, err)
	defer r.Close()
	for {
		g := new(Game)
		err := r.Next(g)
		var record *BadRecord
		switch {
		case errors.Is(err, io.EOF):
			return games, r.Cut(), bad
		case errors.As(err, &record):
			bad++
		default:
			require.NoError(t, err)
			games = append(games, g)
		}
	}
}

func randomGames(n, plies int) []*Game {
	random := rand.New(rand.NewPCG(1, 2))
	games := make([]*Game, n)
	for i := range games {
		games[i] = randomGame(random, plies)
	}
	return games
}

// TestGameFile: nothing of a game is lost, in blocks of one and of many games.
func TestGameFile(t *testing.T) {
	games := randomGames(30, 150)
	for _, size := range []int{0, 10000, 1 << 20} {
		path := filepath.Join(t.TempDir(), "x.yomi")
		for half := range 2 {
			w, err := AppendGames(path)
			require.NoError(t, err)
			require.EqualValues(t, half*15, w.Games())
			w.BlockSize = size
			for _, g := range games[half*15 : half*15+15] {
				require.NoError(t, w.Write(g))
			}
			_, err = AppendGames(path)
			require.ErrorContains(t, err, "another program is writing")
			require.NoError(t, w.Close())
		}
		got, cut, bad := readGames(t, path)
		require.Equal(t, games, got)
		require.Zero(t, cut)
		require.Zero(t, bad)
	}
}

// smallGames returns four games of few bytes.
func smallGames() []*Game {
	games := randomGames(4, 2)
	for _, g := range games {
		*g = Game{Start: g.Start, Number: g.Number, Moves: g.Moves, Result: g.Result}
	}
	return games
}

// TestCutGameFile cuts a file of games at every byte: all games before the cut are read, and writing goes on behind them.
func TestCutGameFile(t *testing.T) {
	t.Parallel()
	games := smallGames()
	data, ends := gameFile(t, games[:3])
	path := filepath.Join(t.TempDir(), "x.yomi")
	for cut := range len(data) + 1 {
		require.NoError(t, os.WriteFile(path, data[:cut], 0o600))
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		got, rest, bad := readGames(t, path)
		require.Len(t, got, whole)
		require.Zero(t, bad)
		if cut >= len(fileHead) {
			require.EqualValues(t, cut-append([]int{len(fileHead)}, ends...)[whole], rest)
		}
		w, err := AppendGames(path)
		require.NoError(t, err)
		require.EqualValues(t, whole, w.Games())
		w.BlockSize = 1 // at once, without waiting for the disk
		require.NoError(t, w.Write(games[3]))
		require.NoError(t, w.Close())
		got, rest, bad = readGames(t, path)
		require.Equal(t, append(games[:whole:whole], games[3]), got)
		require.Zero(t, rest)
		require.Zero(t, bad)
	}
}

// TestDamagedGameFile changes every byte of a file: at most the game with the byte is lost, and appending loses no other.
func TestDamagedGameFile(t *testing.T) {
	t.Parallel()
	games := smallGames()
	data, ends := gameFile(t, games[:3])
	path := filepath.Join(t.TempDir(), "x.yomi")
	for at := len(fileHead); at < len(data); at++ {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x55
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		var want []*Game
		for i, end := range ends {
			if at >= end || i > 0 && at < ends[i-1] {
				want = append(want, games[i])
			}
		}
		got, cut, bad := readGames(t, path)
		require.Equal(t, want, got)
		require.Equal(t, at >= ends[1], cut > 0, "damage at the end cannot be told from a cut")
		require.Equal(t, at < ends[1], bad == 1)
		w, err := AppendGames(path)
		require.NoError(t, err)
		w.BlockSize = 1
		require.NoError(t, w.Write(games[3]))
		require.NoError(t, w.Close())
		got, _, _ = readGames(t, path)
		require.Equal(t, append(want, games[3]), got)
	}
}

func TestForeignGameFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yomi")
	for content, want := range map[string]string{"hello, this is no such file": "not a file of yomi's games", "yo yo": "not a file", "yomi games\x00\x02 ": "version 2"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err := OpenGames(path)
		require.ErrorContains(t, err, want)
		_, err = AppendGames(path)
		require.ErrorContains(t, err, want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, content, string(after), "a foreign file is left alone")
	}
}

// TestCheck: games that cannot be are refused by the writer, which then goes on.
func TestCheck(t *testing.T) {
	var b bytes.Buffer
	w, err := NewGameWriter(&b)
	require.NoError(t, err)
	for want, spoil := range map[string]func(*Game){
		"illegal move 1a1b":  func(g *Game) { g.Moves[2].Move = shogi.NewMove(0, 1) },
		"illegal candidate":  func(g *Game) { g.Moves[1].Candidates = []Candidate{{shogi.MoveNone, 1}} },
		"win rates 2":        func(g *Game) { g.Moves[1].RootValue = 2 },
		"bad result 4":       func(g *Game) { g.Result = 4 },
		"opening plies":      func(g *Game) { g.OpeningPlies = 9 },
		"bad scale":          func(g *Game) { g.White.EvalCoef = -1 },
		"bad start position": func(g *Game) { g.Start = shogi.Position{} },
		"move 2: time -1s":   func(g *Game) { g.Moves[1].Time = -time.Second },
	} {
		g := randomGames(1, 5)[0]
		spoil(g)
		require.ErrorContains(t, w.Write(g), want)
	}
	size := b.Len()
	require.NoError(t, w.Write(randomGames(1, 5)[0]))
	require.Greater(t, b.Len(), size)
	require.EqualValues(t, 1, w.Games())
}

// TestSamples: a game's samples are its positions with the results of their side.
func TestSamples(t *testing.T) {
	g := &Game{Start: shogi.StartPosition(), Result: WhiteWins, Black: Player{EvalCoef: 300}}
	p := g.Start
	for _, text := range []string{"7g7f", "3c3d", "2g2f"} {
		m, err := shogi.ParseMove(text)
		require.NoError(t, err)
		g.Moves = append(g.Moves, GameMove{Move: m, Candidates: []Candidate{{m, 3}}})
		p.Do(m)
	}
	g.Moves[0].Known, g.Moves[0].RootValue = HasRootValue, 0.73105858
	g.Moves[1].Known, g.Moves[1].Score, g.Moves[1].Deep = HasScore|HasRootValue, -44, true
	samples := g.AppendSamples(nil)
	require.Len(t, samples, 3)
	require.Equal(t, []int16{300, -44, 0}, []int16{samples[0].Score, samples[1].Score, samples[2].Score})
	require.Equal(t, []int8{-1, 1, -1}, []int8{samples[0].Result, samples[1].Result, samples[2].Result})
	require.Equal(t, []bool{true, false, true}, []bool{samples[0].Fast, samples[1].Fast, samples[2].Fast})
	require.Equal(t, [][]Candidate{nil, g.Moves[1].Candidates, nil}, [][]Candidate{samples[0].Visits, samples[1].Visits, samples[2].Visits})
	for i, at := range g.Positions() {
		if i < 3 {
			require.Equal(t, samples[i].Position, *at)
		} else {
			require.Equal(t, p, *at)
		}
	}
	rate, known := g.WinRateOf(0)
	require.True(t, known)
	require.InDelta(t, 0.731, rate, 1e-3)
	_, known = g.WinRateOf(2)
	require.False(t, known)
	g.Result = Drawn
	require.Zero(t, g.AppendSamples(nil)[0].Result)
	g.Result = NoResult
	require.Empty(t, g.AppendSamples(nil))
}

func TestCentipawns(t *testing.T) {
	require.Equal(t, []int16{-maxCP, maxCP, 0, 600}, []int16{CentipawnsOf(0, 600), CentipawnsOf(1, 600), CentipawnsOf(0.5, 600), CentipawnsOf(0.7310586, 600)})
	for cp := -3000; cp <= 3000; cp++ {
		require.EqualValues(t, cp, CentipawnsOf(WinRateOf(int16(cp), 600), 600))
	}
}

// FuzzGame: what is read as a game is written and read as the same; nothing else happens to any bytes.
func FuzzGame(f *testing.F) {
	for _, g := range randomGames(3, 10) {
		data, err := g.MarshalMsg(nil)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var g, again Game
		if _, err := g.UnmarshalMsg(data); err != nil || g.Check() != nil {
			return
		}
		data, err := g.MarshalMsg(nil)
		require.NoError(t, err)
		_, err = again.UnmarshalMsg(data)
		require.NoError(t, err)
		twice, err := again.MarshalMsg(nil)
		require.NoError(t, err)
		require.Equal(t, data, twice)
	})
}

// FuzzGameFile reads any bytes behind a file's head, and appends to them.
func FuzzGameFile(f *testing.F) {
	data, _ := gameFile(f, randomGames(3, 5))
	f.Add(data[len(fileHead):])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "x.yomi")
		require.NoError(t, os.WriteFile(path, append(fileHead[:], data...), 0o600))
		before, _, _ := readGames(t, path)
		w, err := AppendGames(path)
		require.NoError(t, err)
		more := randomGames(1, 2)[0]
		require.NoError(t, w.Write(more))
		require.NoError(t, w.Close())
		after, cut, _ := readGames(t, path)
		require.Zero(t, cut)
		require.Equal(t, append(before, more), after)
	})
}
