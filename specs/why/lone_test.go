package why

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/lab"
)

// algorithms are the names of all that ship.
func algorithms() (names []string) {
	for _, a := range shipped.All() {
		names = append(names, a.Describe().Name)
	}
	return names
}

// spread collects the parts of times that are unresolved.
type spread []float64

func (s *spread) add(of, total unit.Duration) {
	if total > 0 {
		*s = append(*s, float64(of)/float64(total))
	}
}

// String has the median, the ninth decile and the most, in per cent.
func (s spread) String() string {
	slices.Sort(s)
	at := func(part int) float64 { return 100 * s[(len(s)-1)*part/10] }
	return fmt.Sprintf("%d: median %.3f %%, of nine in ten at most %.3f %%, most %.3f %%", len(s), at(5), at(9), at(10))
}

// expectLone expects that a flow is alone or held back and nothing else, to 2 % of its time.
func expectLone(cause *result.Cause, text string) {
	GinkgoHelper()
	none := lossOf(cause) - cause.Parts[attribution.HeldBack]
	Expect(none).To(BeNumerically("<=", cause.Total()/50), "%s%v", text, cause.Parts)
	for _, part := range []attribution.Part{attribution.Shared, attribution.Unfair, attribution.Collision,
		attribution.Paused, attribution.Repair, attribution.Host} {
		Expect(cause.Parts[part]).To(BeZero(), "%v: %s%v", part, text, cause.Parts)
	}
}

var _ = Describe("a lone flow", func() {
	tryLone := func(seeds []uint64, most float64) {
		GinkgoHelper()
		var unresolved spread
		for _, algorithm := range algorithms() {
			for _, seed := range seeds {
				text := lone(algorithm, seed, most)
				cause := causeOf(lab.Do(lab.Plans(text)[0], lab.Options{}))
				expectLone(cause, text)
				unresolved.add(cause.Parts[attribution.Unresolved], cause.Total())
			}
		}
		GinkgoWriter.Println("unresolved of lone flows", unresolved)
	}
	It("is alone or held back by its algorithm, and nothing else", func() { tryLone([]uint64{1, 2, 3}, 500e3) })
})

// without returns a scenario of one flow of several.
func only(head string, flow string) string { return head + flow }

var _ = Describe("flows that contend by chance", func() {
	tryContended := func(seeds []uint64) {
		GinkgoHelper()
		var unresolved, ofFlows spread
		for _, seed := range seeds {
			head, flows := contended(seed, algorithms())
			run := lab.Do(lab.Plans(head + strings.Join(flows, ""))[0], lab.Options{Lossy: true})
			addsUp(run)
			var lost, total unit.Duration
			for i := range run.Why {
				cause := &run.Why[i]
				lost, total = lost+cause.Parts[attribution.Unresolved], total+cause.Total()
				ofFlows.add(cause.Parts[attribution.Unresolved], cause.Total())
				alone := causeOf(lab.Do(lab.Plans(only(head, flows[i]))[0], lab.Options{Lossy: true}))
				others := alone.Parts[attribution.Shared] + alone.Parts[attribution.Unfair] + alone.Parts[attribution.Collision]
				Expect(others).To(BeNumerically("<=", alone.Total()/1000), "%s%s%v", head, flows[i], alone.Parts)
			}
			unresolved.add(lost, total)
			Expect(lost).To(BeNumerically("<=", total/50), "%s%s", head, flows)
		}
		GinkgoWriter.Println("unresolved of runs", unresolved, "; of flows", ofFlows)
	}
	It("have parts that add up, nearly all resolved, and none of them others' when those are away", func() {
		tryContended([]uint64{1, 2, 3, 4})
	})
})
