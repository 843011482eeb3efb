package determinism

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Each kind of fault changes the run, and is the same with any number of workers, with frames as bytes, and in windows
// of any length.
var _ = Describe("a fabric in which something breaks", Label("faults"), func() {
	It("gives the same run in all ways, and another than one in which nothing does", func() {
		plans := lab.Plans(lab.Broken)
		seen := map[uint64]string{}
		for _, p := range plans {
			want := lab.Do(p, lab.Options{Lossy: true}).Trace
			Expect(seen).NotTo(HaveKey(want), "%s, and %s", p.Name, seen[want])
			seen[want] = p.Name
			for _, workers := range []int{1, 2, 4} {
				o := lab.Options{Lossy: true}
				o.Workers, o.AllWorkers, o.Codec = workers, true, workers != 2
				if workers == 4 {
					o.Cut = fraction(3)(p.Lookahead())
				}
				Expect(lab.Do(p, o).Trace).To(Equal(want), "%s, %d workers", p.Name, workers)
			}
		}
	})
})
