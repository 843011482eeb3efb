package reproduction

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("reproduction").Parse(asset.Head + pageText))

// WritePage writes rows as one HTML file that needs nothing else: each with its criteria, its
// figures, and pictures that have published points beside ours.
func WritePage(to io.Writer, models int, rows []*Judged) error {
	p := &pageOfRows{
		Title: "Published experiments",
		Policy: "default-src 'none'; style-src " + asset.Source(asset.Style) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.HTML("<style>" + asset.Style + "</style>"),
		Facts: []string{Count(rows).String(), fmt.Sprintf("version %d of the models", models)},
	}
	for _, row := range rows {
		p.Rows = append(p.Rows, row.onPage())
	}
	return pageTemplate.Execute(to, p)
}

// pageOfRows is what page.html is filled with.
type pageOfRows struct {
	Title, Policy string
	Style         template.HTML
	Facts         []string
	Rows          []pageRow
}

type pageRow struct {
	ID, Title, Paper, Form, Where, Reading, Error string
	// Class is the colour of Short, which counts the criteria.
	Class, Short string
	Criteria     []pageCriterion
	Pictures     []pagePicture
	Head         []string
	Lines        [][]string
	Sources      []string
}

type pageCriterion struct {
	Grade      Grade
	Name, Text string
	// Verdicts are by column.
	Verdicts []pageVerdict
}

type pageVerdict struct {
	Class, Column, Measured, Why, Command string
	Outcome                               Outcome
}

type pagePicture struct {
	Title string
	SVG   template.HTML
}

// classes are those of the style sheet, by outcome.
var classes = map[Outcome]string{
	Met:    "pass",
	Mended: "amber",
	Known:  "amber",
	Missed: "failed",
	Beside: "",
}

func (j *Judged) onPage() pageRow {
	row := pageRow{
		ID:      j.Row.ID,
		Title:   j.Row.Title,
		Paper:   j.Row.Paper.Name,
		Form:    formName(j.Full),
		Where:   j.where(),
		Reading: j.Row.Reading,
		Short:   j.short(),
		Class:   "pass",
	}
	if j.Err != nil {
		row.Error, row.Class = j.Err.Error(), "failed"
		return row
	}
	for _, verdicts := range j.byCriterion() {
		c := verdicts[0].Criterion
		one := pageCriterion{Grade: c.Grade, Name: c.Name, Text: c.Text}
		for _, v := range verdicts {
			said := pageVerdict{Class: classes[v.Outcome], Column: v.Column, Measured: v.Measured, Outcome: v.Outcome}
			if v.Outcome == Known {
				said.Why, said.Command = c.Miss.Why, c.Miss.Command
			}
			one.Verdicts = append(one.Verdicts, said)
			if row.Class != "failed" && (v.Outcome == Known || v.Outcome == Mended) {
				row.Class = "amber"
			}
			if v.Outcome == Missed {
				row.Class = "failed"
			}
		}
		row.Criteria = append(row.Criteria, one)
	}
	for _, drawn := range j.pictures() {
		row.Pictures = append(row.Pictures, pagePicture{drawn.Title, template.HTML(drawn.Element())})
	}
	t := j.table()
	for _, column := range t.Columns {
		row.Head = append(row.Head, column.Title)
	}
	for _, cells := range t.Rows {
		var line []string
		for _, cell := range cells {
			line = append(line, cell.Text)
		}
		row.Lines = append(row.Lines, line)
	}
	for _, p := range j.Row.Published {
		if p.Source != "" && !slices.Contains(row.Sources, p.Source) {
			row.Sources = append(row.Sources, p.Source)
		}
	}
	return row
}
