package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r7.yaml
var r7Scenario []byte

var r7 = &reproduce.Row{
	ID:     "R7",
	Title:  "Training in two data centres of 512 NICs each, by plain CNPs",
	Source: "Practice scenario, Figures 2 and 3",
	Paper:  Paper,
	Doubts: []string{"D7"},
	Reading: "The draft names no workload. Here 128 jobs of eight ranks compute for 20 ms and do a hierarchical " +
		"all-reduce of 16 MB a rank (4 MB cross 120 km of fibre): a quarter of row R1's iteration with 80 ms. " +
		"Packets are 4096 B. The DCI has what the NICs have, 25.6 Tb/s, and ECMP draws its paths. One iteration, " +
		"the mean of all jobs.",
	Scenario: r7Scenario,
	Seeds:    []uint64{1},
	Quick: reproduce.Form{
		Set: map[string]string{
			"topology": `{kind: two-dc, scale: "1/64", uplink_rate: 200Gbps, dci_links: 1, dci_rate: 200Gbps}`,
			"traffic": "[{name: job0, operation: all-reduce, method: hierarchical, groups: 2, size: 16MB, compute: 20ms, " +
				"hosts: [a-h0..a-h3, b-h0..b-h3]}, {name: job1, operation: all-reduce, method: hierarchical, groups: 2, " +
				"size: 16MB, compute: 20ms, hosts: [a-h4..a-h7, b-h4..b-h7]}]",
		},
		About: "16 NICs in place of 1024, two jobs of 128",
	},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		one := r.Of("", oneSite).Metric(oneSite, "iteration", "us", "iteration_mean_us")
		list = append(list, one)
		for _, scheme := range []string{"ecn", "proximal"} {
			runs := r.Of("", scheme)
			iteration := runs.Metric(scheme, "iteration", "us", "iteration_mean_us")
			bound := runs.Metric(scheme, "", "", "bound_us")
			list = append(list, iteration,
				quotient("of one site's rate", one, iteration),
				quotient("of the bound's rate", bound, iteration),
				runs.Metric(scheme, "lost", "frames", "drops"),
				runs.Metric(scheme, "CNPs of switches", "", "proximal_cnps"))
		}
		return list
	},
}
