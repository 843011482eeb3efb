package thesis

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// fifth returns the variant of the scenario as the file has it, a fifth of the
// hosts for a fifth of the time.
func fifth(variant string, seed uint64, changes map[string]string) *plan.Plan {
	GinkgoHelper()
	all := map[string]string{"seed": fmt.Sprint(seed)}
	for k, v := range changes {
		all[k] = v
	}
	for _, p := range lab.Load("../scenarios/thesis-320.yaml", all) {
		if p.Name == variant {
			p.Expect = plan.Expect{} // the criteria here judge
			return p
		}
	}
	Fail("the scenario has no variant " + variant)
	return nil
}

// curve is the 95th percentile of the background's slowdown, by size.
type curve []struct {
	most unit.Bytes
	p95  float64
}

func curveOf(r *lab.Run) (c curve) {
	for _, b := range r.SizeBins() {
		if b.Group == "background" {
			c = append(c, struct {
				most unit.Bytes
				p95  float64
			}{b.Most, b.P95})
		}
	}
	return c
}

// queueInBits has HPCC take the length of a queue in bits for one in bytes. That
// it hears of no queue would not be seen here: at a load of 30 % large flows gain
// by it.
var queueInBits = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return &timid{s} }}

type timid struct{ cc.Sender }

func (s *timid) Handle(e *cc.Event, d *cc.Decision) {
	const most = telemetry.Record(1<<17 - 1) // of the field, the lowest of the record
	told := e.INT
	for i, r := range e.INT.Record {
		e.INT.Record[i] = r&^most | min(most, 8*(r&most))
	}
	s.Sender.Handle(e, d)
	e.INT = told
}

// The order of Figure 20, bin by bin.
func figure20(curves map[string]curve) (c lab.Criteria) {
	at := func(name string, i int) float64 { return curves[name][i].p95 }
	for i, b := range curves["pidnn"] {
		if b.most <= 7000 {
			c.Want(b.p95 < at("dcqcn", i) && b.p95 < at("timely", i), "B2: up to %v PIDNN has %.2f, DCQCN %.2f, TIMELY %.2f",
				b.most, b.p95, at("dcqcn", i), at("timely", i))
		}
		if b.most > 100_000 {
			all := []float64{at("dcqcn", i), at("timely", i), at("hpcc", i), b.p95}
			slices.Sort(all)
			c.Want(at("hpcc", i) <= all[1], "B5: up to %v HPCC has %.2f of %.2f", b.most, at("hpcc", i), all)
		}
	}
	return c
}

var _ = Describe("slowdown over size", Label("B2", "B5", "slow"), func() {
	It("is less under PIDNN than under DCQCN and TIMELY for small flows, and HPCC's is among the two least for "+
		"large ones", func() {
		lab.SkipUnlessSlow()
		curves := map[string]curve{}
		names := []string{"dcqcn", "timely", "hpcc", "pidnn"}
		for _, name := range names {
			curves[name] = curveOf(lab.Do(fifth(name, 1, nil), lab.Options{}))
			Expect(curves[name]).To(HaveLen(20))
		}
		t := lab.NewTable(append([]string{"up to"}, names...)...)
		for i := range curves["pidnn"] {
			t.Row(curves["pidnn"][i].most, curves["dcqcn"][i].p95, curves["timely"][i].p95, curves["hpcc"][i].p95,
				curves["pidnn"][i].p95)
		}
		t.Report("95th percentile of the slowdown")
		Expect(figure20(curves).Missed).To(BeEmpty())

		sound := curves["pidnn"]
		curves["pidnn"] = curveOf(
			lab.Do(fifth("pidnn", 1, map[string]string{"algorithm": "{name: pidnn, params: {target: 50us}}"}), lab.Options{}))
		Expect(figure20(curves).Missed).To(ContainElement(HavePrefix("B2")), "a target of 50 us")
		curves["pidnn"] = sound
		curves["hpcc"] = curveOf(lab.Do(fifth("hpcc", 1, nil), lab.Options{Algorithms: queueInBits.In("hpcc")}))
		Expect(figure20(curves).Missed).To(ContainElement(HavePrefix("B5")), "an HPCC that reads queues in bits")
	})
})
