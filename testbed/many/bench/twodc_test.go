package bench

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// Every NIC is in one job and sends 28 MB, 4 MB of them over the fibres, which carry a
// quarter of what the NICs do.
func TestTwoDC(t *testing.T) {
	for _, name := range twoDCVariants {
		t.Run(name, func(t *testing.T) {
			p, err := twoDCPlan(model.Checker(shipped.Find), name)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.NICs) != 1024 || len(p.Switches) != 36 || len(p.WANs) != 16 || len(p.Collectives) != 128 {
				t.Errorf("%s: %d NICs, %d switches, %d paths, %d jobs", name, len(p.NICs), len(p.Switches), len(p.WANs),
					len(p.Collectives))
			}
			sent, across := make([]unit.Bytes, len(p.NICs)), make([]unit.Bytes, len(p.NICs))
			for i := range p.Flows {
				f := &p.Flows[i]
				sent[f.Src] += f.Size
				if f.Src < 512 != (f.Dst < 512) {
					across[f.Src] += f.Size
				}
			}
			for i := range p.NICs {
				if ranks := len(p.NICs[i].Ranks); ranks != 1 || sent[i] != 28*unit.MB || across[i] != 4*unit.MB {
					t.Fatalf("%s: %s is in %d jobs, sends %v, %v of it over the fibres", name, p.NICs[i].Name, ranks,
						sent[i], across[i])
				}
			}
			if on := p.Switches[0].Profile.Proximal.Enabled; on != (name == "proximal") {
				t.Errorf("%s: proximal CNP %t", name, on)
			}
			var nics unit.BitRate
			for i := range 512 {
				nics += p.Links[p.NICs[i].Link].Forward.Rate
			}
			if fibres := 16 * p.Links[p.WANs[0].Links[0]].Forward.Rate; nics != 4*fibres {
				t.Errorf("NICs of %v, fibres of %v", nics, fibres)
			}
		})
	}
}

// A run is held against that of the base before it, by the time of a packet-hop.
func TestCost(t *testing.T) {
	base := measurement{result: Result{Name: "a", Hops: 100}, walls: []float64{1, 2, 4}}
	m := measurement{result: Result{Name: "b", Hops: 50}, walls: []float64{1, 0.5, 3}, cpus: []float64{2, 1, 6}}
	m.compare(&base) // 2, 0.5 and 1.5 times
	r := m.close()
	if r.Base != "a" || r.Cost != 1.5 || r.CostLeast != 0.5 || r.CostMost != 2 || r.Wall != 1 {
		t.Errorf("%+v", r)
	}
	if r.CPUPerHop != 4e7 { // ns: 2 s for 50 hops
		t.Errorf("%v ns a hop", r.CPUPerHop)
	}
}
