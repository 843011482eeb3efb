package lab

import (
	"github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/specs/tier"
)

// SkipUnlessSlow skips a spec that takes long, unless ROCELAB_SLOW=1 asks for
// it. Such specs carry the label "slow".
func SkipUnlessSlow() { tier.Slow(ginkgo.GinkgoT(1)) }

// SkipUnlessNight skips a spec that takes very long, unless ROCELAB_NIGHT=1 asks
// for it. Such specs carry the label "night".
func SkipUnlessNight() { tier.Night(ginkgo.GinkgoT(1)) }
