package rxe

import (
	"fmt"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/specs/rxe/guest"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// Without rocelab between them: what the machines can do by themselves, so that what
// they cannot do across it is not theirs.
var _ = Describe("Two machines with soft-RoCE on one bridge", Ordered, func() {
	var m *machines
	var path string
	server := addresses[1].Addr()

	BeforeAll(func(ctx SpecContext) {
		path = space()
		taps := [2]*os.File{tap(path, "rxe0", jumbo), tap(path, "rxe1", jumbo)}
		Expect(netns.In(path, func() error { return bridge("rxe0", "rxe1") })).To(Succeed())
		m = boot(ctx, taps, addresses, jumbo)
	})

	for _, tool := range []string{"ib_write_bw", "ib_send_bw", "ib_read_bw"} {
		for _, mtu := range []int{1024, 4096} {
			It(fmt.Sprintf("run %s with an MTU of %d", tool, mtu), func() {
				said := m.perftest(server, tool, bounded, fmt.Sprintf("-s 65536 -n 50 -m %d", mtu))
				expectDone(said, 65536, 50)
			})
		}
	}

	// So does the codec of rocelab what it will be given: the ICRC of each frame is right.
	It("send frames that the codec decodes, ECN-capable where a tool says so", func() {
		before, stop := received(m[1]), listen(path, "rxe1")
		m.perftest(server, "ib_write_bw", bounded, "-s 4096 -n 100 -m 1024", marked)
		h, after := stop(), received(m[1])
		Expect(h.strays).To(BeZero())
		Expect(h.data).To(BeNumerically(">=", 400))
		Expect(h.roce).To(BeNumerically(">", h.data), "acknowledgements come on top")
		Expect(after["InECT0Pkts"] - before["InECT0Pkts"]).To(BeNumerically(">=", 400))
		Expect(after).To(HaveKeyWithValue("InCEPkts", 0))
	})

	It("run rping, and every byte is right", func() {
		Expect(strings.Count(m.rping(server, 10, 4096), "ping data: rdma-ping-")).To(Equal(10))
	})

	It("say how commands end", func() {
		Expect(m[0].Run(time.Minute, "echo said; echo complained >&2; exit 3")).
			To(Equal(guest.Output{Text: "said\ncomplained\n", Status: 3}))
		out, err := m[0].Run(time.Second, "sleep 60")
		Expect(err).NotTo(HaveOccurred())
		Expect(out.Status).To(Equal(137))
		_, err = m[0].Run(time.Second, "true\ntrue")
		Expect(err).To(MatchError(ContainSubstring("a command is one line")))
	})

	It("are named when they are gone", func() {
		Expect(m[1].Close()).To(Succeed())
		_, err := m[1].Run(time.Minute, "true")
		Expect(err).To(MatchError(ContainSubstring(`command "true" in a virtual machine: it has ended`)))
		Expect(m[1].Close()).To(Succeed())
	})
})

// bridge joins interfaces of the current namespace.
func bridge(names ...string) error {
	b := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "rxe-br", MTU: jumbo}}
	if err := netlink.LinkAdd(b); err != nil {
		return err
	}
	for _, name := range names {
		i, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetMaster(i, b); err != nil {
			return err
		}
	}
	return netlink.LinkSetUp(b)
}
