package lab

import (
	"testing"

	"github.com/onsi/ginkgo/v2"
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
