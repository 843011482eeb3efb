package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// completionSection shows the durations of flows, relative to their time without others.
func completionSection(variants []*variant) (section, error) {
	s := section{
		ID:    "completion",
		Title: "Completion times",
		Lead: "A flow's slowdown is its completion time over that on empty queues. A curve has the flows of all " +
			"seeds, and ends below 1 if some did not complete; slowdown over size is for the first seed.",
	}
	var all picture.Completion
	flows := 0
	for _, v := range variants {
		line := picture.Slowdowns{Key: v.keyOf()}
		for _, r := range v.runs {
			if err := r.addSlowdowns(&line); err != nil {
				return s, err
			}
		}
		flows += line.Flows
		all.Lines = append(all.Lines, line)
	}
	if flows == 0 {
		return section{}, nil
	}
	s.draw("completion-picture", all.Draw())
	if err := s.addSizes(variants); err != nil {
		return s, err
	}
	s.Tables = append(s.Tables, metricRows("completion-table", "Slowdown of flows, by run", variants,
		[]string{"flows", "completed", "slowdown_p50", "slowdown_p99", "slowdown_max", "fct_p50_us", "fct_p99_us",
			"fct_max_us"}))
	return s, nil
}

// addSlowdowns adds the flows of a run that have a size.
func (r *run) addSlowdowns(line *picture.Slowdowns) error {
	return r.rows("flows.csv", func(row row) error {
		if row.Text("size_bytes") == "0" || row.OrZero("messages") > 0 {
			return nil // it runs until stopped, or waits for others
		}
		line.Flows++
		if value := row.Number("slowdown"); !math.IsNaN(value) {
			line.Values = append(line.Values, value)
		}
		return nil
	})
}

// metricRows is a table of some metrics, a row a run.
func metricRows(id, caption string, variants []*variant, names []string) table {
	t := table{ID: id, Caption: caption, Head: []cell{{Text: "run"}}}
	for _, name := range names {
		t.Head = append(t.Head, cell{Text: name})
	}
	for _, v := range variants {
		for _, r := range v.runs {
			line := tableRow{Head: cell{Text: v.name(r)}}
			for _, name := range names {
				line.Cells = append(line.Cells, rounded(name, measured(name, r.metric(name), r.metricKey(name))))
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t.withoutEmpty(1).labelled()
}

// groupsShown is the maximum number of groups of flows with a picture of their sizes.
const groupsShown = 4

// addSizes adds a picture of each group's slowdown over size: of the first seed, as seeds
// have sizes of their own.
func (s *section) addSizes(variants []*variant) error {
	var groups []string
	pictures := map[string]*picture.Sizes{}
	bins := table{ID: "sizes-table", Caption: "Slowdown by size", Head: []cell{{Text: "run"}}}
	for _, name := range append(slices.Clone(sizeBins.keys), sizeBins.columns...) {
		bins.Head = append(bins.Head, cell{Text: name})
	}
	for _, v := range variants {
		lines := map[string]*picture.BySize{}
		err := v.runs[0].rows("slowdown_by_size.csv", func(row row) error {
			group := strings.Clone(row.Text("group"))
			bins.Rows = append(bins.Rows, sizeBins.line(v, v.runs[0], row))
			if pictures[group] == nil {
				groups = append(groups, group)
				pictures[group] = &picture.Sizes{Group: group}
			}
			if lines[group] == nil {
				lines[group] = &picture.BySize{Key: v.keyOf()}
			}
			lines[group].Bins = append(lines[group].Bins, picture.SizeBin{
				Most:   row.OrZero("size_max_bytes"),
				Median: row.Number("slowdown_p50"),
				P99:    row.Number("slowdown_p99"),
			})
			return nil
		})
		if err != nil {
			return err
		}
		for _, group := range groups {
			if lines[group] != nil {
				pictures[group].Lines = append(pictures[group].Lines, *lines[group])
			}
		}
	}
	for i, group := range groups[:min(len(groups), groupsShown)] {
		s.draw(fmt.Sprintf("sizes-picture-%d", i), pictures[group].Draw())
	}
	if len(groups) == 0 {
		return nil
	}
	if len(groups) > groupsShown {
		s.Notes = append(s.Notes, fmt.Sprintf("Slowdown over size is drawn of the first %d groups of traffic, of %d.",
			groupsShown, len(groups)))
	}
	s.Tables = append(s.Tables, bins.withoutEmpty(1+len(sizeBins.keys)).labelled())
	return nil
}

var sizeBins = extract{
	file:    "slowdown_by_size.csv",
	keys:    []string{"group", "size_min_bytes", "size_max_bytes"},
	columns: []string{"flows", "completed", "slowdown_p50", "slowdown_p95", "slowdown_p99", "slowdown_max"},
}
