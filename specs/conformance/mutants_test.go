package conformance

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
	kit "github.com/rocelab/rocelab/testbed/conformance"
)

const mutants = "../../testbed/conformance/testdata/mutants/"

var _ = Describe("algorithms that are wrong on purpose", Ordered, ContinueOnFailure, Label("mutant"), func() {
	var programs string

	BeforeAll(func() {
		programs = GinkgoT().TempDir()
		out, err := exec.Command("go", "build", "-o", programs, mutants+"deaf", mutants+"stuck", mutants+"clocked", mutants+"gossiping", mutants+"fused").CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", out)
	})

	subject := func(ctx context.Context, name string) kit.Subject {
		GinkgoHelper()
		here, err := os.Getwd()
		Expect(err).NotTo(HaveOccurred())
		s := kit.Subject{Program: filepath.Join(programs, name)}
		s.Source, err = kit.SourceOfProgram(ctx, s.Program, here)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	// all are the checks that a program without an excuse passes; the last two
	// of the kit have no bound.
	all := []string{"handshake", "parameters", "source", "repeat", "process", "build", "isolation", "fuzz", "reorder", "reaction", "recovery", "fairness"}

	DescribeTable("miss what they should, and pass the rest",
		func(ctx SpecContext, name string, missed, passed []string) {
			s := subject(ctx, name)
			r := check(ctx, s, one, append(append([]string(nil), missed...), passed...)...)
			Expect(r.Passed()).To(BeFalse())
			for _, c := range missed {
				Expect(r.Find(c).Result).To(Equal(kit.Miss), "%s: %+v", c, r.Find(c))
			}
			for _, c := range passed {
				Expect(r.Find(c).Result).To(Equal(kit.Pass), "%s: %+v", c, r.Find(c))
			}
		},
		Entry("one that ignores CNPs does not react", "deaf", []string{"reaction"}, []string{"handshake", "parameters", "isolation", "fuzz"}),
		Entry("one that never raises its rate does not recover, nor find its share", "stuck", []string{"recovery", "fairness"}, []string{"isolation", "fuzz", "reaction"}),
		Entry("one that uses the clock decides otherwise later, and elsewhere", "clocked", []string{"source", "repeat", "process"}, []string{"parameters", "fuzz"}),
		Entry("one that keeps state across flows decides otherwise without them", "gossiping", []string{"isolation"}, []string{"source", "repeat", "fuzz"}),
		Entry("one whose floats are fused shows it in its source", "fused", []string{"source"}, []string{"isolation", "fuzz", "process"}),
	)

	// The built programs differ where the processor has a fused multiply-add.
	It("are found by building them for other processors, where floats are fused", Label("slow"), func(ctx SpecContext) {
		lab.SkipUnlessSlow()
		row := check(ctx, subject(ctx, "fused"), one, "build").Find("build")
		if row.Result == kit.NotChecked {
			Skip(row.Remark)
		}
		Expect(row.Result).To(Equal(kit.Miss))
		Expect(row.Remark).To(ContainSubstring("built at GOAMD64=v3"))
	})

	It("miss nothing that has no part in their fault", Label("slow"), func(ctx SpecContext) {
		lab.SkipUnlessSlow()
		expected := map[string][]string{"deaf": {"reaction"}, "stuck": {"recovery", "fairness"}, "gossiping": {"process", "build", "isolation"}}
		for _, name := range []string{"deaf", "stuck", "gossiping"} {
			for _, row := range check(ctx, subject(ctx, name), nil, all...).Checks {
				want := Equal(kit.Pass)
				if slices.Contains(expected[name], row.Check) {
					want = Equal(kit.Miss)
				}
				Expect(row.Result).To(Or(want, Equal(kit.NotChecked)), "%s: %+v", name, row)
			}
		}
	})
})
