package conformance

import (
	"context"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/lab"
	kit "github.com/rocelab/rocelab/testbed/conformance"
)

// check runs the kit, under its own seeds or those given.
func check(ctx context.Context, s kit.Subject, seeds []uint64, checks ...string) *kit.Report {
	GinkgoHelper()
	r, err := kit.Run(ctx, s, kit.Options{Companions: shipped.Find, Seeds: seeds, Checks: checks})
	Expect(err).NotTo(HaveOccurred())
	return r
}

// subject is a shipped algorithm with its source.
func subject(ctx context.Context, name string) kit.Subject {
	GinkgoHelper()
	a, ok := shipped.Find(name)
	Expect(ok).To(BeTrue())
	s := kit.Subject{Builtin: a, Shipped: true}
	here, err := os.Getwd()
	Expect(err).NotTo(HaveOccurred())
	s.Source, err = kit.SourceOfShipped(ctx, name, filepath.Join(here, "../.."))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// one seed does where the long specs take all.
var one = []uint64{1}

// quick are the checks that need no build and no long run.
var quick = []string{"parameters", "isolation", "fuzz", "reorder", "reaction", "fairness"}

var _ = Describe("algorithms that ship", func() {
	for _, a := range shipped.All() {
		name := a.Describe().Name

		It(name+" keeps the contract and controls congestion, or its miss is documented", Label(name), func(ctx SpecContext) {
			r := check(ctx, subject(ctx, name), one, quick...)
			for _, row := range r.Checks {
				switch row.Result {
				case kit.Pass:
					Expect(row.Remark).NotTo(ContainSubstring("no longer missed"))
				case kit.Documented:
				case kit.Exempt:
					Expect(r.Uncontrolled).To(BeTrue())
				default:
					Fail(row.Check + ": " + string(row.Result) + ": " + row.Figure + " " + row.Remark)
				}
			}
		})

		It(name+" passes every check, as a program too and built for other processors", Label(name, "slow"), func(ctx SpecContext) {
			lab.SkipUnlessSlow()
			r := check(ctx, subject(ctx, name), nil)
			table := lab.NewTable("check", "result", "figure", "allowed")
			for _, row := range r.Checks {
				table.Row(row.Check, row.Result, row.Figure, row.Allowed)
				Expect(row.Result).NotTo(Equal(kit.Miss), "%s: %s %s", row.Check, row.Figure, row.Remark)
			}
			for _, needed := range []string{"handshake", "source", "repeat", "process"} {
				Expect(r.Find(needed).Result).To(Equal(kit.Pass), needed)
			}
			table.Report(name + ": conformance")
		})
	}
})
