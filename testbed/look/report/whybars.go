package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// bars are the times of flows by cause, all on one axis.
type bars struct {
	// ID begins the identifiers of the element and its rows.
	ID     string
	Keys   []partKey
	Groups []barGroup
	Axis   template.HTML
}

// partKey is a part with its explanation.
type partKey struct{ Name, Class, Doc string }

// barGroup is the flows of one rank: the slowest of each variant.
type barGroup struct {
	Title string
	Rows  []barRow
}

// barRow is a flow, or an iteration of a job. Rate, Queue and Path are the identifiers of elements of the page with the
// flow Linked in it, "" for none.
type barRow struct {
	ID, Variant, Flow string
	Hue               int
	Time, Exact, From string
	Slowdown          string
	Bar               template.HTML
	Rate, Queue, Path string
	Linked            string
	Node, Port        string
	// of is the flow or iteration, by its variant.
	of *cause
	by *variant
}

// Link is the element that the bar itself leads to.
func (r barRow) Link() string {
	for _, id := range []string{r.Rate, r.Queue, r.Path} {
		if id != "" {
			return id
		}
	}
	return ""
}

// barsOf draws the ranked flows, or iterations, of variants. Their rows are not linked.
func barsOf(id string, variants []*variant, flows [][]ranked) *bars {
	b := &bars{ID: id}
	most, used := 0.0, attribution.Parts{}
	for _, list := range flows {
		for _, f := range list {
			most = math.Max(most, float64(f.Total())/1e6)
			for part, d := range f.Parts {
				used[part] += d
			}
		}
	}
	for part, d := range used {
		if d > 0 {
			p := attribution.Part(part)
			b.Keys = append(b.Keys, partKey{p.String(), picture.PartClass(p.String()), result.PartDoc(p)})
		}
	}
	for i, list := range flows {
		for _, f := range list {
			at := slices.IndexFunc(b.Groups, func(g barGroup) bool { return g.Title == f.place })
			if at < 0 {
				at = len(b.Groups)
				b.Groups = append(b.Groups, barGroup{Title: f.place})
			}
			row := f.row(variants[i], most)
			row.ID, row.of = fmt.Sprintf("%s-%d-%d", id, at, variants[i].hue), f.cause
			row.by = variants[i]
			b.Groups[at].Rows = append(b.Groups[at].Rows, row)
		}
	}
	b.Axis = template.HTML(picture.Parts{Most: most}.Axis())
	return b
}

// row is a flow's bar on an axis that ends at the given number of microseconds, most.
func (c *cause) row(v *variant, most float64) barRow {
	drawn := picture.Parts{Title: c.flow, Description: c.words(), Most: most}
	for part, d := range c.Parts {
		name := attribution.Part(part).String()
		drawn.Parts = append(drawn.Parts, picture.Part{
			Name: name,
			US:   float64(d) / 1e6,
			Text: durationText(d),
			Hint: fmt.Sprintf("%s: %s us, %.1f %% of its time", name, allDigits(d), 100*float64(d)/float64(c.Total())),
		})
	}
	return barRow{
		Variant:  v.name(c.run),
		Flow:     c.flow,
		Hue:      v.hue,
		Time:     durationText(c.Total()),
		Exact:    allDigits(c.Total()),
		From:     c.key("time_us"),
		Slowdown: c.slowdown(),
		Bar:      template.HTML(drawn.Bar()),
	}
}

// words are the parts in a sentence for those who do not see the bar.
func (c *cause) words() string {
	text := durationText(c.Total()) + " in all:"
	for part, d := range c.Parts {
		if d > 0 {
			text += fmt.Sprintf(" %s %s,", attribution.Part(part), durationText(d))
		}
	}
	return text[:len(text)-1]
}
