// Package validation shows what follows from scenarios that are valid, as rocelab validate prints it.
package validation

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Document shows reports: part after part, each once for all variants that agree in it.
func Document(name string, reports []scenario.Report) *page.Document {
	d := &page.Document{Title: name, Kind: "validate"}
	d.Say("%s is valid: %s", name, unit.Count(len(reports), "run"))
	for _, part := range []func(scenario.Report) page.Block{
		sizes, forecast, oversubscription, bisection, placements, paths, ecmp, ecmpWords, pinned, edges, longHauls,
		dciPorts, bound, headrooms, markings, chips, convergence,
	} {
		addPart(d, reports, func(r scenario.Report) (blocks []page.Block) {
			if block := part(r); block != nil {
				blocks = append(blocks, block)
			}
			return blocks
		})
	}
	addPart(d, reports, func(r scenario.Report) (blocks []page.Block) {
		for _, warning := range r.Warnings {
			blocks = append(blocks, page.Paragraph("warning: "+warning))
		}
		return blocks
	})
	return d
}

// addPart adds a part, below the names of the variants that agree in it.
func addPart(d *page.Document, reports []scenario.Report, part func(scenario.Report) []page.Block) {
	var texts []string
	blocks, names := map[string][]page.Block{}, map[string][]string{}
	for _, r := range reports {
		of := part(r)
		var text strings.Builder
		(&page.Document{Blocks: of}).Print(&text, page.FormatMarkdown, page.Page{}) // a builder takes all
		if len(of) > 0 && names[text.String()] == nil {
			texts = append(texts, text.String())
			blocks[text.String()] = of
		}
		names[text.String()] = append(names[text.String()], r.Name)
	}
	for _, text := range texts {
		d.Add(page.Gap{}, page.Paragraph(strings.Join(names[text], ", ")))
		d.Add(blocks[text]...)
	}
}
