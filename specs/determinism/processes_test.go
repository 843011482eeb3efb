package determinism

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/program"
)

var _ = Describe("a run with its algorithm as a process", Label("proximal", "process"), func() {
	It("is that with the algorithm built in, in which switches send CNPs too", func() {
		folder := GinkgoT().TempDir()
		Expect(program.Build(folder, []string{"plugins/shipped/cc-dcqcn"})).To(Succeed())
		r := registry.New(registry.Config{Folders: []string{folder}, Mode: registry.Process})
		DeferCleanup(r.Close)
		for _, yaml := range []string{lab.TwoDC, lab.TwoDCPauses, lab.TwoDCRates} {
			p := lab.Plans(yaml)[0]
			want := fingerprintOf(p, plain())
			for _, codec := range []bool{false, true} {
				o := lab.Options{Algorithms: r.Find}
				o.Workers, o.AllWorkers, o.Codec = 2, true, codec
				c := criteria(want, fingerprintOf(p, o), p.Name)
				Expect(c.Missed).To(BeEmpty())
			}
		}
	})
})
