// Command glyphs writes the outlines of the characters on shogi pieces as SVG paths in a TypeScript file, so that the dashboard's board
// needs no font. It is a module of its own, because nothing else needs a font reader. From this folder:
//
//	go run . -font /usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc -o ../src/glyphs.ts
//
// The font is Noto Serif CJK (SIL Open Font License 1.1, see ../vendor/noto-serif-cjk/LICENSE).
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// pieces has the SFEN letter and the character of each piece; "K" is Black's king and "k" White's.
var pieces = []struct {
	letter string
	glyph  rune
}{
	{"P", '歩'}, {"L", '香'}, {"N", '桂'}, {"S", '銀'}, {"G", '金'}, {"B", '角'}, {"R", '飛'}, {"K", '玉'}, {"k", '王'},
	{"+P", 'と'}, {"+L", '杏'}, {"+N", '圭'}, {"+S", '全'}, {"+B", '馬'}, {"+R", '龍'},
}

// size is the width of a character in the paths' units.
const size = 200

func main() {
	path := flag.String("font", "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc", "font collection")
	index := flag.Int("index", 0, "number of the font in the collection")
	out := flag.String("o", "../src/glyphs.ts", "file to write")
	flag.Parse()
	data, err := os.ReadFile(*path)
	if err != nil {
		log.Fatal(err)
	}
	fonts, err := sfnt.ParseCollection(data)
	if err != nil {
		log.Fatal(err)
	}
	f, err := fonts.Font(*index)
	if err != nil {
		log.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("// Made by ../_glyphs from Noto Serif CJK JP Bold (SIL Open Font License 1.1): do not edit.\n\n")
	fmt.Fprintf(&b, "/** Outlines of the characters on pieces by SFEN letter, centred on 0,0, about %d units wide. */\n", size)
	b.WriteString("export const glyphs: Record<string, string> = {\n")
	for _, p := range pieces {
		d, err := outline(f, p.glyph)
		if err != nil {
			log.Fatalf("%c: %v", p.glyph, err)
		}
		fmt.Fprintf(&b, "  %q: %q, // %c\n", p.letter, d, p.glyph)
	}
	b.WriteString("};\n")
	if err := os.WriteFile(*out, []byte(b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

// outline returns a character as an SVG path with whole numbers, its box centred on 0,0.
func outline(f *sfnt.Font, r rune) (string, error) {
	var buffer sfnt.Buffer
	glyph, err := f.GlyphIndex(&buffer, r)
	if err != nil {
		return "", err
	}
	if glyph == 0 {
		return "", fmt.Errorf("not in the font")
	}
	bounds, _, err := f.GlyphBounds(&buffer, glyph, fixed.I(size), font.HintingNone)
	if err != nil {
		return "", err
	}
	segments, err := f.LoadGlyph(&buffer, glyph, fixed.I(size), nil)
	if err != nil {
		return "", err
	}
	cx, cy := (bounds.Min.X+bounds.Max.X)/2, (bounds.Min.Y+bounds.Max.Y)/2
	at := func(p fixed.Point26_6) string {
		return fmt.Sprintf("%d %d", (p.X-cx+32)>>6, (p.Y-cy+32)>>6)
	}
	var b strings.Builder
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if b.Len() > 0 {
				b.WriteByte('Z')
			}
			b.WriteString("M" + at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			b.WriteString("L" + at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			b.WriteString("Q" + at(s.Args[0]) + " " + at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			b.WriteString("C" + at(s.Args[0]) + " " + at(s.Args[1]) + " " + at(s.Args[2]))
		}
	}
	return strings.ReplaceAll(b.String(), " -", "-") + "Z", nil
}
