package plan

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A run lasts as long as the links of NICs carry their flows' data, each at 100 Gb/s, and no longer than its limit.
// Tier: -short. Red if a stopped flow counts, or if only senders do.
func TestShortest(t *testing.T) {
	const us = unit.Time(unit.Microsecond)
	// 12500 B take 1 us.
	flow := func(src, dst int, size unit.Bytes, start, stop unit.Time) Flow {
		return Flow{
			Src:   src,
			Dst:   dst,
			Size:  size,
			Start: start,
			Stop:  stop,
		}
	}
	for _, c := range []struct {
		name  string
		until unit.Time
		edge  bool
		flows []Flow
		want  unit.Time
	}{
		{"nothing to send", 0, false, nil, 0},
		{"a fixed end", 70 * us, false, []Flow{flow(0, 1, 125_000, 0, 0)}, 70 * us},
		{"an edge", 70 * us, true, nil, 0},
		{"one flow", 0, false, []Flow{flow(0, 1, 125_000, 3*us, 0)}, 13 * us},
		{"two of a sender", 0, false, []Flow{flow(0, 1, 125_000, 5*us, 0), flow(0, 2, 25_000, 3*us, 0)}, 15 * us},
		{"two of a receiver", 0, false, []Flow{flow(0, 2, 125_000, 0, 0), flow(1, 2, 125_000, us, 0)}, 20 * us},
		{"a late one", 0, false, []Flow{flow(0, 1, 12_500, 0, 0), flow(0, 1, 12_500, 50*us, 0)}, 51 * us},
		{"one that is stopped", 0, false, []Flow{flow(0, 1, 125_000, 0, 2*us), flow(1, 2, 12_500, 0, 0)}, us},
		{"one without a size", 0, false, []Flow{flow(0, 1, 0, 0, 90*us), flow(1, 2, 12_500, 0, 0)}, us},
		{"more than the limit allows", 0, false, []Flow{flow(0, 1, 1<<62, 0, 0)}, 100 * us},
		{"a start after the limit", 0, false, []Flow{flow(0, 1, 1, 200*us, 0)}, 100 * us},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Plan{
				NICs:  []NIC{{Link: 0}, {Link: 1}, {Link: 2}},
				Links: make([]Link, 3),
				Flows: c.flows,
				Until: c.until,
				Limit: 100 * us,
			}
			for i := range p.Links {
				p.Links[i].Forward, p.Links[i].Backward = fabric.Channel{Rate: 100 * unit.Gbps}, fabric.Channel{Rate: unit.Gbps}
			}
			if c.edge {
				p.Devices = []Device{{Kind: KindEdge}}
			}
			if got := p.Shortest(); got != c.want {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		})
	}
}
