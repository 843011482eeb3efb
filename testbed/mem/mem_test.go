package mem_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
)

// star is an n-to-1 incast on one switch.
func star(n int, size unit.Bytes, algorithm string) *plan.Plan {
	p := &plan.Plan{Name: algorithm, Seed: 1, MTU: 1000, Limit: unit.Time(unit.Second), EndGrid: 10 * unit.Microsecond,
		Controller: plan.Controller{Latency: 10 * unit.Microsecond}}
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	s := plan.Switch{Name: "s0", Profile: profile.DefaultSwitch()}
	for i := range n + 1 {
		p.NICs = append(p.NICs, plan.NIC{Name: fmt.Sprint("h", i), Profile: profile.DefaultNIC(), Link: i, IP: plan.FirstIP + uint32(i)})
		p.Links = append(p.Links, plan.Link{A: plan.End{Node: plan.NodeID(1 + i)}, B: plan.End{Node: 0, Port: i}, Forward: ch, Backward: ch})
		s.Links = append(s.Links, i)
		s.Routes = append(s.Routes, uint16(i))
		s.NextHops = append(s.NextHops, []uint16{uint16(i)})
	}
	p.Switches = []plan.Switch{s}
	a := &plan.Algorithm{Name: algorithm}
	for i := range n {
		p.Flows = append(p.Flows, plan.Flow{Name: fmt.Sprint("f", i), Src: 1 + i, Dst: 0, Size: size, DSCP: -1,
			Start: unit.Time(i * 5000), Algorithm: a, Path: []fabric.Channel{ch, ch}, Back: []fabric.Channel{ch, ch}})
	}
	return p
}

func TestIncast(t *testing.T) {
	for _, algorithm := range []string{"pc4", "dcqcn", "fixed"} {
		out, err := mem.Run(context.Background(), star(16, 10*unit.MB, algorithm), mem.Options{Workers: 1, Algorithms: shipped.Find})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-6s end %v hops %d (%.1f M/s) events %d windows %d trace %016x; flow 0: %v, rtt %v p99 %v max %v", algorithm, out.End, out.Hops,
			float64(out.Hops)/out.Wall.Seconds()/1e6, out.Events, out.Windows, out.Trace, out.Flows[0].Sender.Completed,
			out.Flows[0].Sender.RTT.Mean(), out.Flows[0].Sender.RTT.Quantile(.99), out.Flows[0].Sender.RTT.Max())
	}
}

func BenchmarkIncast(b *testing.B) {
	for _, algorithm := range []string{"pc4", "dcqcn"} {
		b.Run(algorithm, func(b *testing.B) {
			b.ReportAllocs()
			hops := uint64(0)
			for b.Loop() {
				out, err := mem.Run(context.Background(), star(16, 10*unit.MB, algorithm), mem.Options{Workers: 1, Algorithms: shipped.Find})
				if err != nil {
					b.Fatal(err)
				}
				hops += out.Hops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds()/1e6, "Mhops/s")
		})
	}
}
