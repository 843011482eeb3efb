package theory

import (
	"math"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
)

// Tier: everyday, and the rows with the label "slow" in the slow one.
func TestTheory(t *testing.T) { lab.Suite(t, "Theory", "theory") }

// Each row has a tolerance, a source and a cause, a name of its own and a line on the page; -rewrite writes what needs
// no run. Tier: -short.
func TestRowsAreFrozen(t *testing.T) {
	names := map[string]bool{}
	for _, s := range subjects {
		for _, r := range s.rows {
			if want := r.predicted(); !(want > 0) || math.IsInf(want, 0) {
				t.Errorf("%s: %v is predicted", r.name, want)
			}
			if names[r.name] || r.of == "" || r.source == "" || r.reason() == "" || !(r.tolerance > 0) {
				t.Errorf("%s: not unique, or without quantity, source, cause or tolerance", r.name)
			}
			names[r.name] = true
		}
	}
	for name := range misses {
		if !names[name] {
			t.Errorf("%s: there is no such row", name)
		}
	}
	if *rewrite {
		if err := writePage(); err != nil {
			t.Fatal(err)
		}
	}
	for _, problem := range pageProblems() {
		t.Error(problem)
	}
}

// The page is held to the rows after all of them, so that a mutant turns a row red by its tolerance alone.
var _ = AfterSuite(func() {
	if *rewrite {
		Expect(writePage()).To(Succeed())
		return
	}
	Expect(pageProblems()).To(BeEmpty())
})

var (
	_ = DescribeTable("a fixed point", hold, entries(fixedPoints))
	_ = DescribeTable("a queue", hold, entries(queueing))
	_ = DescribeTable("a share", hold, entries(shares))
	_ = DescribeTable("flow control", hold, entries(flowControl))
	_ = DescribeTable("a collective", hold, entries(collectives))
	_ = DescribeTable("chance and loss", hold, entries(losses))
)
