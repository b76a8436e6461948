package usi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OptionType is the kind of value that an option holds.
type OptionType string

// The option types of the protocol.
const (
	Check    OptionType = "check"    // true or false
	Spin     OptionType = "spin"     // a whole number in a range
	Combo    OptionType = "combo"    // one of some words
	Button   OptionType = "button"   // an action without a value
	String   OptionType = "string"   // any text
	Filename OptionType = "filename" // a path
)

// emptyText stands for the empty string in option lines.
const emptyText = "<empty>"

// Option is an option as an engine declares it.
type Option struct {
	Name string
	Type OptionType
	// Default is the value at the start, as text; buttons have none.
	Default string
	// Min and Max are the range of a Spin.
	Min, Max int64
	// Vars are the words of a Combo.
	Vars []string
}

// String returns the line that declares the option.
func (o Option) String() string {
	var b strings.Builder
	b.WriteString("option name " + o.Name + " type " + string(o.Type))
	if o.Type != Button {
		b.WriteString(" default ")
		if o.Default == "" {
			b.WriteString(emptyText)
		} else {
			b.WriteString(Text(o.Default))
		}
	}
	if o.Type == Spin {
		b.WriteString(" min " + strconv.FormatInt(o.Min, 10) + " max " + strconv.FormatInt(o.Max, 10))
	}
	for _, v := range o.Vars {
		b.WriteString(" var " + v)
	}
	return b.String()
}

// Check tells whether the value fits the option: a number in the range, true or false, one of the words. It returns
// the value in its usual spelling: 1 and 0 are true and false to a Check, a word of a Combo compares without case.
// The error names the value.
func (o Option) Check(value string) (string, error) {
	switch o.Type {
	case Check:
		switch strings.ToLower(value) {
		case "true", "1":
			return "true", nil
		case "false", "0":
			return "false", nil
		}
		return "", fmt.Errorf("bad value %q for %s: want true or false", value, o.Name)
	case Spin:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < o.Min || n > o.Max {
			return "", fmt.Errorf("bad value %q for %s: want a whole number %d..%d", value, o.Name, o.Min, o.Max)
		}
		return strconv.FormatInt(n, 10), nil
	case Combo:
		i := slices.IndexFunc(o.Vars, func(v string) bool { return strings.EqualFold(v, value) })
		if i < 0 {
			return "", fmt.Errorf("bad value %q for %s: want %s", value, o.Name, strings.Join(o.Vars, ", "))
		}
		return o.Vars[i], nil
	case String, Filename:
		if value == emptyText {
			return "", nil
		}
	}
	return value, nil
}

// ParseOption reads what follows the word option in an engine's line. Names and defaults may contain blanks, as some
// engines write them. The error names the bad token.
func ParseOption(args string) (Option, error) {
	var o Option
	tokens := Tokens(args)
	typeAt := slices.Index(tokens, "type")
	if len(tokens) < 2 || tokens[0] != "name" || typeAt < 2 || typeAt+1 >= len(tokens) {
		return o, fmt.Errorf("bad option line %q: want name N type T", args)
	}
	o.Name = strings.Join(tokens[1:typeAt], " ")
	o.Type = OptionType(tokens[typeAt+1])
	switch o.Type {
	case Check, Spin, Combo, Button, String, Filename:
	default:
		return o, fmt.Errorf("option %s: bad type %q", o.Name, tokens[typeAt+1])
	}
	for rest := tokens[typeAt+2:]; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end] != "default" && rest[end] != "min" && rest[end] != "max" && rest[end] != "var" {
			end++
		}
		if err := o.set(rest[0], strings.Join(rest[1:end], " ")); err != nil {
			return o, err
		}
		rest = rest[end:]
	}
	return o, nil
}

// set takes one key of an option line with its value.
func (o *Option) set(key, value string) error {
	switch key {
	case "default":
		if value != emptyText {
			o.Default = value
		}
	case "var":
		o.Vars = append(o.Vars, value)
	case "min", "max":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("option %s: bad %s %q", o.Name, key, value)
		}
		if key == "min" {
			o.Min = n
		} else {
			o.Max = n
		}
	default:
		return fmt.Errorf("option %s: bad word %q", o.Name, key)
	}
	return nil
}

// Setting is a setoption command.
type Setting struct {
	Name string
	// Value is everything behind the word value, blanks inside included.
	Value string
	// HasValue tells an empty value from a command without the word value (a button).
	HasValue bool
}

// String returns the line that sends the setting.
func (s Setting) String() string {
	line := "setoption name " + s.Name
	if s.HasValue {
		line += " value " + s.Value
	}
	return line
}

// ParseSetOption reads what follows the word setoption. The error names the bad token.
func ParseSetOption(args string) (Setting, error) {
	word, rest := Split(args)
	if word != "name" {
		return Setting{}, fmt.Errorf("bad setoption %q: want the word name", word)
	}
	var name []string
	for {
		word, rest = Split(rest)
		if word == "" || word == "value" {
			break
		}
		name = append(name, word)
	}
	if len(name) == 0 {
		return Setting{}, fmt.Errorf("bad setoption: the name is missing before %q", args)
	}
	s := Setting{Name: strings.Join(name, " "), HasValue: word == "value"}
	if s.HasValue {
		s.Value = rest
	}
	return s, nil
}
