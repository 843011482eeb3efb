package twodc

import (
	"fmt"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
)

// shipped is the scenario that the findings and the README are about.
const shipped = "../scenarios/two-dc.yaml"

// boundsOf are the bounds of the shipped scenario's variants under a seed, by name.
func boundsOf(file string, seed int) map[string]*plan.Bound {
	bounds := map[string]*plan.Bound{}
	for _, p := range lab.Load(file, map[string]string{"seed": strconv.Itoa(seed)}) {
		bounds[p.Name] = model.BoundOf(p)
	}
	return bounds
}

// meanIterations are the mean times of the iterations of each job of a run, in us.
func meanIterations(run *lab.Run) (means []float64) {
	for _, c := range run.Plan.Collectives {
		sum := 0.0
		for k := range c.Iterations {
			begun, ended := unit.Never, unit.Time(0)
			for _, place := range c.Places {
				ends := run.Phases[place.NIC][place.Rank]
				from := c.Start
				if k > 0 {
					from = ends[k*place.PhasesPerIteration-1]
				}
				begun, ended = min(begun, from), max(ended, ends[(k+1)*place.PhasesPerIteration-1])
			}
			sum += ended.Sub(begun).Microseconds()
		}
		means = append(means, sum/float64(c.Iterations))
	}
	return means
}

// Tier: -short but for what is marked slow. With L taken for 4 always, the bound of seeds 1 to 5
// is 37.13 ms.
var _ = Describe("the bound of a training across two data centres", Label("dci", "bound"), func() {
	It("counts the flows that ECMP puts on each DCI port", Label("short"), func() {
		for seed, want := range []struct{ load, step, free float64 }{
			1: {6, 42.35, 37.13}, 2: {6, 42.35, 34.52}, 3: {6, 42.35, 34.52}, 4: {5, 39.74, 34.52}, 5: {6, 42.35, 34.52},
		} {
			if seed == 0 {
				continue
			}
			bounds := boundsOf(shipped, seed)
			Expect(bounds["one-dc"]).To(BeNil(), "one site has no DCI")
			for _, variant := range []string{"ecn", "proximal", "pauses", "pfc"} {
				b := bounds[variant]
				Expect(b).NotTo(BeNil(), variant)
				Expect(b.Load).To(BeNumerically("~", want.load, 1e-9), "seed %d", seed)
				Expect(b.Step.Seconds()*1e3).To(BeNumerically("~", want.step, 0.005), "seed %d", seed)
				Expect(b.Free.Seconds()*1e3).To(BeNumerically("~", want.free, 0.005), "seed %d", seed)
			}
		}
	})

	It("is exact where ECMP has no choice", Label("short"), func() {
		b := model.BoundOf(lab.Plans(lab.OneJob)[0])
		Expect(b.Load).To(Equal(4.0))
		Expect(b.Step.Seconds() * 1e3).To(BeNumerically("~", 37.13, 0.005))
		Expect(b.Free).To(Equal(b.Step), "one job has none to drift from")
	})

	It("is the same with every seed where paths are balanced", Label("short"), func() {
		t := hierarchical(6, "10ms")
		for i := range t.jobs {
			t.jobs[i] += ", paths: balanced"
		}
		for seed := range 5 {
			b := model.BoundOf(lab.Plans(fmt.Sprintf("seed: %d\n", seed) + t.yaml(ecnOnly))[0])
			Expect(b.Load).To(Equal(4.0), "seed %d", seed)
			Expect(b.Jobs[0].Load).To(Equal(2.0), "seed %d", seed)
			Expect(b.Step.Seconds() * 1e3).To(BeNumerically("~", 37.13, 0.005))
			Expect(b.Free.Seconds() * 1e3).To(BeNumerically("~", 31.91, 0.005))
		}
	})

	It("takes for an iteration in one site what a run there takes, within 1 %", Label("slow"), func() {
		lab.SkipUnlessSlow()
		for _, t := range []training{hierarchical(3, "10ms"), exchange(3)} {
			two := model.BoundOf(lab.Plans(t.yaml(ecnOnly))[0])
			t.fabric = "sites: 1, uplink_rate: 200Gbps"
			one := lab.Simulate(t.yaml(ecnOnly))
			Expect(two.One.Microseconds()).To(BeNumerically("~", one.Summary.Iteration.Mean, 0.01*one.Summary.Iteration.Mean))
		}
	})

	It("is reached within 1 % by pauses without congestion control at the NICs", Label("slow"), func() {
		lab.SkipUnlessSlow()
		// From Kmin on: at the default trigger it is 1.1 %, it seems because so short a queue runs dry now and then.
		const atKmin = "proximal: {enabled: true, pause: true, threshold: 5625KB, learning: {enabled: false}}"
		uncontrolled := hierarchical(6, "10ms")
		for _, yaml := range []string{lab.OneJob + "switch: {" + atKmin + "}\n", uncontrolled.yaml(atKmin)} {
			plans := lab.Plans(yaml)
			for i := range plans[0].Flows {
				plans[0].Flows[i].Algorithm = &plan.Algorithm{Name: "none"}
			}
			run := lab.Do(plans[0], lab.Options{})
			step := run.Bound.Step.Microseconds()
			Expect(run.Summary.Iteration.Mean).To(BeNumerically("~", step, 0.01*step))
			Expect(run.Summary.BoundUS).To(Equal(step))
		}
	})

	It("is beaten by no job where jobs drift apart", Label("slow"), func() {
		lab.SkipUnlessSlow()
		// With the second job eight milliseconds behind the first, one computes while the other sends.
		apart := hierarchical(3, "10ms")
		apart.jobs[1] += ", start: 8ms"
		for i := range apart.jobs {
			apart.jobs[i] += ", paths: balanced"
		}
		below := 0
		for _, t := range []training{hierarchical(3, "10ms"), apart, exchange(3)} {
			for _, settings := range []string{ecnOnly, scheme, pausing} {
				for _, run := range lab.OverSeeds(t.yaml(settings), lab.Options{Seeds: lab.Seeds[:1]}) {
					slowest := 0.0
					for job, mean := range meanIterations(run) {
						alone := run.Bound.Jobs[job].Alone.Microseconds()
						Expect(mean).To(BeNumerically(">=", alone), "%s, seed %d, %s", settings, run.Plan.Seed, run.Bound.Jobs[job].Name)
						slowest = max(slowest, mean)
					}
					Expect(slowest).To(BeNumerically(">=", run.Summary.FreeUS), "%s, seed %d", settings, run.Plan.Seed)
					if slowest < run.Summary.BoundUS {
						below++
					}
				}
			}
		}
		Expect(below).To(BeNumerically(">", 0), "no job gained by drifting: free was not tried")
	})
})
