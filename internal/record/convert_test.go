package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// fact is what all formats hold of a position: board, hands and side; move and result.
type fact struct {
	setup  shogi.Setup
	score  int16
	move   shogi.Move
	result int8
}

func factsOf(samples []Sample) []fact {
	var out []fact
	for i := range samples {
		s := &samples[i]
		setup := s.Position.Setup()
		setup.Ply = 0
		out = append(out, fact{setup, s.Score, s.Move, s.Result})
	}
	return out
}

// openAll reads the games of a file.
func openAll(t testing.TB, path string) []*Game {
	r, err := OpenGames(path)
	require.NoError(t, err)
	defer r.Close()
	var games []*Game
	for {
		g := new(Game)
		err := r.Next(g)
		if errors.Is(err, io.EOF) {
			return games
		}
		require.NoError(t, err)
		games = append(games, g)
	}
}

// writeAs writes games in any of the formats.
func writeAs(t testing.TB, path string, games []*Game) {
	format, err := FormatOf(path)
	require.NoError(t, err)
	var b bytes.Buffer
	switch format {
	case Yomi:
		w, err := NewGameWriter(&b)
		require.NoError(t, err)
		w.BlockSize = 1 << 16
		for _, g := range games {
			require.NoError(t, w.Write(g))
		}
		require.NoError(t, w.Close())
	case HCPE3:
		var data []byte
		for _, g := range games {
			data, err = AppendHCPE3(data, g)
			require.NoError(t, err)
		}
		b.Write(data)
	default:
		for _, g := range games {
			for _, s := range g.AppendSamples(nil) {
				data, err := AppendSample(nil, format, &s)
				require.NoError(t, err)
				b.Write(data)
			}
		}
	}
	data := b.Bytes()
	if filepath.Ext(path) == ".zst" {
		z, err := zstd.NewWriter(nil)
		require.NoError(t, err)
		data = z.EncodeAll(data, nil)
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// TestRoundTrips leads games through all formats, one after the other: positions, scores, moves and results stay.
func TestRoundTrips(t *testing.T) {
	path := samplePath
	want := factsOf(inOrder(openAll(t, path)))
	require.Len(t, want, 20000)
	dir := t.TempDir()
	for _, name := range []string{"a.hcpe3", "b.psv", "c.yomi", "d.hcpe", "e.hcpe3.zst", "f.yomi", "g.psv.zst", "h.hcpe.zst", "i.yomi"} {
		next := filepath.Join(dir, name)
		writeAs(t, next, openAll(t, path))
		path = next
		require.Equal(t, want, factsOf(readAll(t, path)), name)
	}
	require.Len(t, openAll(t, path), len(openAll(t, samplePath)), "games stay whole")
}

func inOrder(games []*Game) []Sample {
	var samples []Sample
	for _, g := range games {
		samples = g.AppendSamples(samples)
	}
	return samples
}

// TestForeignBytes: records that another program has packed are packed by us to the same bytes.
func TestForeignBytes(t *testing.T) {
	in, err := openInput(samplePath)
	require.NoError(t, err)
	defer in.close()
	for n := 0; ; n++ {
		var data [PSVSize]byte
		if _, err := io.ReadFull(in.in, data[:]); err != nil {
			require.Equal(t, io.EOF, err)
			require.Equal(t, 20000, n)
			return
		}
		s, err := DecodePSV(&data)
		require.NoError(t, err)
		again, err := EncodePSV(&s)
		require.NoError(t, err)
		require.Equal(t, data[:39], again[:39], "%s; the last byte is not used", s.Position.SFEN())
	}
}

// TestHCPE3RoundTrip: what the format holds of a game comes back: moves, scores, visits within 16 bits, result, end.
func TestHCPE3RoundTrip(t *testing.T) {
	for _, g := range randomGames(50, 100) {
		data, err := AppendHCPE3(nil, g)
		require.NoError(t, err)
		var again Game
		require.NoError(t, readHCPE3(bytes.NewReader(data), &again))
		require.Equal(t, g.Result, again.Result)
		require.Equal(t, g.White.Outside, again.White.Outside)
		require.Equal(t, g.Start, again.Start)
		for i, m := range g.Moves {
			want := GameMove{Move: m.Move, Known: HasScore, Deep: m.Deep}
			want.Score, _ = g.ScoreOf(i)
			if m.Deep {
				want.Candidates = m.Candidates
				if len(m.Candidates) == 0 {
					want.Candidates = []Candidate{{m.Move, 1}}
				}
			}
			require.Equal(t, want, again.Moves[i])
		}
	}
	g := randomGames(1, 3)[0]
	g.Result = NoResult
	_, err := AppendHCPE3(nil, g)
	require.ErrorIs(t, err, ErrNoResult)
}

func TestScaledVisits(t *testing.T) {
	for _, tc := range []struct {
		visits, most uint32
		want         uint16
	}{
		{0, 10, 0}, {7, 10, 7}, {65535, 65535, 65535}, {65536, 65536, 65535}, {32768, 65536, 32767}, {1, 1 << 30, 1}, {0, 1 << 30, 0},
		{math.MaxUint32, math.MaxUint32, 65535}, {1 << 31, math.MaxUint32, 32767},
	} {
		require.Equal(t, tc.want, scaledVisits(tc.visits, tc.most), "%d of %d", tc.visits, tc.most)
	}
}

// TestEnds: the ends that hcpe3 can tell.
func TestEnds(t *testing.T) {
	for _, tc := range []struct {
		result    Result
		end, want End
	}{
		{BlackWins, EndResign, EndUnknown}, {Drawn, EndRepetition, EndRepetition}, {WhiteWins, EndPerpetualCheck, EndPerpetualCheck},
		{BlackWins, EndDeclaration, EndDeclaration}, {Drawn, EndMaxPlies, EndMaxPlies},
	} {
		g := randomGames(1, 3)[0]
		g.Result, g.End = tc.result, tc.end
		data, err := AppendHCPE3(nil, g)
		require.NoError(t, err)
		require.NoError(t, readHCPE3(bytes.NewReader(data), g))
		require.Equal(t, tc.result, g.Result)
		require.Equal(t, tc.want, g.End)
		require.NotPanics(t, func() { data[34] = 2 | 16 })
		record := [HCPESize]byte{}
		sample := Sample{Position: g.Start, Move: g.Moves[0].Move, Result: 1}
		record, err = EncodeHCPE(&sample)
		require.NoError(t, err)
		record[36] |= hcpeEndOf(tc.end)
		s, err := DecodeHCPE2(&record)
		require.NoError(t, err)
		require.Equal(t, sample, s)
	}
}

// TestCutHCPE3 cuts a file of games at every byte: the whole games are read, then the error says that one is cut.
func TestCutHCPE3(t *testing.T) {
	var data []byte
	var ends []int
	for _, g := range randomGames(3, 4) {
		var err error
		data, err = AppendHCPE3(data, g)
		require.NoError(t, err)
		ends = append(ends, len(data))
	}
	for cut := range len(data) + 1 {
		in := bytes.NewReader(data[:cut])
		var g Game
		whole := 0
		for whole < 3 && ends[whole] <= cut {
			require.NoError(t, readHCPE3(in, &g))
			whole++
		}
		want := io.ErrUnexpectedEOF
		if cut == 0 || whole > 0 && ends[whole-1] == cut {
			want = io.EOF
		}
		require.Equal(t, want, readHCPE3(in, &g))
	}
}

// TestDamagedFile: what is no zstd, or is cut, ends the file with one error that names the record, in every format.
func TestDamagedFile(t *testing.T) {
	game := randomGames(1, 4)[0]
	game.Result = BlackWins
	samples := game.AppendSamples(nil)
	var z zstd.Encoder
	compressed := func(data []byte) []byte { return z.EncodeAll(data, nil) }
	whole := make(map[string][]byte)
	for _, f := range []Format{PSV, HCPE} {
		for _, s := range samples {
			var err error
			whole[f.String()], err = AppendSample(whole[f.String()], f, &s)
			require.NoError(t, err)
		}
	}
	var err error
	whole["hcpe3"], err = AppendHCPE3(nil, game)
	require.NoError(t, err)
	for ending, data := range whole {
		second := int64(len(samples) + 1)
		if ending == "hcpe3" {
			second = 2
		}
		for name, c := range map[string]struct {
			data   []byte
			number int64
			want   string
		}{
			"no zstd":        {bytes.Repeat([]byte{0xff}, 4000), 1, "magic number mismatch"},
			"no second zstd": {append(compressed(data), 1, 2, 3, 4, 5, 6, 7, 8), second, "magic number mismatch"},
			"cut":            {compressed(append(bytes.Clone(data), 1, 2, 3)), second, "it is cut"},
		} {
			path := filepath.Join(t.TempDir(), "x."+ending+".zst")
			require.NoError(t, os.WriteFile(path, c.data, 0o600))
			r, err := OpenGames(path)
			require.NoError(t, err)
			var g Game
			games := 0
			for err = r.Next(&g); err == nil; err = r.Next(&g) {
				games++
			}
			require.Equal(t, c.number > 1, games == 1, name)
			require.ErrorContains(t, err, fmt.Sprintf("x.%s.zst: record %d: ", ending, c.number), name)
			require.ErrorContains(t, err, c.want, name)
			require.False(t, errors.As(err, new(*BadRecord)), "nothing can follow: %s", name)
			require.NoError(t, r.Close())
		}
	}
}

// TestBadHCPE3: a game that makes no sense is named and passed over, one whose end cannot be found ends the file.
func TestBadHCPE3(t *testing.T) {
	games := randomGames(3, 4)
	var data []byte
	ends := []int{0}
	for _, g := range games {
		data, _ = AppendHCPE3(data, g)
		ends = append(ends, len(data))
	}
	path := filepath.Join(t.TempDir(), "x.hcpe3")
	for name, tc := range map[string]struct {
		at    int
		value byte
		want  string
	}{
		"king":       {0, 0xfe, "king square"},
		"result":     {34, 3, "game result 3"},
		"opponent":   {35, 3, "opponent 3"},
		"move":       {36, 0xff, "off the board"},
		"illegal":    {36, 80, "illegal move"},
		"candidates": {41, 0xff, "the rest of the file cannot be read"},
	} {
		bad := bytes.Clone(data)
		bad[ends[1]+tc.at] = tc.value
		if tc.at == 36 {
			bad[ends[1]+37] = 0x01
		}
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		r, err := OpenGames(path)
		require.NoError(t, err)
		var g Game
		require.NoError(t, r.Next(&g), name)
		err = r.Next(&g)
		require.ErrorContains(t, err, tc.want, name)
		require.ErrorContains(t, err, "x.hcpe3: record 2: ", name)
		var record *BadRecord
		if require.Equal(t, name != "candidates", errors.As(err, &record)); record != nil {
			require.NoError(t, r.Next(&g), name)
			require.ErrorIs(t, r.Next(&g), io.EOF)
		}
		require.NoError(t, r.Close())
	}
}

// TestRuns: positions that follow each other are games, forwards and backwards, with gaps and bad records between.
func TestRuns(t *testing.T) {
	game := randomGames(1, 12)[0]
	game.Result = BlackWins
	all := game.AppendSamples(nil)
	require.Len(t, all, 12)
	illegal := all[7]
	illegal.Move = shogi.NewMove(0, 80)
	reversed := func(samples []Sample) []Sample {
		var out []Sample
		for i := range samples {
			out = append(out, samples[len(samples)-1-i])
		}
		return out
	}
	otherResult := all[5]
	otherResult.Result *= -1
	for name, tc := range map[string]struct {
		samples []Sample
		lengths []int
		bad     int
	}{
		"none":      {nil, nil, 0},
		"one":       {all[:1], []int{1}, 0},
		"forwards":  {all, []int{12}, 0},
		"backwards": {reversed(all), []int{12}, 0},
		"twice":     {append(all[:12:12], all...), []int{12, 12}, 0},
		"mirror":    {append(all[:12:12], reversed(all)...), []int{12, 12}, 0},
		"gap":       {append(all[:4:4], all[5:]...), []int{4, 7}, 0},
		"illegal":   {append(append(all[:7:7], illegal), all[8:]...), []int{7, 4}, 1},
		"beside":    {append(append(all[:7:7], illegal), all[7:]...), []int{12}, 1},
		"result":    {append(append(all[:5:5], otherResult), all[6:]...), []int{5, 1, 6}, 0},
	} {
		for _, format := range []Format{PSV, HCPE} {
			var data []byte
			for i := range tc.samples {
				var err error
				data, err = AppendSample(data, format, &tc.samples[i])
				require.NoError(t, err)
			}
			path := filepath.Join(t.TempDir(), "x."+format.String())
			require.NoError(t, os.WriteFile(path, data, 0o600))
			games, _, bad := readGames(t, path)
			var lengths []int
			for _, g := range games {
				lengths = append(lengths, len(g.Moves))
				require.NoError(t, g.Check())
			}
			require.Equal(t, tc.lengths, lengths, "%s as %s", name, format)
			require.Equal(t, tc.bad, bad, name)
		}
	}
}

func TestFormats(t *testing.T) {
	for name, want := range map[string]Format{"a.psv": PSV, "a.psv.zst": PSV, "b.hcpe": HCPE, "b.hcpe2.zst": HCPE2, "c/d.hcpe3": HCPE3, "x.yomi": Yomi} {
		f, err := FormatOf(name)
		require.NoError(t, err)
		require.Equal(t, want, f)
	}
	for name, want := range map[string]string{"a.bin": "want a name", "psv": "want a name", "x.yomi.zst": "compressed in themselves", "x.psv.gz": "want a name"} {
		_, err := FormatOf(name)
		require.ErrorContains(t, err, want)
	}
	_, err := AppendSample(nil, HCPE3, new(Sample))
	require.ErrorContains(t, err, "hcpe3")
}

// FuzzHCPE3: any bytes are read without harm; what is a game is written and read as the same.
func FuzzHCPE3(f *testing.F) {
	for _, g := range randomGames(3, 6) {
		data, err := AppendHCPE3(nil, g)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var g, again Game
		if readHCPE3(bytes.NewReader(data), &g) != nil {
			return
		}
		data, err := AppendHCPE3(nil, &g)
		require.NoError(t, err)
		require.NoError(t, readHCPE3(bytes.NewReader(data), &again))
		require.Equal(t, g, again)
	})
}

// FuzzRoundTrip leads a random game through the formats.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint64(1), uint64(60))
	f.Fuzz(func(t *testing.T, seed, plies uint64) {
		g := randomGame(rand.New(rand.NewPCG(seed, 0)), int(1+plies%200))
		want := factsOf(g.AppendSamples(nil))
		dir := t.TempDir()
		for _, ending := range []string{"psv", "hcpe", "hcpe3", "yomi"} {
			path := filepath.Join(dir, "x."+ending)
			writeAs(t, path, []*Game{g})
			require.Equal(t, want, factsOf(readAll(t, path)))
			require.Equal(t, want, factsOf(inOrder(openAll(t, path))))
		}
	})
}
