package book_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

func BenchmarkReadDB2016(b *testing.B) {
	text := written(b, randomBook(1, 200, 60))
	var positions, moves int
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read, err := book.Read(text)
		require.NoError(b, err)
		positions, moves = read.Len(), read.Moves()
	}
	b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(moves)*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

func BenchmarkReadApery(b *testing.B) {
	var data bytes.Buffer
	require.NoError(b, book.WriteApery(&data, randomBook(1, 200, 60)))
	b.SetBytes(int64(data.Len()))
	b.ReportAllocs()
	for b.Loop() {
		_, err := book.Read(data.Bytes())
		require.NoError(b, err)
	}
}

func BenchmarkFind(b *testing.B) {
	small := randomBook(1, 20, 30)
	p := shogi.StartPosition()
	for b.Loop() {
		if _, ok := small.Find(&p, true); !ok {
			b.Fatal("the start position is not there")
		}
	}
}
