package kifu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// Each reader takes any bytes. Whatever it returns can be written in its own format, is recognised as that format, and comes
// back the same unless Write named something that it left out. A record without error can be written in every format.

func FuzzCSA(f *testing.F)  { fuzzFormat(f, kifu.CSA, ".csa") }
func FuzzKIF(f *testing.F)  { fuzzFormat(f, kifu.KIF, ".kif") }
func FuzzKIFU(f *testing.F) { fuzzFormat(f, kifu.KIFU, ".kifu", ".kif") }
func FuzzKI2(f *testing.F)  { fuzzFormat(f, kifu.KI2, ".ki2") }
func FuzzKI2U(f *testing.F) { fuzzFormat(f, kifu.KI2U, ".ki2") }
func FuzzUSI(f *testing.F)  { fuzzFormat(f, kifu.USI, ".txt") }

// FuzzRead lets the format be found out.
func FuzzRead(f *testing.F) {
	addFiles(f, ".csa", ".kif", ".kifu", ".ki2", ".txt")
	f.Fuzz(func(t *testing.T, data []byte) {
		records, format, err := kifu.Read(data)
		if format == kifu.NoFormat {
			require.Error(t, err)
			require.Empty(t, records)
			return
		}
		checkRead(t, format, records)
	})
}

func fuzzFormat(f *testing.F, format kifu.Format, endings ...string) {
	addFiles(f, endings...)
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := kifu.ReadFormat(format, data)
		if len(records) == 0 {
			require.Error(t, err)
		}
		checkRead(t, format, records)
	})
}

func addFiles(f *testing.F, endings ...string) {
	for _, ending := range endings {
		files, err := filepath.Glob(filepath.Join(testdata, "records", "*"+ending))
		require.NoError(f, err)
		require.True(f, len(files) > 0 || ending == ".kifu")
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(data)
		}
	}
}

func checkRead(t *testing.T, format kifu.Format, records []*kifu.Record) {
	if len(records) == 0 {
		return
	}
	var out bytes.Buffer
	dropped, err := kifu.Write(&out, format, records...)
	require.NoError(t, err)
	again, found, err := kifu.Read(out.Bytes())
	require.Equal(t, format, found, out.String())
	require.Len(t, again, len(records))
	clean := true
	for i, r := range records {
		clean = clean && r.Err == nil
		if r.Err == nil {
			requireElsewhere(t, r)
		}
		r.Err, again[i].Err = nil, nil
	}
	if clean {
		require.NoError(t, err, out.String())
	}
	if len(dropped) == 0 {
		require.Equal(t, records, again, out.String())
	}
}
