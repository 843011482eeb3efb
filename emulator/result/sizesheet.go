package result

import (
	"math"
	"slices"
	"sort"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sizeBins is into how many parts of equally many flows a group is cut, as the
// published plots of slowdown over size have it: 5 % of the flows each.
const sizeBins = 20

// SizeBin is the slowdown of a twentieth of a group's flows, taken by size.
type SizeBin struct {
	// Group is the traffic entry; Least and Most are the bounds of the bin's flow sizes, both included.
	Group       string
	Least, Most unit.Bytes
	// Flows is the number of flows, Completed the number of completed ones; the slowdowns cover the completed flows,
	// NaN if there is none.
	Flows, Completed         int
	Mean, P50, P95, P99, Max float64
}

// SizeBins returns the bins of every group whose flows have at least as many
// different sizes as there are bins, in the order of the plan, the smallest
// sizes first. Flows of one size stay in the order of the plan.
func (o *Outcome) SizeBins() []SizeBin {
	var groups []string
	rows := map[string][]*ranFlow{}
	o.eachFlow(func(r *ranFlow) bool {
		if r.planned.Size == 0 {
			return true
		}
		if rows[r.planned.Group] == nil {
			groups = append(groups, r.planned.Group)
		}
		rows[r.planned.Group] = append(rows[r.planned.Group], r)
		return true
	})
	var bins []SizeBin
	for _, group := range groups {
		list := rows[group]
		sort.SliceStable(list, func(a, b int) bool { return list[a].planned.Size < list[b].planned.Size })
		sizes := 1
		for i := 1; i < len(list); i++ {
			if list[i].planned.Size != list[i-1].planned.Size {
				sizes++
			}
		}
		if sizes < sizeBins {
			continue
		}
		for i := range sizeBins {
			bins = append(bins, sizeBin(group, list[i*len(list)/sizeBins:(i+1)*len(list)/sizeBins]))
		}
	}
	return bins
}

// sizeBin sums up flows that are sorted by size; there is at least one.
func sizeBin(group string, rows []*ranFlow) SizeBin {
	bin := SizeBin{
		Group: group,
		Least: rows[0].planned.Size,
		Most:  rows[len(rows)-1].planned.Size,
		Flows: len(rows),
		P95:   math.NaN(),
	}
	var samples []float64
	for _, r := range rows {
		if s := r.slowdown(); !math.IsNaN(s) {
			samples = append(samples, s)
		}
	}
	d := distribution(samples)
	bin.Completed, bin.Mean, bin.P50, bin.P99, bin.Max = len(samples), d.Mean, d.P50, d.P99, d.Max
	if len(samples) > 0 {
		slices.Sort(samples)
		bin.P95 = Quantile(samples, 95)
	}
	return bin
}

var sizeSheet = sheet[SizeBin]{"slowdown_by_size.csv",
	"Slowdown over size: each row is 5 % of the flows of a traffic entry, the smallest first. Only for entries " +
		"with flows of at least 20 different sizes.",
	[]column[SizeBin]{
		textColumn("group", "Traffic entry.", func(b *SizeBin) string { return b.Group }),
		intColumn("size_min_bytes", "Smallest size in the bin.", func(b *SizeBin) unit.Bytes { return b.Least }),
		intColumn("size_max_bytes", "Largest.", func(b *SizeBin) unit.Bytes { return b.Most }),
		intColumn("flows", "Flows in the bin.", func(b *SizeBin) int { return b.Flows }),
		intColumn("completed", "Flows that completed: the next columns are about them.",
			func(b *SizeBin) int { return b.Completed }),
		floatColumn("slowdown_mean", "Mean slowdown, FCT over base RTT + wire bytes / rate of the narrowest link.", 4,
			func(b *SizeBin) float64 { return b.Mean }),
		floatColumn("slowdown_p50", "Median.", 4, func(b *SizeBin) float64 { return b.P50 }),
		floatColumn("slowdown_p95", "95th percentile.", 4, func(b *SizeBin) float64 { return b.P95 }),
		floatColumn("slowdown_p99", "99th percentile.", 4, func(b *SizeBin) float64 { return b.P99 }),
		floatColumn("slowdown_max", "Largest.", 4, func(b *SizeBin) float64 { return b.Max }),
	}}

// rowsOf yields the elements of a list as rows of a sheet.
func rowsOf[R any](list []R) func(yield func(*R) bool) {
	return func(yield func(*R) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}
