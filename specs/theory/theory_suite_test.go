package theory

import (
	"math"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// Tier: everyday, and the rows with the label "slow" in the slow one.
func TestTheory(t *testing.T) { lab.Suite(t, "Theory", "theory") }

// Each row has a tolerance, a source and a cause, a name of its own, a mutant if it fits, and a line on the page;
// -rewrite writes the parts that need no run.
func TestRowsAreFrozen(t *testing.T) {
	mutants, err := mutant.Sources("../..", "theory")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			for _, r := range s.rows {
				if want := r.predicted(); !(want > 0) || math.IsInf(want, 0) {
					t.Errorf("%s: %v is predicted", r.name, want)
				}
				if names[r.name] || r.of == "" || r.source == "" || r.reason() == "" || !(r.tolerance > 0) {
					t.Errorf("%s: not unique, or without quantity, source, cause or tolerance", r.name)
				}
				names[r.name] = true
				guarded := slices.ContainsFunc(mutants, func(m mutant.Source) bool { return m.Rule == s.of+" "+r.name })
				if !guarded && misses[r.name] == "" {
					t.Errorf("%s: specs/mutant has nothing that turns it red", r.name)
				}
			}
		})
	}
	for name := range misses {
		t.Run(name, func(t *testing.T) {
			if !names[name] {
				t.Errorf("%s: there is no such row", name)
			}
		})
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

// The page is compared with the rows after all of them, so that a mutant turns a row red only by its tolerance.
var _ = AfterSuite(func() {
	if *rewrite {
		Expect(writePage()).To(Succeed())
		return
	}
	Expect(pageProblems()).To(BeEmpty())
})

// The tables, one a subject.
var _ = func() bool {
	for _, s := range subjects {
		DescribeTable(s.of, hold, entries(s.rows))
	}
	return true
}()
