package report

import (
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// comparedMetrics are the metrics whose ratios are drawn, if they were measured.
var comparedMetrics = []string{
	"duration_us", "fct_p50_us", "fct_p99_us", "slowdown_p99", "iteration_p99_us", "busbw_gigabytes_s", "goodput_gbps",
	"resent_share", "dropped_share", "flow_rate_gbps", "jain", "rtt_p99_us", "queueing_mean_us", "queue_p99_bytes",
	"queue_max_bytes", "pauses", "paused_us", "drops", "retransmits", "timeouts",
}

// comparisonSection shows how the variants differ from the first of them.
func comparisonSection(variants []*variant) (section, error) {
	if len(variants) < 2 {
		return section{}, nil
	}
	first := variants[0]
	s := section{
		ID:    "comparison",
		Title: "Comparison with " + first.label,
		Lead: "Of each metric the ratio of the medians over the seeds, and its bootstrap interval (95 %). With " +
			"few seeds read the interval as a range. Grey marks differences that may be chance, by the rule of " +
			"rocelab compare.",
	}
	if !first.sound() {
		s.Empty = "Nothing is compared: a run of " + first.label + " did not complete, or has no result."
		return s, nil
	}
	forest := picture.Forest{First: first.label}
	t := table{
		ID:      "comparison-table",
		Caption: "Medians and ratios to " + first.label,
		Head: []cell{{Text: "metric"}, {Text: "run"}, {Text: "median"}, {Text: "ratio"}, {Text: "low"}, {Text: "high"},
			{Text: "better"}},
		LeftOut: "A ratio is a median over the first one's; low and high are the ends of its interval.",
	}
	var compared []result.Metric
	for _, name := range comparedMetrics {
		m, _ := result.MetricOf(name)
		compared = append(compared, m)
	}
	for _, m := range result.PerJob(compared, jobsOf(variants)) {
		name := m.Name
		base := first.number(name, 0)
		if base.From == "" {
			continue
		}
		row := picture.ForestRow{Metric: label(name), Better: better(m.Better)}
		lines := []tableRow{comparedRow(m, first, base, compare.Between(nil, nil, m))}
		told := false
		for _, v := range variants[1:] {
			r := compare.Between(first.values(name), v.values(name), m)
			if math.IsNaN(r.A) || math.IsNaN(r.B) || !v.sound() {
				continue
			}
			told = told || !math.IsNaN(r.Ratio)
			row.Ratios = append(row.Ratios, picture.Ratio{Key: v.keyOf(), Difference: r})
			lines = append(lines, comparedRow(m, v, v.number(name, 0), r))
		}
		if told {
			forest.Rows = append(forest.Rows, row)
			t.Rows = append(t.Rows, lines...)
		}
	}
	for _, v := range variants[1:] {
		if !v.sound() {
			t.LeftOut += " " + v.label + " is left out: a run of it did not complete, or has no result."
		}
	}
	s.draw("comparison-picture", forest.Draw())
	if len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t.withoutEmpty(2).rowsLabelled())
	}
	return s, nil
}

// better is the sign of the better direction.
func better(d result.Direction) int {
	switch d {
	case result.Lower:
		return -1
	case result.Higher:
		return 1
	}
	return 0
}

// comparedRow is a line of the table behind the picture.
func comparedRow(m result.Metric, v *variant, n number, d compare.Difference) tableRow {
	return tableRow{
		Head: cell{Text: m.Name, Title: m.Doc},
		Cells: []cell{{Text: v.label}, {Text: n.Text, From: n.From, Title: n.Exact}, {Text: compare.RatioText(d.Ratio)},
			{Text: compare.RatioText(d.Interval.Low)}, {Text: compare.RatioText(d.Interval.High)},
			{Text: m.Better.String()}},
	}
}
