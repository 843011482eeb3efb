package recovery

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("a sender without a window", Label("faults"), func() {
	// Control: clocks that count only resent packets. They do not include the packets on their way when the link goes
	// down, or the ones that come in its last flight.
	It("is without a route for as long as it sends into a link that is down behind the switch", func() {
		r := lab.Do(lab.Plans(`
name: void
topology: {kind: star, hosts: 2, rate: 100Gbps}
algorithm: none
traffic: [{from: h0, to: h1, size: 10MB}]
faults: [{link: h1-s0, down: 100us, up: 300us}]
run: {limit: 50ms}
`)[0], lab.Options{Lossy: true})
		spent := r.Flows[0].Sender.Spent
		Expect(spent[record.NoRoute]).To(BeNumerically("~", 200*unit.Microsecond, 2*unit.Microsecond))
		Expect(spent[record.Repairing]).To(BeNumerically(">", 0))
		Expect(spent.Total()).To(Equal(r.Flows[0].Sender.Completed.Sub(r.Flows[0].Sender.Started)))
	})
})
