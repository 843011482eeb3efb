package draft

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed r4.yaml
var r4Scenario []byte

var r4 = &reproduction.Row{
	ID:     "R4",
	Title:  "Learning: later periods need no notifications",
	Source: "Congestion control process",
	Paper:  Paper,
	Reading: scaled + "Two jobs of eight ranks pass 16 MB on from rank to rank, each time across a DCI that is " +
		"oversubscribed 4:1, and compute for 10 ms: one alone, and both at a time. Ten periods, counted from the end of " +
		"the first job's computation. Queues are of the spines. The largest figure of all periods from the third on " +
		"counts.",
	Scenario: r4Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduction.Form{
		Grid:  map[string][]string{"traffic.paths": {"ecmp"}},
		Seeds: []uint64{1},
		About: "paths as ECMP draws them, one seed",
	},
	Measure: measureR4,
	Criteria: slices.Concat(
		criteriaR4("one job"),
		criteriaR4("two jobs"),
	),
}

const (
	inFirst       = "notifications in the first period"
	notifications = "notifications, of the first period's"
	longestQueue  = "longest queue, of the first period's"
	learnedTime   = "iteration, over that without learning"
	learnedLost   = "lost"
)

// criteriaR4 are those of one job, or of two.
func criteriaR4(jobs string) (list []reproduction.Criterion) {
	for _, c := range []struct {
		name, text, figure string
		most               float64
	}{
		{"notifications", "from the third period on there are at most 5 % of the first one's messages", notifications, 0.05},
		{"queue", "queues are at most half as long", longestQueue, 0.5},
		{"throughput", "iterations take at most 1 % longer than without learning", learnedTime, 1.01},
		{"lossless", "nothing is lost", learnedLost, 0},
	} {
		list = append(list, reproduction.Criterion{
			Name:  c.name + ", " + jobs,
			Text:  jobs + ": " + c.text,
			Grade: reproduction.Pass,
			Holds: in(jobs+", ECMP", reproduction.AtMost(c.figure, c.most)),
		})
	}
	return list
}

// period is what switches said and held in one.
type period struct{ notifications, queue float64 }

// periodsOf are the periods of the first job, which ends before a second is over.
func periodsOf(run *reproduction.Run) []period {
	const end = 0.95e6
	var begins []float64
	for line := range run.Lines("ranks.csv") {
		if line.Text("collective") == "job0" && line.Text("rank") == "0" {
			begins = append(begins, line.Number("ready_us"))
		}
	}
	slices.Sort(begins)
	periods := make([]period, len(begins))
	at := func(us float64) *period {
		i, _ := slices.BinarySearch(begins, math.Nextafter(us, math.Inf(1)))
		return &periods[max(i-1, 0)]
	}
	for line := range run.Lines("proximal.csv") {
		if us := line.Number("at_us"); us < end && line.Text("action") == "congested" &&
			line.Text("peer") != line.Text("switch") {
			at(us).notifications++
		}
	}
	for line := range run.Lines("series_queues.csv") {
		if us := line.Number("time_us"); us < end && line.Text("queue") == "3" &&
			strings.Contains(line.Text("node"), "spine") {
			p := at(us)
			p.queue = max(p.queue, line.Number("depth_max_bytes"))
		}
	}
	return periods
}

func measureR4(r *reproduction.Results) (list []reproduction.Figure) {
	for _, paths := range r.Values("traffic.paths") {
		for _, start := range r.Values("traffic.job1.start") {
			column := "two jobs"
			if start != "0s" {
				column = "one job"
			}
			column += ", " + cell{paths: paths, start: "0s"}.draw()
			of := func(variant string) reproduction.Runs {
				return r.Of("", variant, "traffic.paths="+paths, "traffic.job1.start="+start)
			}
			list = append(list, learning(column, of("learned"), of("unlearned"))...)
		}
	}
	return list
}

// learning are the figures of runs with and without.
func learning(column string, with, without reproduction.Runs) []reproduction.Figure {
	figure := func(name string, of func(*reproduction.Run) float64) reproduction.Figure {
		return with.Figure(column, name, "", of)
	}
	slower := with.Metric(column, learnedTime, "", "iteration_mean_us")
	for i, other := range without.Metric("", "", "", "iteration_mean_us").Values {
		slower.Values[i] /= other
	}
	return []reproduction.Figure{
		figure(inFirst, func(run *reproduction.Run) float64 { return periodsOf(run)[0].notifications }),
		figure(notifications, func(run *reproduction.Run) float64 {
			return worst(run, func(p period) float64 { return p.notifications })
		}),
		figure(longestQueue, func(run *reproduction.Run) float64 {
			return worst(run, func(p period) float64 { return p.queue })
		}),
		slower,
		with.Metric(column, learnedLost, "frames", "drops"),
		with.Metric(column, "CNPs in foresight", "", "preemptive_cnps"),
	}
}

// worst is the largest of a number from the third period on, as a share of the first one's.
func worst(run *reproduction.Run, of func(period) float64) (share float64) {
	periods := periodsOf(run)
	for _, p := range periods[min(2, len(periods)):] {
		share = max(share, of(p)/of(periods[0]))
	}
	return share
}
