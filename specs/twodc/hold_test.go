package twodc

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// atKmin is proximal CNP that acts no sooner than receivers' marks begin, so that each
// near cut is followed by a receiver's CNP a loop of 1.2 ms later; blind is the same with five CNPs a message,
// whatever the flow sends: a flow that is below its share already is cut by every CNP too many.
const (
	atKmin = "proximal: {enabled: true, threshold: 5625KB, learning: {enabled: false}}"
	blind  = "proximal: {enabled: true, threshold: 5625KB, map: fixed, cnps: 5, learning: {enabled: false}}"
)

// Tier: everyday. Mutant: CNPs are held back for a loop of the point in place of one end to end. Then five CNPs a
// message come to 1.26 of the bound.
var _ = Describe("one feedback a congestion", Label("dci", "proximal"), func() {
	It("holds receivers' CNPs back for an end-to-end loop, so that even a trigger at Kmin leaves one job its bound",
		func() {
			for _, settings := range []string{atKmin, blind} {
				r := lab.Simulate(lab.OneJob + "switch: {" + settings + "}\n")
				Expect(ofBound(r)).To(BeNumerically("<=", 1.03), settings)
				Expect(lab.Metric("drops")(r)).To(BeZero(), settings)
				Expect(lab.Metric("discards_filtered")(r)).To(BeNumerically(">", 0), settings)
			}
		})
})
