package why

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// longRun is a run that goes on long after its flows, so that they have few bins: of 64 us.
const longRun = "run: {until: 20ms}"

// tryContended tries drawn scenarios, and every flow of them by itself if the bins of the run are narrow. It prints the
// unresolved parts of runs and of flows.
func tryContended(first, after uint64, until string) {
	GinkgoHelper()
	var ofRuns, ofFlows spread
	for seed := first; seed < after; seed++ {
		head, flows := contended(seed, algorithms(), until)
		run := lab.Do(lab.Plans(head + strings.Join(flows, ""))[0], lab.Options{Lossy: true})
		addsUp(run)
		var unresolved, total unit.Duration
		for i := range run.Why {
			cause := &run.Why[i]
			unresolved, total = unresolved+cause.Parts[attribution.Unresolved], total+cause.Total()
			ofFlows.add(cause.Parts[attribution.Unresolved], cause.Total())
			if until == "" {
				expectNoOthers(head + flows[i])
			}
		}
		ofRuns.add(unresolved, total)
		Expect(unresolved).To(BeNumerically("<=", total/50), "%s%s", head, flows)
	}
	if after-first > 10 {
		fmt.Printf("unresolved of contended runs, %v; of flows, %v\n", ofRuns, ofFlows)
	}
}

// expectNoOthers expects that a flow without others has nearly nothing that would be theirs.
func expectNoOthers(text string) {
	GinkgoHelper()
	alone := causeOf(lab.Do(lab.Plans(text)[0], lab.Options{Lossy: true}))
	others := alone.Parts[attribution.Shared] + alone.Parts[attribution.Unfair] + alone.Parts[attribution.Collision]
	Expect(others).To(BeNumerically("<=", alone.Total()/200), "%s%v", text, alone.Parts)
}

// moved is the part of all flows' time that a long run has in other parts than one that ends with its flows.
func moved(seed uint64) float64 {
	GinkgoHelper()
	var runs [2]*lab.Run
	for i, until := range []string{"", longRun} {
		head, flows := contended(seed, algorithms(), until)
		runs[i] = lab.Do(lab.Plans(head + strings.Join(flows, ""))[0], lab.Options{Lossy: true})
	}
	var other, total unit.Duration
	for i := range runs[0].Why {
		for part, time := range runs[0].Why[i].Parts {
			other += max(0, time-runs[1].Why[i].Parts[part])
		}
		total += runs[0].Why[i].Total()
	}
	return float64(other) / float64(total)
}

// Tier: -short for a few scenarios, slow for 60, night for 600 more.
var _ = Describe("flows that contend", func() {
	It("have parts that add up, resolved to 2 %, and none of them others' when those are away", func() {
		tryContended(1, 6, "")
	})

	It("have parts that add up, resolved to 2 %, also in a run that is much longer than they are", func() {
		tryContended(1, 6, longRun)
	})

	It("have nearly the parts in bins of 64 us that they have in narrow ones", func() {
		for seed := range uint64(6) {
			Expect(moved(seed)).To(BeNumerically("<", 0.1), "seed %d", seed)
		}
	})

	It("have parts that add up, resolved to 2 %, in 60 scenarios", Label(lab.Slow), func() {
		lab.SkipUnlessSlow()
		tryContended(1, 61, "")
		tryContended(1, 61, longRun)
	})

	It("have parts that add up, resolved to 2 %, in 600 scenarios", Label("night"), func() {
		lab.SkipUnlessNight()
		tryContended(1001, 1601, "")
		tryContended(1001, 1601, longRun)
	})
})
