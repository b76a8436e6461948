// Package usi reads and writes the text of the USI protocol, for both sides: an engine reads commands (go, setoption,
// position) and writes answers (info, bestmove, option); a client, such as a match runner, reads those answers.
//
// Nearly everything here is a function from text to values or back, which neither reads, writes, waits nor decides: when to
// answer is the business of the program. The exception is Client, which runs an engine's program and speaks with it.
//
// Words: a line is one command with its arguments, ended by LF or CRLF. A token is a run of characters between blanks
// or tabs. What is written is always one line of printable 7-bit ASCII without the line end, because some clients
// decode strictly.
package usi

import (
	"fmt"
	"strings"
)

// maxText is the longest message that Text lets through: a bad line may be megabytes long, its error should not be.
const maxText = 400

// blank reports whether the byte separates tokens.
func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }

// Split cuts a line into its command word and the rest, without the blanks around either. An empty line gives "", "".
func Split(line string) (command, args string) {
	line = strings.TrimFunc(line, blank)
	end := strings.IndexFunc(line, blank)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimFunc(line[end:], blank)
}

// Tokens cuts text at blanks and tabs.
func Tokens(text string) []string { return strings.FieldsFunc(text, blank) }

// Text makes a message safe for the protocol: one line of printable 7-bit ASCII of at most about 400 characters.
// Every other character becomes a question mark, and what is cut off is marked with dots.
func Text(message string) string {
	var out strings.Builder
	for _, r := range message {
		if out.Len() >= maxText {
			out.WriteString("...")
			break
		}
		switch {
		case blank(r):
			out.WriteByte(' ')
		case r < ' ' || r > '~':
			out.WriteByte('?')
		default:
			out.WriteRune(r)
		}
	}
	return strings.TrimRight(out.String(), " ")
}

// ParseID reads what follows the word id: "name yomi 1.0" gives "name", "yomi 1.0".
func ParseID(args string) (field, value string, err error) {
	field, value = Split(args)
	if field != "name" && field != "author" {
		return "", "", fmt.Errorf("bad id %q: want name or author", field)
	}
	return field, value, nil
}

// cursor walks over the tokens of a line.
type cursor struct {
	tokens []string
	next   int
}

// take returns the next token, "" at the end.
func (c *cursor) take() string {
	if c.next >= len(c.tokens) {
		return ""
	}
	c.next++
	return c.tokens[c.next-1]
}

// more reports whether a token is left.
func (c *cursor) more() bool { return c.next < len(c.tokens) }
