package hashlab

import (
	_ "embed" // the page's template
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"
)

//go:embed report.html
var reportPage string

// Report is what a run of the laboratory found out.
type Report struct {
	Title    string    `json:"title"`
	Command  string    `json:"command"` // how to make it again
	Sections []Section `json:"sections"`
	// Findings are the recommendation and the verdicts on the rules of thumb.
	Findings []string `json:"findings"`
}

// Section is a part of a report.
type Section struct {
	Title  string          `json:"title"`
	Text   string          `json:"text,omitempty"`
	Tables []Table         `json:"tables"`
	Charts []template.HTML `json:"-"`
}

// Table has a name for its file and rows of strings, ints and float64s; nil is an empty cell.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// text returns a cell as people read it.
func text(cell any) string {
	switch x := cell.(type) {
	case nil:
		return "–"
	case float64:
		return number(x)
	}
	return fmt.Sprint(cell)
}

// Text writes the report for a terminal.
func (r *Report) Text(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Title)
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "\n== %s\n", s.Title)
		if s.Text != "" {
			fmt.Fprintf(&b, "%s\n", s.Text)
		}
		for _, t := range s.Tables {
			b.WriteString("\n")
			t.text(&b)
		}
	}
	b.WriteString("\n== Findings\n")
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- %s\n", f)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// text writes aligned columns: the first to the left, numbers to the right.
func (t *Table) text(b *strings.Builder) {
	widths := make([]int, len(t.Columns))
	for i, name := range t.Columns {
		widths[i] = utf8.RuneCountInString(name)
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text(cell)))
		}
	}
	line := func(cells []string) {
		var l strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				l.WriteString(cell + pad)
			} else {
				l.WriteString("  " + pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(t.Columns)
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = text(cell)
		}
		line(cells)
	}
}

// CSV writes a table with a row of names. Numbers have all their digits.
func (t *Table) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	rows := [][]string{t.Columns}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cell != nil {
				cells[i] = fmt.Sprint(cell)
			}
		}
		rows = append(rows, cells)
	}
	return w.WriteAll(rows)
}

// JSON writes the report.
func (r *Report) JSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// HTML writes the report as one page that needs nothing else.
func (r *Report) HTML(out io.Writer) error {
	page, err := template.New("report").Funcs(template.FuncMap{"cell": text}).Parse(reportPage)
	if err != nil {
		return err
	}
	return page.Execute(out, r)
}
