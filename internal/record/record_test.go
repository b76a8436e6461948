package record

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

const samplePath = "../../testdata/sample.psv.zst"

func readAll(t testing.TB, path string) []Sample {
	t.Helper()
	r, err := Open(path)
	require.NoError(t, err)
	defer r.Close()
	var all []Sample
	for {
		s, err := r.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		all = append(all, s)
	}
}

// TestSampleFile: every record of the sample file is a position with a legal move, and survives both formats.
func TestSampleFile(t *testing.T) {
	samples := readAll(t, samplePath)
	require.Len(t, samples, 20000)
	for i := range samples {
		s := &samples[i]
		require.True(t, s.Position.IsLegal(s.Move), "%s in %s", s.Move, s.Position.SFEN())
		psv, err := EncodePSV(s)
		require.NoError(t, err)
		again, err := DecodePSV(&psv)
		require.NoError(t, err)
		require.Equal(t, *s, again)

		hcpe, err := EncodeHCPE(s)
		require.NoError(t, err)
		again, err = DecodeHCPE(&hcpe)
		require.NoError(t, err)
		want := s.Position.Setup()
		want.Ply = 1 // the format has none
		require.Equal(t, want, again.Position.Setup())
		require.Equal(t, [3]any{s.Score, s.Move, s.Result}, [3]any{again.Score, again.Move, again.Result})
	}
}

// TestBytes holds the start position as the programs that own the formats write it.
func TestBytes(t *testing.T) {
	s := Sample{Position: shogi.StartPosition(), Score: -2, Move: shogi.NewMove(shogi.NewSquare(7, 7), shogi.NewSquare(7, 6)), Result: -1}
	psv, err := EncodePSV(&s)
	require.NoError(t, err)
	require.Equal(t, []byte{0xfe, 0xff, 0x3b, 0x1e, 0x01, 0x00, 0xff, 0x00}, psv[32:])
	// side 0, black king on 5i = 44, white king on 5a = 36, then 1a lance of White: 0x03 in four bits, promotion 0, colour 1.
	require.Equal(t, byte(0|44<<1), psv[0])
	require.Equal(t, byte(36|0x80), psv[1])
	require.Equal(t, byte(0x03>>1|1<<4), psv[2]&0x1f)
	hcpe, err := EncodeHCPE(&s)
	require.NoError(t, err)
	require.Equal(t, []byte{0xfe, 0xff, 0x3b, 0x1e, hcpeWhiteWins, 0}, hcpe[32:])
	s.Move = shogi.NewDrop(shogi.Gold, shogi.NewSquare(5, 2))
	hcpe, err = EncodeHCPE(&s)
	require.NoError(t, err)
	require.Equal(t, []byte{0xa5, 0x2b}, hcpe[34:36], "a gold drop's from is 87")
}

func TestBadRecords(t *testing.T) {
	var zero [PSVSize]byte
	_, err := DecodePSV(&zero)
	require.ErrorContains(t, err, "both kings on square 0")
	good, err := EncodePSV(&Sample{Position: shogi.StartPosition()})
	require.NoError(t, err)
	bad := good
	bad[38] = 7
	_, err = DecodePSV(&bad)
	require.ErrorContains(t, err, "game result 7")
	oneKing, err := shogi.ParseSFEN("4k4/9/9/9/9/9/9/9/9 b R 1")
	require.NoError(t, err)
	_, err = EncodePSV(&Sample{Position: oneKing})
	require.ErrorContains(t, err, "both kings")

	path := filepath.Join(t.TempDir(), "x.psv")
	require.NoError(t, os.WriteFile(path, bytes.Join([][]byte{zero[:], good[:], good[:30]}, nil), 0o600))
	r, err := Open(path)
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Next()
	var record *BadRecord
	require.True(t, errors.As(err, &record))
	require.Equal(t, int64(1), record.Number)
	s, err := r.Next()
	require.NoError(t, err, "the record after a bad one is read")
	require.Equal(t, shogi.StartPosition(), s.Position)
	_, err = r.Next()
	require.ErrorContains(t, err, "x.psv: record 3: it is cut")
	_, err = Open("positions.bin")
	require.ErrorContains(t, err, "positions.bin")
}

func FuzzDecode(f *testing.F) {
	good, _ := EncodePSV(&Sample{Position: shogi.StartPosition()})
	f.Add(good[:])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < PSVSize {
			return
		}
		if s, err := DecodePSV((*[PSVSize]byte)(data)); err == nil {
			again, err := EncodePSV(&s)
			require.NoError(t, err)
			once, err := DecodePSV(&again)
			require.NoError(t, err)
			require.Equal(t, s, once)
		}
		if s, err := DecodeHCPE((*[HCPESize]byte)(data[:HCPESize])); err == nil {
			_, err := EncodeHCPE(&s)
			require.NoError(t, err)
		}
	})
}

func BenchmarkDecodePSV(b *testing.B) {
	samples := readAll(b, samplePath)
	data, err := EncodePSV(&samples[5000])
	require.NoError(b, err)
	for b.Loop() {
		if _, err := DecodePSV(&data); err != nil {
			b.Fatal(err)
		}
	}
}
