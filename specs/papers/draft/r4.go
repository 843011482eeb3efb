package draft

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r4.yaml
var r4Scenario []byte

var r4 = &reproduce.Row{
	ID:     "R4",
	Title:  "Learning: later periods need no notifications",
	Source: "Congestion control process",
	Paper:  Paper,
	Reading: scaled + "Two jobs of eight ranks pass 16 MB on from rank to rank, each time across a DCI that is " +
		"oversubscribed 4:1, and compute for 10 ms: one by itself, and both at the same time. Ten periods, " +
		"counted from the end of the first job's computation. Queues are of the spines. The largest figure of all " +
		"periods from the third on counts. Beside it are variants that the draft does not require, each with " +
		"end-to-end ECN: the second job starts at 20 or at 60 ms, leaves after five iterations, or the ports to " +
		"the fibre have 100 Gb/s, 2:1. There an iteration's time is the mean of both jobs.",
	Scenario: r4Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Grid:  map[string][]string{"traffic.paths": {"ecmp"}},
		Seeds: []uint64{1, 2, 3},
		About: "paths as ECMP draws them, three seeds",
	},
	Measure: measureR4,
}

// settingR4 is when the second job starts, how many iterations it has, and the rate of a port to the fibre.
type settingR4 struct{ name, start, iterations, rate string }

// keys are the swept keys of the setting.
func (s *settingR4) keys() []string {
	return []string{"traffic.job1.start=" + s.start, "traffic.job1.iterations=" + s.iterations,
		"topology.dci_rate=" + s.rate}
}

// settingsR4 are the draft's two, and those in which N changes or the overload is mild.
var settingsR4 = []settingR4{
	{"one job", "1s", "10", "50Gbps"},
	{"two jobs", "0s", "10", "50Gbps"},
	{"second job at 20 ms", "20ms", "10", "50Gbps"},
	{"second job at 60 ms", "60ms", "10", "50Gbps"},
	{"second job leaves", "0s", "5", "50Gbps"},
	{"two jobs, 2:1", "0s", "10", "100Gbps"},
}

const (
	inFirst       = "notifications in the first period"
	notifications = "notifications, of the first period's"
	longestQueue  = "longest queue, of the first period's"
	learnedTime   = "iteration, over that without learning"
	learnedLost   = "lost"
	overECN       = "iteration, over that with end-to-end ECN"
)

// period is what switches said and held in one.
type period struct{ notifications, queue float64 }

// beginsOf is when the first job's periods begin, in microseconds.
func beginsOf(run *reproduce.Run) (begins []float64) {
	for line := range run.Lines("ranks.csv") {
		if line.Text("collective") == "job0" && line.Text("rank") == "0" {
			begins = append(begins, line.Microseconds("ready_us"))
		}
	}
	slices.Sort(begins)
	return begins
}

// periodAt is the period of a time, the first one for what is before it.
func periodAt(begins []float64, us float64) int {
	i, _ := slices.BinarySearch(begins, math.Nextafter(us, math.Inf(1)))
	return max(i-1, 0)
}

// periodsOf are the periods of the first job, which ends before a second is over.
func periodsOf(run *reproduce.Run) []period {
	const end = 0.95e6
	begins := beginsOf(run)
	periods := make([]period, len(begins))
	at := func(us float64) *period { return &periods[periodAt(begins, us)] }
	for line := range run.Lines("proximal.csv") {
		if us := line.Microseconds("at_us"); us < end && line.Text("action") == "congested" &&
			line.Text("peer") != line.Text("switch") {
			at(us).notifications++
		}
	}
	for line := range run.Lines("series_queues.csv") {
		if us := line.Microseconds("time_us"); us < end && line.Text("queue") == "3" &&
			strings.Contains(line.Text("node"), "spine") {
			p := at(us)
			p.queue = max(p.queue, line.Number("depth_max_bytes"))
		}
	}
	return periods
}

func measureR4(r *reproduce.Results) (list []reproduce.Figure) {
	for _, paths := range r.Values("traffic.paths") {
		for i := range settingsR4 {
			s := &settingsR4[i]
			column := s.name + ", " + cell{paths: paths, start: "0s"}.draw()
			of := func(variant string) reproduce.Runs {
				return r.Of("", variant, append(s.keys(), "traffic.paths="+paths)...)
			}
			list = append(list, learning(column, of("learned"), of("unlearned"), of("ecn"))...)
		}
	}
	return list
}

// learning are the figures of runs with and without, and with end-to-end ECN.
func learning(column string, with, without, ecn reproduce.Runs) []reproduce.Figure {
	figure := func(name string, of func(*reproduce.Run) float64) reproduce.Figure {
		return with.Figure(column, name, "", of)
	}
	return []reproduce.Figure{
		figure(inFirst, func(run *reproduce.Run) float64 { return periodsOf(run)[0].notifications }),
		figure(notifications, func(run *reproduce.Run) float64 {
			return worst(run, func(p period) float64 { return p.notifications })
		}),
		figure(longestQueue, func(run *reproduce.Run) float64 {
			return worst(run, func(p period) float64 { return p.queue })
		}),
		slower(column, learnedTime, with, without),
		slower(column, overECN, with, ecn),
		with.Metric(column, learnedLost, "frames", "drops"),
		with.Metric(column, "CNPs in foresight", "", "preemptive_cnps"),
	}
}

// slower is by what factor iterations of some runs take longer than those of others, seed by seed.
func slower(column, name string, runs, others reproduce.Runs) reproduce.Figure {
	figure := runs.Metric(column, name, "", "iteration_mean_us")
	for i, other := range others.Metric("", "", "", "iteration_mean_us").Values {
		figure.Values[i] /= other
	}
	return figure
}

// worst is the largest of a number from the third period on, as a share of the first one's.
func worst(run *reproduce.Run, of func(period) float64) (share float64) {
	periods := periodsOf(run)
	for _, p := range periods[min(2, len(periods)):] {
		share = max(share, of(p)/of(periods[0]))
	}
	return share
}
