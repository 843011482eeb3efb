package thesis

import (
	"fmt"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// whole are the changes that make the scenario of the thesis's 320 hosts what it
// is there.
func whole(seed uint64) map[string]string {
	return map[string]string{"seed": fmt.Sprint(seed), "topology": "{kind: hpcc-fat-tree}", "traffic.until": "10ms",
		"traffic.incast.draw": "60",
		"variants":            "[{name: dcqcn, algorithm: dcqcn}]"}
}

// arrivals counts the flows and the bytes of both entries, and the incasts.
type arrivals struct {
	flows, incastFlows, events int
	load, incastLoad           float64
}

func arrivalsOf(p *plan.Plan) arrivals {
	a := arrivals{}
	capacity := float64((unit.BitRate(len(p.NICs)) * 100 * unit.Gbps).BytesIn(10 * unit.Millisecond))
	events := map[string]bool{}
	for i := range p.Flows {
		f := &p.Flows[i]
		if f.Group == "incast" {
			a.incastFlows++
			a.incastLoad += float64(f.Size) / capacity
			events[strings.Split(f.Name, "/")[1]] = true // incast/e0/h1-h2
			continue
		}
		a.flows++
		a.load += float64(f.Size) / capacity
	}
	a.events = len(events)
	return a
}

// criteria are those of the printed text: about 100 000 flows at 30 % load, and
// 34 incasts of 60 flows.
func (a arrivals) criteria() (c lab.Criteria) {
	c.Want(math.Abs(float64(a.flows)/99651-1) <= 0.03, "%d flows, want 99651 to 3 %%", a.flows)
	c.Want(math.Abs(a.load/0.3-1) <= 0.1, "a load of %.4f, want 0.3", a.load)
	c.Want(a.events == 34 && a.incastFlows == 34*60, "%d incasts of %d flows in all, want 34 of 60",
		a.events, a.incastFlows)
	c.Want(math.Abs(a.incastLoad/0.0255-1) <= 1e-6, "incasts have a load of %.5f, want 0.0255", a.incastLoad)
	return c
}

var _ = Describe("random flows on 320 hosts", Label("B1"), func() {
	It("come as the thesis says: 99 651 flows in the mean, and 34 incasts", func() {
		t := lab.NewTable("seed", "flows", "load", "incasts", "incast load")
		for _, seed := range lab.Seeds[:3] {
			plans := lab.Load("../scenarios/thesis-320.yaml", whole(seed))
			Expect(plans).To(HaveLen(1))
			Expect(plans[0].NICs).To(HaveLen(320))
			a := arrivalsOf(plans[0])
			t.Row(seed, a.flows, a.load, a.events, a.incastLoad)
			Expect(a.criteria().Missed).To(BeEmpty(), "seed %d", seed)
		}
		t.Report("arrivals")
	})

	It("are found to be wrong if a load is counted in bytes, as a formula without the 8 does", func() {
		changes := whole(1)
		changes["traffic.incast.load"] = fmt.Sprint(0.0255 * 8)
		a := arrivalsOf(lab.Load("../scenarios/thesis-320.yaml", changes)[0])
		Expect(a.criteria().Missed).NotTo(BeEmpty())
		Expect(a.events).To(Equal(272))
	})
})
