package thesis

import "github.com/rocelab/rocelab/testbed/reproduction"

var b5 = loadRow("B5", "HPCC is best or second for large flows", nil,
	[]string{"dcqcn", "timely", "hpcc", "pidnn", "rttch", "win"},
	reproduction.Criterion{
		Name:  "rank",
		Text:  "above 100 KB the p95 slowdown under HPCC is the least or the second of six in each part",
		Grade: reproduction.Pass,
		Holds: amongTheFirstTwo("hpcc", largeParts(), "dcqcn", "timely", "hpcc", "pidnn", "rttch", "win"),
	},
)
