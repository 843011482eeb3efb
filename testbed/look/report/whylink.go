package report

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// onPage has the flows and ports in the sections, so that links always have a target.
type onPage struct {
	// rates are the flows with a line, by the identifier of the picture; queues are the ports, node:port, with a view.
	rates  map[string]map[string]bool
	queues map[string]bool
	// paths are the runs and flows with a row in the table of the ports on the way.
	paths map[string]bool
}

// pathsTable and queuesPlot are elements that a bar leads to.
const (
	pathsTable = "slow-ports"
	queuesPlot = "queue-plot"
)

// found collects what sections have.
func found(sections []section) onPage {
	on := onPage{map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, s := range sections {
		for _, p := range s.Plots {
			for _, v := range p.Views {
				if p.ID == queuesPlot {
					on.queues[v.Node+":"+v.Port] = true
				}
				if s.ID != "rate" {
					continue
				}
				for _, l := range v.Lines {
					if on.rates[p.ID] == nil {
						on.rates[p.ID] = map[string]bool{}
					}
					on.rates[p.ID][l.File+"#"+l.Where] = true
				}
			}
		}
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				if t.ID == pathsTable && len(r.Cells) > 0 {
					on.paths[r.Head.Text+" "+r.Cells[0].Text] = true
				}
			}
		}
	}
	return on
}

// link links the rows of bars to their targets on the page.
func (on onPage) link(b *bars) {
	for i := range b.Groups {
		for k := range b.Groups[i].Rows {
			row := &b.Groups[i].Rows[k]
			on.linkRow(row, row.by, row.of)
		}
	}
}

// linkRow gives a row the identifiers of what the page has of its flow.
func (on onPage) linkRow(row *barRow, v *variant, c *cause) {
	row.Linked = c.flow
	where := c.where
	if c.file != "" {
		row.Linked, where = c.costliest, "flow="+url.QueryEscape(c.costliest)
	}
	if id := fmt.Sprintf("rate-plot-%d", v.hue); on.rates[id][c.run.key("series_flows.csv")+"#"+where] {
		row.Rate = id
	}
	if on.queues[c.bottleneck] {
		row.Queue = queuesPlot
		row.Node, row.Port = cutPort(c.bottleneck)
	}
	if on.paths[v.name(c.run)+" "+row.Linked] {
		row.Path = pathsTable
	}
}

// cutPort cuts node:port.
func cutPort(port string) (node, number string) {
	at := strings.LastIndex(port, ":")
	return port[:max(at, 0)], port[at+1:]
}

// viewOf is the view of a port in a plot of sections, nil if there is none.
func viewOf(sections []section, plotID, port string) *view {
	for _, s := range sections {
		for _, p := range s.Plots {
			if p.ID != plotID {
				continue
			}
			at := slices.IndexFunc(p.Views, func(v view) bool { return v.Node+":"+v.Port == port })
			if at >= 0 {
				return &p.Views[at]
			}
		}
	}
	return nil
}
