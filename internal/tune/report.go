package tune

import (
	_ "embed" // the page's template
	"html/template"
	"io"
)

//go:embed report.html
var reportPage string

// WriteReport writes a report as one HTML page that needs nothing else: each parameter's value over the iterations, with the shifts
// of the two players as a band. While the run goes on, the page loads itself again now and then. verify is the command that plays
// the tuned values against the old ones.
func WriteReport(out io.Writer, h *Header, iterations []Iteration, running bool, verify string) error {
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return err
	}
	var charts []template.HTML
	for i := range h.Params {
		charts = append(charts, template.HTML(paramChart(h, iterations, i).svg()))
	}
	return page.Execute(out, struct {
		Header       *Header
		Text, Verify string
		Charts       []template.HTML
		Running      bool
	}{h, h.Text(iterations), verify, charts, running})
}
