package collectives

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// sites are two data centres of eight NICs at four leaves each, 120 km apart, without any trouble: links above the
// leaves have room for any choice of ECMP.
func sites(method string, bytes int) string {
	return fmt.Sprintf(`
algorithm: none
topology: {kind: two-dc, scale: 1/64, rate: 100Gbps, uplink_rate: 800Gbps, dci_rate: 800Gbps}
switch: {buffer: 1GB, pfc: {enabled: false}}
nic: {ack_every: 64, rto: {floor: 20ms, initial: 20ms}}
traffic: [{operation: all-reduce, method: %s, size: %dB, iterations: 2, compute: %dus}]
`, method, bytes, compute)
}

const site = 8 // ranks

// The ways of a last packet, in us: under one leaf, over a spine to the next, and over the spines of both sites to the
// other. Links between switches are eight times as fast as the NICs'.
const (
	inLeaf    = way
	overSpine = 4 + 1082*8e-5*(1+2./8)
	overFibre = 600 + 4 + 1082*8e-5*(1+3./8)
	back      = 600 + 4 + 86*8e-5*(1+3./8) // of an ACK
)

// byGroups is the least time by groups. A piece comes around the ring of its site
// in seven steps, goes over the fibre, and around the ring of the other. Of the
// eight ways of a ring four stay under a leaf; of two times eight, a piece leaves
// one of either kind out. Nor is a rank done before what it sent over the fibre
// is acknowledged.
func byGroups(bytes int) float64 {
	step := wire(bytes / site)
	return max(15*step+7*(inLeaf+overSpine)+overFibre, 8*step+3*inLeaf+4*overSpine+overFibre+back)
}

// byRing is that of one ring through both sites: a piece goes around twice, less
// two steps, and twice a round over the fibre; the last message over it wants its
// ACK, too.
func byRing(bytes int) float64 {
	return 30*wire(bytes/2/site) + 15*inLeaf + 11*overSpine + 4*overFibre + back
}

// overDCI returns the volume that the spines of the given site sent to the other in each of the two iterations, in
// bytes of frames without FCS.
func overDCI(r *lab.Run, site string) (bytes uint64) {
	for i := range r.Plan.Switches {
		s := &r.Plan.Switches[i]
		if strings.HasPrefix(s.Name, site+"-spine") {
			for port := 4; port < len(s.Links); port++ { // those before go to its four leaves
				bytes += r.Switches[i].Ports[port].TxBytes
			}
		}
	}
	return bytes / 2
}

// frames are the bytes of messages with their ACKs: Ethernet, IPv4, UDP, BTH
// and ICRC in each packet, RETH in a message's first; an ACK of 62 B for 64 packets
// and for the last.
func frames(messages, bytes int) int {
	packets := bytes / 1000
	return messages * (packets*1058 + 16 + (packets+63)/64*62)
}

var _ = Describe("an all-reduce over two sites", func() {
	It("by groups crosses the fibre once, with its size each way, where a ring waits for it four times", func() {
		t := lab.NewTable("method", "size/B", "least/us", "measured/us", "a to b/B", "b to a/B")
		for _, x := range []struct {
			method              string
			bytes               int
			least               float64
			messages, ofMessage int // over the fibre, each way
		}{
			// While the pieces go around, ACKs come back over the fibre: the smaller
			// size waits for these, the larger does not.
			{"hierarchical", 800_000, byGroups(800_000), site, 800_000 / site},
			{"hierarchical", 8_000_000, byGroups(8_000_000), site, 8_000_000 / site},
			{"ring", 800_000, byRing(800_000), 30, 800_000 / 2 / site},
			{"ring", 8_000_000, byRing(8_000_000), 30, 8_000_000 / 2 / site},
		} {
			r := lab.Simulate(sites(x.method, x.bytes))
			took := r.Summary.Collective.P50
			t.Row(x.method, x.bytes, fmt.Sprintf("%.3f", x.least), fmt.Sprintf("%.3f", took), overDCI(r, "a"), overDCI(r, "b"))
			Expect(r.Summary.IterationsDone).To(BeEquivalentTo(2))
			Expect(r.Summary.Drops).To(BeZero())
			Expect(took).To(And(BeNumerically(">=", x.least), BeNumerically("<=", x.least*(1+slack)+last)), x.method)
			for _, from := range []string{"a", "b"} {
				Expect(overDCI(r, from)).To(BeEquivalentTo(frames(x.messages, x.ofMessage)), "%s from %s", x.method, from)
			}
		}
		t.Report("sites")
	})
})
