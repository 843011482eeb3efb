package lab

import (
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/specs/tier"
)

// Slow is the label of specs that take long: ROCELAB_SLOW=only runs only specs with it.
const Slow = "slow"

// SkipUnlessSlow skips a spec that takes long, unless ROCELAB_SLOW asks for it. A spec without the label Slow fails
// in every tier, since ROCELAB_SLOW=only would never run it.
func SkipUnlessSlow() {
	spec := ginkgo.CurrentSpecReport()
	isSpec := spec.LeafNodeType == types.NodeTypeIt
	if isSpec && !slices.Contains(spec.Labels(), Slow) && !slices.Contains(suiteLabels, Slow) {
		ginkgo.Fail(`a spec that takes long lacks the label "slow"`, 1)
	}
	tier.Slow(ginkgo.GinkgoT(1))
}

// SkipUnlessNight skips a spec that takes very long, unless ROCELAB_NIGHT=1 asks
// for it. Such specs carry the label "night".
func SkipUnlessNight() { tier.Night(ginkgo.GinkgoT(1)) }
