package scenario

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// LongHaul is what follows from a long-haul path before a run.
type LongHaul struct {
	Name string `json:"name"`
	// From and To are the nodes that it joins.
	From string       `json:"from"`
	To   string       `json:"to"`
	Rate unit.BitRate `json:"rate_bps"`
	// Length and Delay are those of the two directions when the run starts,
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
	// needs as headroom, beside that of a link.
	Fill unit.Bytes `json:"fill_bytes"`
}

func longHauls(p *plan.Plan) []LongHaul {
	list := []LongHaul{}
	for i := range p.WANs {
		w := &p.WANs[i]
		first := &w.Profile.Phases[0]
		rate := p.Links[w.Links[0]].Forward.Rate
		a, b := p.Links[w.Links[0]].A, p.Links[w.Links[1]].B
		list = append(list, LongHaul{
			Name:    w.Name,
			From:    p.NodeName(a.Node),
			To:      p.NodeName(b.Node),
			Rate:    rate,
			Length:  w.Profile.Length,
			Delay:   first.Delay,
			Jitter:  first.Jitter,
			Loss:    first.Loss.Mean(),
			Changes: len(w.Profile.Phases) - 1 + len(w.Profile.Flaps),
			Fill:    rate.BytesIn(w.Profile.LongestDelay(0) + w.Profile.LongestDelay(1)),
		})
	}
	return list
}
