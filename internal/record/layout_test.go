package record

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// bitText is a packed position as text: the bits in their order of the stream.
type bitText struct{ strings.Builder }

// number writes the low bits of a number, the lowest first.
func (b *bitText) number(x, bits int) {
	for range bits {
		b.WriteByte('0' + byte(x&1))
		x >>= 1
	}
}

// code writes a code that is printed with its highest bit first.
func (b *bitText) code(text string) {
	for i := len(text) - 1; i >= 0; i-- {
		b.WriteByte(text[i])
	}
}

// bytes returns the stream: bit k stands in byte k/8 at place k%8.
func (b *bitText) bytes(t *testing.T) []byte {
	require.Equal(t, 256, b.Len())
	data := make([]byte, 32)
	for k, bit := range b.String() {
		data[k/8] |= byte(bit-'0') << (k % 8)
	}
	return data
}

// The codes of the two families, as the formats' tables print them, highest bit first. On the board: black, promoted black,
// white, promoted white; then in the hand of Black and of White; then in the box.
var (
	sfenTable = map[byte][7]string{
		'P': {"0001", "0101", "1001", "1101", "000", "100", "010"},
		'L': {"000011", "010011", "100011", "110011", "00001", "10001", "01001"},
		'N': {"001011", "011011", "101011", "111011", "00101", "10101", "01101"},
		'S': {"000111", "010111", "100111", "110111", "00011", "10011", "01011"},
		'G': {"001111", "", "101111", "", "00111", "10111", "11011"},
		'B': {"00011111", "01011111", "10011111", "11011111", "0001111", "1001111", "0101111"},
		'R': {"00111111", "01111111", "10111111", "11111111", "0011111", "1011111", "0111111"},
	}
	hcpTable = map[byte][7]string{
		'P': {"0001", "1001", "0101", "1101", "000", "100", "010"},
		'L': {"000011", "100011", "010011", "110011", "00001", "10001", "01001"},
		'N': {"000111", "100111", "010111", "110111", "00011", "10011", "01011"},
		'S': {"001011", "101011", "011011", "111011", "00101", "10101", "01101"},
		'G': {"001111", "", "101111", "", "00111", "10111", "11101"},
		'B': {"00011111", "10011111", "01011111", "11011111", "0011111", "1011111", "0001111"},
		'R': {"00111111", "10111111", "01111111", "11111111", "0111111", "1111111", "0101111"},
	}
)

const (
	pieceOrder  = "PLNSGBR" // in hcp
	sfenOrder   = "PLNSBRG"
	pieceCounts = "\x12\x04\x04\x04\x04\x02\x02"
)

// packText packs an SFEN by its letters, the tables and nothing of this package. Hands are written in the order given.
func packText(t *testing.T, sfen string, table map[byte][7]string, order string) []byte {
	fields := strings.Fields(sfen)
	var squares [81]string // by file and rank
	for rank, row := range strings.Split(fields[0], "/") {
		file, promoted := 9, ""
		for _, c := range row {
			switch {
			case c >= '1' && c <= '9':
				file -= int(c - '0')
			case c == '+':
				promoted = "+"
			default:
				squares[(file-1)*9+rank] = promoted + string(c)
				file, promoted = file-1, ""
			}
		}
	}
	var b bitText
	b.number(strings.Index("bw", fields[1]), 1)
	for _, king := range []string{"K", "k"} {
		for i, piece := range squares {
			if piece == king {
				b.number(i, 7)
			}
		}
	}
	left := map[byte]int{}
	for i, c := range []byte(pieceOrder) {
		left[c] = int(pieceCounts[i])
	}
	for _, piece := range squares {
		letter := strings.ToUpper(strings.TrimPrefix(piece, "+"))
		switch letter {
		case "":
			b.code("0")
		case "K":
		default:
			column := 0
			if piece[0] == '+' {
				column++
			}
			if !strings.HasSuffix(piece, letter) {
				column += 2
			}
			b.code(table[letter[0]][column])
			left[letter[0]]--
		}
	}
	hands := map[byte]int{}
	for i, n := 0, 0; fields[2] != "-" && i < len(fields[2]); i++ {
		if c := fields[2][i]; c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		} else {
			hands[c] = max(n, 1)
			n = 0
		}
	}
	for column, lower := range []byte{0, 'a' - 'A'} {
		for _, c := range []byte(order) {
			for range hands[c+lower] {
				b.code(table[c][4+column])
				left[c]--
			}
		}
	}
	for _, c := range []byte(order) {
		for range left[c] {
			b.code(table[c][6])
		}
	}
	return b.bytes(t)
}

var layoutPositions = []string{
	"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
	"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
	"4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
	"4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
	"4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
	"+P+l+n+s1+S+N+L+p/2+r1+b2+R1/9/4+B4/9/9/4k4/9/4K4 b - 1",
	"9/9/9/4k4/9/9/9/9/K8 b - 1",
	"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
}

// TestLayout compares both families of packed positions with the formats' tables.
func TestLayout(t *testing.T) {
	for _, sfen := range layoutPositions {
		p, err := shogi.ParseSFEN(sfen)
		require.NoError(t, err, sfen)
		for name, family := range map[string]struct {
			table map[byte][7]string
			codec *codec
			order string
		}{"sfen": {sfenTable, sfenCodec, sfenOrder}, "hcp": {hcpTable, hcpCodec, pieceOrder}} {
			want := packText(t, sfen, family.table, family.order)
			got, err := family.codec.pack(&p)
			require.NoError(t, err)
			require.Equal(t, want, got[:], "%s of %s", name, sfen)
			for _, order := range []string{pieceOrder, sfenOrder, "BRGSNLP", "RLBPNGS"} {
				setup, err := family.codec.unpack((*[PackedSize]byte)(packText(t, sfen, family.table, order)))
				require.NoError(t, err)
				expected := p.Setup()
				expected.Ply = 0
				require.Equal(t, expected, setup, "%s of %s, hands in the order %s", name, sfen, order)
			}
		}
	}
}

// TestHCPE3Layout: a game as the format's description has it, byte by byte.
func TestHCPE3Layout(t *testing.T) {
	const sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
	square := func(file, rank int) uint16 { return uint16((file-1)*9 + rank - 1) }
	bishop := square(2, 2) | square(8, 8)<<7 | 1<<14 // 8h2b+
	silver := square(2, 2) | square(3, 1)<<7         // 3a2b
	drop := square(4, 5) | (80+5)<<7                 // B*4e
	other := square(2, 6) | square(2, 7)<<7          // 2g2f
	data := packText(t, sfen, hcpTable, pieceOrder)
	put := func(numbers ...uint16) {
		for _, x := range numbers {
			data = binary.LittleEndian.AppendUint16(data, x)
		}
	}
	put(3)
	data = append(data, 2|4, 1) // White has won, by perpetual check; Black was another program
	put(bishop, 100, 2, bishop, 7, other, 3)
	put(silver, 0xffce, 0)
	put(drop, 5, 1, drop, 65535)

	var g Game
	in := strings.NewReader(string(data))
	require.NoError(t, readHCPE3(in, &g))
	require.Zero(t, in.Len())
	p, err := shogi.ParseSFEN(sfen)
	require.NoError(t, err)
	start := p.Setup()
	start.Ply = 1
	require.Equal(t, start, g.Start.Setup())
	require.Equal(t, [4]any{WhiteWins, EndPerpetualCheck, true, false}, [4]any{g.Result, g.End, g.Black.Outside, g.White.Outside})
	var text []string
	for _, m := range g.Moves {
		text = append(text, m.Move.String())
	}
	require.Equal(t, "8h2b+ 3a2b B*4e", strings.Join(text, " "))
	require.Equal(t, [3]int16{100, -50, 5}, [3]int16{g.Moves[0].Score, g.Moves[1].Score, g.Moves[2].Score})
	require.Equal(t, [3]bool{true, false, true}, [3]bool{g.Moves[0].Deep, g.Moves[1].Deep, g.Moves[2].Deep})
	require.Equal(t, []Candidate{{g.Moves[0].Move, 7}, {shogi.NewMove(shogi.NewSquare(2, 7), shogi.NewSquare(2, 6)), 3}}, g.Moves[0].Candidates)
	again, err := AppendHCPE3(nil, &g)
	require.NoError(t, err)
	require.Equal(t, data, again)
}
