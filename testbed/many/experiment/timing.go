package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// live reports whether a run was held to the clock on the wall.
func (r *Report) live() bool {
	return slices.ContainsFunc(r.Runs, func(run campaign.Run) bool { return run.Timing != nil })
}

// edges is the table of lateness, a row for each edge of each run; nil without
// edges.
func (r *Report) edges() *page.Table {
	titles := []string{"variant", "edge", "interface", "received", "sent", "p50", "p99", "p99.9", "max", "in p99",
		"lost outside"}
	seeds := slices.ContainsFunc(r.Runs, func(run campaign.Run) bool {
		return run.Summary.Variant == r.Runs[0].Summary.Variant && run.Summary.Seed != r.Runs[0].Summary.Seed
	})
	if seeds {
		titles = slices.Insert(titles, 1, "seed")
	}
	table := page.New(titles...)
	for _, run := range r.Runs {
		if run.Timing == nil {
			continue
		}
		for i := range run.Timing.Edges {
			e := &run.Timing.Edges[i]
			row := []any{run.Summary.Variant, e.Name, e.Interface, e.Received, e.Sent}
			if seeds {
				row = slices.Insert(row, 1, any(run.Summary.Seed))
			}
			for _, ns := range append(quantilesOf(&e.Lateness), e.Taken.Quantile(0.99)) {
				row = append(row, result.WallTime(ns))
			}
			table.Add(append(row, e.LostOutside())...)
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table
}

// quantilesOf are the median, the 99th and 99.9th percentile and the largest of a lateness. Unit: ns.
func quantilesOf(l *record.Lateness) []int64 {
	return []int64{l.Quantile(0.5), l.Quantile(0.99), l.Quantile(0.999), l.Max()}
}

// timingColumns are the columns of time that a CSV of live runs has; quantiles of
// lateness, of frames that were sent late and taken late, are the worst edge's.
var timingColumns = []string{"timing", "dilation", "reference_us", "late_p50_us", "late_p99_us", "late_p999_us",
	"late_max_us", "taken_p50_us", "taken_p99_us", "taken_p999_us", "taken_max_us", "lost_outside",
	"moved", "lag_p50_us", "lag_p99_us", "lag_max_us", "standstills", "timer_p999_us"}

// timingCells are the cells of those columns; empty ones for a run that was not live.
func timingCells(t *result.Timing) []string {
	if t == nil {
		return make([]string, len(timingColumns))
	}
	var worst [2][4]int64 // of frames sent and taken
	var samples [2]uint64
	var lost, moved uint64
	for i := range t.Edges {
		e := &t.Edges[i]
		for way, l := range []*record.Lateness{&e.Lateness, &e.Taken} {
			for k, ns := range quantilesOf(l) {
				worst[way][k] = max(worst[way][k], ns)
			}
			samples[way] += l.Count()
		}
		lost, moved = lost+e.LostOutside(), moved+e.Moved
	}
	row := []string{t.Colour(), strconv.FormatInt(t.Dilation, 10),
		microseconds(t.Reference.Nanoseconds(), t.Reference > 0)}
	for way := range worst {
		for _, ns := range worst[way] {
			row = append(row, microseconds(ns, samples[way] > 0))
		}
	}
	row = append(row, strconv.FormatUint(lost, 10), strconv.FormatUint(moved, 10))
	windows := t.Lag.Count() > 0
	for _, ns := range []int64{t.Lag.Quantile(0.5), t.Lag.Quantile(0.99), t.Lag.Max()} {
		row = append(row, microseconds(ns, windows))
	}
	timer := &t.Bare.Lateness
	return append(row, strconv.Itoa(len(t.Standstills)), microseconds(timer.Quantile(0.999), timer.Count() > 0))
}

// microseconds prints a time, and nothing if it was not measured.
func microseconds(ns int64, measured bool) string {
	if !measured {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(ns)/float64(time.Microsecond))
}
