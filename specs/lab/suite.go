package lab

import (
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Suite runs the specs of a folder. With `go test -v` it is as verbose as with
// -ginkgo.v, so that tables are printed. In tier -short only specs with the label
// "short" run: quick ones, without root. Labels are those of all specs of the folder.
func Suite(t *testing.T, name string, labels ...string) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.Verbose = reporter.Verbose || testing.Verbose()
	if testing.Short() && suite.LabelFilter == "" {
		suite.LabelFilter = "short"
	}
	ginkgo.RunSpecs(t, name, ginkgo.Label(labels...), suite, reporter)
}
