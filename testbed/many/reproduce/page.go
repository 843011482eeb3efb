package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// Page is rows as one document: each with its criteria, its figures, and pictures that have
// published points beside ours.
func Page(models int, rows []*Judged) *page.Document {
	d := &page.Document{
		Title: "Published experiments",
		Kind:  "reproduce",
		Facts: []string{Count(rows).String(), fmt.Sprintf("version %d of the models", models)},
	}
	d.Add(Overview(rows))
	for _, row := range rows {
		d.Add(page.Section{ID: row.Row.ID, Title: row.Row.ID + " " + row.Row.Title}, page.Paragraph(row.where()))
		if row.Row.Reading != "" {
			d.Say("Read here: %s", row.Row.Reading)
		}
		row.addResults(d)
		for _, drawn := range row.pictures() {
			d.Add(page.Drawn(drawn))
		}
		var sources []string
		for _, p := range row.Row.Published {
			if p.Source != "" && !slices.Contains(sources, p.Source) {
				sources = append(sources, p.Source)
			}
		}
		if sources != nil {
			d.Say("Published: %s.", strings.Join(sources, "; "))
		}
	}
	d.Say("A figure is the median of the seeds, with the least and the largest. rocelab reproduce ID makes each again.")
	return d
}

// Document is a row for a person: its figures beside the published ones, then each criterion.
func (j *Judged) Document() *page.Document {
	d := &page.Document{Title: j.Row.ID, Kind: "reproduce"}
	d.Say("%s  %s (%s)", j.Row.ID, j.Row.Title, j.where())
	j.addResults(d)
	d.Add(page.Gap{})
	return d
}

// addResults adds the figures, and what each criterion came to.
func (j *Judged) addResults(d *page.Document) {
	if j.Err != nil {
		d.Add(page.Line{Word: "no figures", Ink: page.Red, Text: j.Err.Error()})
	}
	if len(j.Figures) > 0 {
		d.Add(j.table())
	}
	for _, verdicts := range j.byCriterion() {
		c := verdicts[0].Criterion
		what := fmt.Sprintf("%s %s: %s", c.Grade, c.Name, c.Text)
		if len(verdicts) > 1 {
			d.Say("%s", what)
		}
		for i := range verdicts {
			v := &verdicts[i]
			line := page.Line{Word: string(v.Outcome), Ink: inks[v.Outcome], Text: what + ": " + v.Measured}
			if len(verdicts) > 1 {
				line.Text = v.Column + ": " + v.Measured
			}
			d.Add(line)
			for _, reason := range v.reason() {
				d.Add(page.Line{Text: reason})
			}
		}
	}
}

// inks are the colours of outcomes.
var inks = map[Outcome]page.Ink{
	Met:    page.Green,
	Mended: page.Yellow,
	Known:  page.Yellow,
	Missed: page.Red,
}
