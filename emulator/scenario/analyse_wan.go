package scenario

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// LongHaul has the consequences of a long-haul path before a run.
type LongHaul struct {
	Name string `json:"name"`
	// From and To are the nodes that it joins.
	From string       `json:"from"`
	To   string       `json:"to"`
	Rate unit.BitRate `json:"rate_bps"`
	// Length and Delay are of the two directions when the run starts,
	// forward first.
	Length [2]unit.Length   `json:"length_mm"`
	Delay  [2]unit.Duration `json:"delay_ps"`
	Jitter unit.Duration    `json:"jitter_ps"`
	// Loss is the mean share of frames lost when the run starts; Changes is the
	// number of changes on the timeline, flaps included.
	Loss    float64 `json:"loss"`
	Changes int     `json:"changes"`
	// Fill is the most that both directions together have under way: rate times
	// delay and jitter at their largest. It is also what PFC across the path
	// needs as headroom, beside the headroom of a link.
	Fill unit.Bytes `json:"fill_bytes"`
}

func longHauls(planned *plan.Plan) []LongHaul {
	list := []LongHaul{}
	for i := range planned.WANs {
		path := &planned.WANs[i]
		first := &path.Profile.Phases[0]
		rate := planned.Links[path.Links[0]].Forward.Rate
		a, b := planned.Links[path.Links[0]].A, planned.Links[path.Links[1]].B
		list = append(list, LongHaul{
			Name:    path.Name,
			From:    planned.NodeName(a.Node),
			To:      planned.NodeName(b.Node),
			Rate:    rate,
			Length:  path.Profile.Length,
			Delay:   first.Delay,
			Jitter:  first.Jitter,
			Loss:    first.Loss.Mean(),
			Changes: len(path.Profile.Phases) - 1 + len(path.Profile.Flaps),
			Fill:    rate.BytesIn(path.Profile.LongestDelay(0) + path.Profile.LongestDelay(1)),
		})
	}
	return list
}
