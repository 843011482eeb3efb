package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// queuesShown is the maximum number of queues over time on a page, the longest ones.
const queuesShown = 24

// queueName identifies a queue of a fabric.
type queueName struct{ node, port, queue string }

// queueFacts is a queue in queues.csv.
type queueFacts struct {
	queueName
	peer string
	most float64
	// kmin and kmax are NaN of a queue without them.
	kmin, kmax float64
	where      string
}

var queueKeys = []string{"node", "port", "queue"}

// queues reads a run's queues except those of control classes.
func (r *run) queues() (list []queueFacts, err error) {
	err = r.rows("queues.csv", func(row row) error {
		if row.Text("treatment") == "control" {
			return nil
		}
		list = append(list, queueFacts{
			queueName: queueName{row.Text("node"), row.Text("port"), row.Text("queue")},
			peer:      row.Text("peer"),
			most:      row.OrZero("depth_max_bytes"),
			kmin:      row.Number("kmin_bytes"),
			kmax:      row.Number("kmax_bytes"),
			where:     whereOf(row, queueKeys...),
		})
		return nil
	})
	return list, err
}

// queuePlot is the length of each queue over time, a line a run.
func queuePlot(variants []*variant) (*plot, error) {
	facts := map[queueName]queueFacts{} // of the run in which it was longest
	byRun := map[*run]map[queueName]queueFacts{}
	for _, v := range variants {
		for _, r := range v.runs {
			list, err := r.queues()
			if err != nil {
				return nil, err
			}
			byRun[r] = map[queueName]queueFacts{}
			for _, q := range list {
				byRun[r][q.queueName] = q
				if known, ok := facts[q.queueName]; !ok || known.most < q.most {
					facts[q.queueName] = q
				}
			}
		}
	}
	var shown []queueFacts
	for _, q := range facts {
		shown = append(shown, q)
	}
	slices.SortFunc(shown, func(a, b queueFacts) int {
		return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.node, b.node), cmp.Compare(a.port, b.port),
			cmp.Compare(a.queue, b.queue))
	})
	p := &plot{ID: "queue-plot", Title: "Longest queue in each bin", Unit: "B", Choice: "queue"}
	views := make([]view, len(shown))
	for _, v := range variants {
		for _, r := range v.runs {
			if err := r.addQueues(v, views, shown, byRun[r]); err != nil {
				return nil, err
			}
		}
	}
	most := min(queuesShown, max(4, queuesOfPage/countRuns(variants)))
	for i, v := range views {
		if len(v.Lines) > 0 && len(p.Views) < most {
			v.Label += lacking(variants, &v, shown[i].queueName, byRun)
			p.Views = append(p.Views, v)
		}
	}
	if len(p.Views) > 0 {
		p.Still = template.HTML(p.Views[0].depth().Draw().Element())
	}
	return p, nil
}

// lacking names the runs without a line in a queue's view, and the reason.
func lacking(variants []*variant, at *view, q queueName, byRun map[*run]map[queueName]queueFacts) (text string) {
	why := map[bool][]string{} // by whether the queue ever had a frame in it
	for _, v := range variants {
		for _, r := range v.runs {
			drawn := slices.ContainsFunc(at.Lines, func(l line) bool { return l.Kind == stepLine && l.Name == v.name(r) })
			if !drawn {
				filled := byRun[r][q].most > 0
				why[filled] = append(why[filled], v.name(r))
			}
		}
	}
	for _, filled := range []bool{false, true} {
		word := "; empty in "
		if filled {
			word = "; not recorded of "
		}
		switch names := why[filled]; {
		case len(names) > namesShown:
			text += word + fmt.Sprintf("%d runs", len(names))
		case len(names) > 0:
			text += word + strings.Join(names, ", ")
		}
	}
	return text
}

// namesShown is the maximum number of runs named in a list of lacks.
const namesShown = 4

// addQueues adds the lines of a run to the views of the queues.
func (r *run) addQueues(v *variant, views []view, shown []queueFacts, own map[queueName]queueFacts) error {
	depths, err := r.readSeries("series_queues.csv", queueKeys, []string{"depth_max_bytes"})
	if err != nil {
		return err
	}
	pauses, err := r.readSeries("series_ports.csv", []string{"node", "port"}, []string{"paused_us"})
	if err != nil {
		return err
	}
	count := mergedBins(queuesShown, depths.span())
	for i, q := range shown {
		k := depths.of(q.node, q.port, q.queue)
		if k == nil {
			continue
		}
		at := &views[i]
		at.Label = fmt.Sprintf("%s:%s to %s, queue %s", q.node, q.port, q.peer, q.queue)
		at.Node, at.Port = q.node, q.port
		drawn, ok := depths.lineOf(r, k, "depth_max_bytes", 0, count, largest)
		if !ok {
			continue
		}
		drawn.Name, drawn.Hue = v.name(r), v.hue
		at.Lines = append(at.Lines, drawn)
		at.addLevels(r, own[q.queueName])
		if k := pauses.of(q.node, q.port); k != nil && !k.columns["paused_us"].zero() {
			if paused, ok := pauses.lineOf(r, k, "paused_us", 0, count, sum); ok {
				paused.Name, paused.Hue, paused.Kind = v.name(r)+" paused", v.hue, tickLine
				at.Lines = append(at.Lines, paused)
			}
		}
	}
	return nil
}

// zero reports whether a column has no value but 0; nil has none.
func (c *column) zero() bool {
	return c == nil || !slices.ContainsFunc(c.values, func(v int64) bool { return v != 0 && v != gap })
}

// addLevels adds the levels for a queue's length, if the run before had others.
func (v *view) addLevels(r *run, q queueFacts) {
	for _, l := range []struct {
		name   string
		value  float64
		column string
	}{
		{"Kmin", q.kmin, "kmin_bytes"},
		{"Kmax", q.kmax, "kmax_bytes"},
	} {
		known := slices.ContainsFunc(v.Levels, func(other level) bool {
			return other.Name == l.name && other.Value == l.value
		})
		if math.IsNaN(l.value) || known {
			continue
		}
		v.Levels = append(v.Levels, level{
			Name:  l.name,
			Value: l.value,
			From:  r.key("queues.csv") + "#" + q.where + "/" + l.column,
		})
	}
}

// depth is a queue's view as a drawing.
func (v *view) depth() picture.Depth {
	d := picture.Depth{Queue: v.Label}
	for _, l := range v.Lines {
		if l.Kind != stepLine {
			continue
		}
		d.Lines = append(d.Lines, l.depths())
	}
	for _, l := range v.Levels {
		d.Levels = append(d.Levels, picture.Level{Name: l.Name, Bytes: l.Value})
	}
	return d
}

// QueuePicture is the length of the folder's longest queue over time, a line a run.
func QueuePicture(f *Folder) (*picture.Picture, error) {
	p, err := queuePlot(variantsOf([]*Folder{f}))
	if err != nil {
		return nil, err
	}
	if len(p.Views) == 0 {
		return nil, fmt.Errorf("%s: %s", f.title(), noSeries)
	}
	return p.Views[0].depth().Draw(), nil
}
