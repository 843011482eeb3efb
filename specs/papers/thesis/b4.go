package thesis

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

var b4 = loadRow("B4", "With a window small flows hardly wait", nil,
	[]string{"win", "win-line", "win-5us"},
	reproduction.Criterion{
		Name:  "small",
		Text:  "with +WIN the p95 slowdown below 7 KB is at most 1.5 (90 % in the text, 95 % in the caption)",
		Grade: reproduction.Pass,
		Holds: between("win", smallP95, 0, 1.5),
	},
	reproduction.Criterion{
		Name:  "rest",
		Text:  "and it is higher from 7 KB on",
		Grade: reproduction.Pass,
		Holds: func(f reproduction.Figures) (bool, string) {
			small, rest := f.In("win").Median(smallP95), f.In("win").Median(restP95)
			return rest > small, fmt.Sprintf("%.3g, below 7 KB %.3g", rest, small)
		},
	},
	reproduction.Criterion{
		Name:  "small, 5 us",
		Text:  "begun at line rate, with a target of 5 us on every path, it is at most 1.5 below 7 KB",
		Grade: reproduction.Target,
		Holds: between("win-5us", smallP95, 0, 1.5),
	},
)
