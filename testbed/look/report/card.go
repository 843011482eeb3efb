package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// tile is a variant's tile on the verdict card.
type tile struct {
	Label, Algorithm string
	Hue              int
	// Verdict is the gravest of its runs.
	Verdict string
	Numbers []number
	// Findings are the findings on its runs.
	Findings []string
}

// number is a figure of a tile.
type number struct {
	Name, Title       string
	Text, From        string
	Low, High         string
	LowFrom, HighFrom string
	// Exact, LowExact and HighExact are the numbers as files have them, if those above are rounded for people.
	Exact, LowExact, HighExact string
	// Bar is the bar's length in percent of the longest, First where the first variant's
	// ends, "" for that one itself.
	Bar, First string
}

// cardMetrics are the figures of a tile, each the first of a list that was measured.
var cardMetrics = [][]string{
	{"fct_p99_us", "iteration_p99_us", "rtt_p99_us", "duration_us"},
	{"queue_p99_bytes", "queue_max_bytes"},
	{"goodput_gbps", "flow_rate_gbps", "foreign_out"},
	{"resent_share"},
	{"dropped_share"},
}

// cardShares are the shares that are left out if they are zero in all runs.
var cardShares = []string{"resent_share", "dropped_share"}

// gravity is the order of verdicts.
var gravity = []result.Status{result.Pass, result.Amber, result.Failed, result.Void, result.Interrupted, result.Red}

func rank(verdict string) int {
	return slices.IndexFunc(gravity, func(s result.Status) bool { return s.String() == verdict })
}

// tiles makes the verdict card.
func tiles(variants []*variant) []tile {
	list := make([]tile, len(variants))
	for i, v := range variants {
		list[i] = v.tile()
	}
	for _, names := range cardMetrics {
		name := chosen(variants, names)
		if name == "" {
			continue
		}
		longest := 0.0
		for _, v := range variants {
			longest = math.Max(longest, v.middle(name))
		}
		if longest == 0 && slices.Contains(cardShares, name) {
			continue
		}
		for i, v := range variants {
			n := v.number(name, longest)
			if i > 0 && longest > 0 {
				n.First = percent(variants[0].middle(name) / longest)
			}
			list[i].Numbers = append(list[i].Numbers, n)
		}
	}
	return list
}

// chosen is the first of some metrics that a run has measured, "" for none.
func chosen(variants []*variant, names []string) string {
	for _, name := range names {
		for _, v := range variants {
			for _, r := range v.runs {
				if r.metric(name) != "" {
					return name
				}
			}
		}
	}
	return ""
}

func (v *variant) tile() tile {
	t := tile{Label: v.label, Hue: v.hue, Verdict: v.runs[0].summary.Verdict}
	if v.runs[0].summary.Algorithm != v.label {
		t.Algorithm = v.runs[0].summary.Algorithm
	}
	for _, r := range v.runs {
		if rank(r.summary.Verdict) > rank(t.Verdict) {
			t.Verdict = r.summary.Verdict
		}
		for _, f := range r.summary.Findings {
			text := f.Text
			if f.Status != result.Pass.String() {
				text = f.Status + ": " + f.About + ": " + text
			}
			if len(v.runs) > 1 {
				text = fmt.Sprintf("seed %d: %s", r.summary.Seed, text)
			}
			t.Findings = append(t.Findings, text)
		}
	}
	return t
}

// sorted are the runs that measured a metric, the least first.
func (v *variant) sorted(name string) []*run {
	var list []*run
	for _, r := range v.runs {
		if _, ok := r.value(name); ok {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *run) int {
		x, _ := a.value(name)
		y, _ := b.value(name)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return list
}

// middleOnes are the one or two runs whose mean is the median.
func middleOnes(list []*run) []*run { return list[(len(list)-1)/2 : len(list)/2+1] }

// middle returns the median of a metric over the seeds, 0 if none was measured.
func (v *variant) middle(name string) float64 {
	values := compare.Measured(v.values(name))
	if len(values) == 0 {
		return 0
	}
	return compare.Median(values)
}

// number is a metric's figure: the median over the seeds, and the range.
func (v *variant) number(name string, longest float64) number {
	m, known := result.MetricOf(name)
	n := number{Name: name, Text: "-", Bar: "0", Title: m.Doc}
	list := v.sorted(name)
	if len(list) == 0 {
		return n
	}
	middle := v.middle(name)
	var keys []string
	for _, r := range middleOnes(list) {
		keys = append(keys, r.metricKey(name))
	}
	text := list[len(list)/2].metric(name)
	if len(keys) > 1 && known {
		text = m.Format(middle)
	} else if len(keys) > 1 {
		text = strconv.FormatFloat(middle, 'f', -1, 64)
	}
	edge := result.Exact
	for _, r := range list {
		edge = max(edge, r.edge(m))
	}
	n.From = strings.Join(keys, " ")
	n.Text, n.Exact = shown(name, text)
	if value, err := strconv.ParseFloat(text, 64); err == nil && known && !isShare(name) {
		n.Text = edge.Text(m, value)
	}
	low, high := list[0], list[len(list)-1]
	n.Low, n.LowExact = shown(name, low.metric(name))
	n.High, n.HighExact = shown(name, high.metric(name))
	n.LowFrom, n.HighFrom = low.metricKey(name), high.metricKey(name)
	if n.Low == n.High {
		n.Low, n.High = "", ""
	}
	if longest > 0 {
		n.Bar = percent(middle / longest)
	}
	return n
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }
