package lab

import (
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Suite runs the specs of a folder. With `go test -v` it is as verbose as with
// -ginkgo.v, so that tables are printed.
func Suite(t *testing.T, name string) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.Verbose = reporter.Verbose || testing.Verbose()
	ginkgo.RunSpecs(t, name, suite, reporter)
}
