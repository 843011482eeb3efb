package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f14.yaml
var f14Scenario []byte

var f14 = &reproduce.Row{
	ID:     "F14",
	Title:  "Where the testbed is congested, with ECMP and with packets sprayed",
	Source: "Section II-A",
	Paper:  Paper,
	Reading: "The paper claims, without showing it, that congestion is at the hosts' links. 60 % load is 250 KB " +
		"from each NIC in each 36.6 us, from a random instant on, to a NIC that is drawn again each time; plus " +
		"incasts of eight. ECMP has go-back-N, a receiver of sprayed packets keeps 255 that are out of order.",
	Scenario: f14Scenario,
	Columns:  Columns,
	Seeds:    seeds[:3],
	Quick: reproduce.Form{
		Set:   map[string]string{"topology.double_leaves": "4", "topology.single_leaves": "2"},
		Seeds: seeds[:1],
		About: "10 servers in place of 32, one seed",
	},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range []string{"ecmp", "spray"} {
			for _, column := range r.Columns() {
				runs := r.Of(column, variant)
				list = append(list,
					runs.Metric(column, "share of queueing at hosts' links, "+variant, "", "wait_share_host"),
					runs.Metric(column, "packets sent again, "+variant, "", "retransmits"),
					runs.Metric(column, "p99 FCT, "+variant, "us", "fct_p99_us"))
			}
		}
		return list
	},
}
