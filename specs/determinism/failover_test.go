package determinism

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Sixty fabrics with failover, each drawn from its seed: no frame goes in circles, no byte is lost from the accounts,
// and the trace is that of a run with frames as bytes, on two workers, in shorter windows.
var _ = Describe("a fabric whose routes follow links that go down", Label("failover"), func() {
	for i, topology := range []string{lab.SmallTree, lab.SmallClos} {
		It(fmt.Sprintf("has no loop and gives the same run in all ways, in thirty fabrics of kind %d", i), func() {
			epochs, seen := 0, map[uint64]uint64{}
			for seed := range uint64(30) {
				p := lab.Plans(lab.Rerouted(topology, seed))[0]
				want := lab.Do(p, lab.Options{Lossy: true})
				for s := range want.Switches {
					epochs += len(p.Switches[s].Epochs)
					for port := range want.Switches[s].Ports {
						Expect(want.Switches[s].Ports[port].Drops[fabric.DropTTL]).To(BeZero(), "seed %d", seed)
					}
				}
				Expect(seen).NotTo(HaveKey(want.Trace), "seed %d", seed)
				seen[want.Trace] = seed
				o := lab.Options{Lossy: true}
				o.Workers, o.AllWorkers, o.Codec, o.Cut = 2+2*int(seed%2), true, true, fraction(3)(p.Lookahead())
				Expect(lab.Do(p, o).Trace).To(Equal(want.Trace), "seed %d", seed)
				Expect(lab.Do(p, lab.Options{Lossy: true}).Trace).To(Equal(want.Trace), "seed %d, again", seed)
			}
			Expect(epochs).To(BeNumerically(">", 300))
		})
	}
})
