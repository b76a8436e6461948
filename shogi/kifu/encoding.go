package kifu

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// replacement is what stands for bytes that could not be read.
const replacement = "\uFFFD"

var utf8BOM = []byte("\uFEFF")

// decode returns the text of a file in UTF-8 or Shift_JIS. The bytes decide: a byte order mark or valid UTF-8, else Shift_JIS, unless
// that has more errors. A declared encoding is not looked at. sjis tells which it was.
func decode(data []byte) (text string, sjis bool) {
	if rest, found := bytes.CutPrefix(data, utf8BOM); found {
		return strings.ToValidUTF8(string(rest), replacement), false
	}
	if utf8.Valid(data) {
		return string(data), false
	}
	asUTF8 := strings.ToValidUTF8(string(data), replacement)
	asSJIS, err := japanese.ShiftJIS.NewDecoder().String(string(data))
	if err != nil || strings.Count(asSJIS, replacement) > strings.Count(asUTF8, replacement) {
		return asUTF8, false
	}
	return asSJIS, true
}

// lookalikes are characters that Shift_JIS lacks and what is written for them.
var lookalikes = map[rune]string{'☗': "▲", '☖': "△", '⛊': "▲", '⛉': "△", '〜': "～", '−': "－", '—': "―",
	'–': "-", '•': "・", '¥': "￥", '‾': "￣", '‖': "∥",
	'¢': "￠", '£': "￡", '¬': "￢"}

// geta stands for what Shift_JIS has no character for (〓).
const geta = "〓"

// encode returns the text in Shift_JIS and the characters that it lacks.
func encode(text string) (data []byte, lost []rune) {
	out, err := toSJIS(text)
	if err == nil {
		return out, nil
	}
	for _, r := range text {
		one, err := toSJIS(string(r))
		if err != nil {
			lost = append(lost, r)
			substitute := lookalikes[r]
			if substitute == "" {
				substitute = geta
			}
			if one, err = toSJIS(substitute); err != nil {
				one = []byte{'?'}
			}
		}
		data = append(data, one...)
	}
	return data, lost
}

// lossError says that a text does not come back from Shift_JIS.
type lossError struct{}

func (lossError) Error() string { return "not in Shift_JIS" }

func toSJIS(text string) ([]byte, error) {
	out, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, err
	}
	if back, err := japanese.ShiftJIS.NewDecoder().Bytes(out); err != nil || string(back) != text {
		return nil, lossError{}
	}
	return out, nil
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// splitLines splits at LF, CR LF and CR, without these.
func splitLines(text string) []string {
	lines := strings.Split(lineFeeds.Replace(text), "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}
