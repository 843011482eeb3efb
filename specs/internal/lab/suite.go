package lab

import (
	"slices"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
)

// suiteLabels are the labels of the suite that runs.
var suiteLabels []string

// Suite runs the specs of a folder. With `go test -v` it is as verbose as with -ginkgo.v, so that tables are printed.
// In tier -short only specs with the label "short" run: quick ones, without root; with ROCELAB_SLOW=only the specs with
// the label "slow". The labels apply to all specs of the folder.
func Suite(t *testing.T, name string, labels ...string) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.Verbose = reporter.Verbose || testing.Verbose()
	suiteLabels = labels
	switch {
	case suite.LabelFilter != "":
	case testing.Short():
		suite.LabelFilter = "short"
	case tier.OnlySlow():
		suite.LabelFilter = Slow
	}
	ginkgo.RunSpecs(t, name, ginkgo.Label(labels...), suite, reporter)
}

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
