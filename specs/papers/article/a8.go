package article

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a8.yaml
var a8Scenario []byte

var a8 = &reproduce.Row{
	ID:     "A8",
	Title:  "ECN only throttles the congested flows, PFC also others of their class",
	Source: "Managing incast congestion",
	Paper:  Paper,
	Doubts: []string{"D14"},
	Reading: "A victim of 50 Gb/s shares NIC and class with one of eight senders of an incast, and leaves by an " +
		"idle port. It has a window of 24 packets, because a paced flow falls behind whenever another flow of its " +
		"NIC has the port when it is due, with or without pauses. Beside it are a paced victim, and a flow that " +
		"DCQCN would throttle. From 5 ms on.",
	Scenario: a8Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Seeds: []uint64{1, 2, 3}, About: "three seeds"},
	Measure:  measureA8,
}

// victims are runs of A8.
func victims(r *reproduce.Results, stop, incast, victim, dscp string) reproduce.Runs {
	return r.Of("", "", "traffic.incast.stop="+stop, "traffic.incast.algorithm="+incast,
		"traffic.victim.algorithm="+victim, "traffic.victim.dscp="+dscp)
}

func measureA8(r *reproduce.Results) (list []reproduce.Figure) {
	rate := func(runs reproduce.Runs, name string) reproduce.Figure {
		return runs.Figure("", name, "Gb/s", func(run *reproduce.Run) float64 {
			series := run.Series("series_flows.csv", "goodput_gbps", "flow=victim/h0-h9")
			return reproduce.Mean(series.Between(5_000, 15_000))
		})
	}
	alone := rate(victims(r, "1us", "dcqcn", "steady", "26"), "victim alone")
	paced := rate(victims(r, "1us", "dcqcn", "paced", "26"), "paced victim alone")
	list = append(list, alone, paced)
	share := func(runs reproduce.Runs, name string, of reproduce.Figure) {
		figure := rate(runs, name)
		figure.Unit = ""
		for i := range figure.Values {
			figure.Values[i] /= of.Median()
		}
		list = append(list, figure)
	}
	ecn, dcqcn := victims(r, "15ms", "dcqcn", "steady", "26"), victims(r, "15ms", "dcqcn", "dcqcn", "26")
	share(ecn, "victim of its rate alone, ECN", alone)
	share(victims(r, "15ms", "fixed", "steady", "26"), "victim of its rate alone, PFC", alone)
	share(victims(r, "15ms", "fixed", "steady", "8"), "victim of its rate alone, PFC, another class", alone)
	share(victims(r, "15ms", "fixed", "paced", "8"), "paced victim of its rate alone, PFC, another class", paced)
	return append(list, rate(dcqcn, "victim under DCQCN"),
		ecn.Figure("", "CNPs of the victim", "", cnpsOfVictim),
		dcqcn.Figure("", "CNPs of a victim under DCQCN", "", cnpsOfVictim))
}

// cnpsOfVictim counts the CNPs that were sent for the victim, and those that came to it.
func cnpsOfVictim(run *reproduce.Run) (count float64) {
	for line := range run.Lines("flows.csv") {
		if line.Text("group") == "victim" {
			count += line.Number("np_cnp_sent") + line.Number("rp_cnp_handled")
		}
	}
	return count
}
