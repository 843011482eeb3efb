package veth

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func setMTU(e netns.End, mtu int) error {
	return netns.In(e.Namespace, func() error {
		l, err := netlink.LinkByName(e.Interface)
		if err != nil {
			return err
		}
		return netlink.LinkSetMTU(l, mtu)
	})
}

// dropped counts the frames that an interface did not take.
func dropped(e netns.End) (n uint64) {
	netns.In(e.Namespace, func() error {
		c, err := packet.ReadCounters(e.Interface)
		n = c.RxDropped
		return err
	})
	return n
}

var _ = Describe("a frame that the kernel drops on a link", Label("veth"), func() {
	It("ends the run with the link's name, though none of the run is missing", func() {
		p := lab.Plans(single)[0]
		number, name := linkOf(p, 1)
		var x *stranger
		var answer atomic.Pointer[error]
		long := tooLong(p)
		m := &meddler{at: halfway, with: func([]byte) int {
			err := x.send(long)
			answer.Store(&err)
			return 1
		}}
		b := deploy(p, veth.Config{})
		man := tamperWith(b, number, m.tamper)
		// At his end he may send more than the end of the node takes.
		before := man.Ends[0]
		if b.Links[number].B.Node == "h1" {
			before = man.Ends[1]
		}
		Expect(setMTU(before, len(long))).To(Succeed())
		x = enter(before)

		_, err := b.Run(context.Background(), p, veth.Options{})
		Expect(answer.Load()).NotTo(BeNil())
		Expect(*answer.Load()).To(MatchError(unix.ENOBUFS))
		Expect(err).To(MatchError(ContainSubstring("link " + name + ": the kernel lost frames at roce0: rx_dropped +1")))

		expectSame(inMemory(p), runOn(b, p, veth.Options{}), "after a run that failed")
	})

	It("changes nothing when it is one of the run, refused by the far end and sent again", func() {
		p := lab.Plans(single)[0]
		number, _ := linkOf(p, 0)
		var end netns.End
		var mended sync.WaitGroup
		var failed atomic.Pointer[error]
		var mtu int
		m := &meddler{at: halfway, with: func([]byte) int {
			// From here on h1 accepts no data frames, until it has refused one.
			err := setMTU(end, mtu/4)
			mended.Go(func() {
				for began := time.Now(); err == nil && dropped(end) == 0 && time.Since(began) < 10*time.Second; {
					time.Sleep(time.Millisecond)
				}
				if err = errors.Join(err, setMTU(end, mtu)); err != nil {
					failed.Store(&err)
				}
			})
			return 1
		}}
		b := deploy(p, veth.Config{})
		tamperWith(b, number, m.tamper)
		mtu = int(b.MTU)
		n, _ := b.Node("h1")
		end = netns.End{Namespace: b.Containers[n.Container].NetNS, Interface: n.Interfaces[0]}
		r := runOn(b, p, veth.Options{})
		mended.Wait()
		Expect(failed.Load()).To(BeNil())
		Expect(dropped(end)).To(BeNumerically(">", 0))
		expectSame(inMemory(p), r, "with a frame sent twice")
	})
})

// tooLong is a foreign frame that no interface of a testbed takes.
func tooLong(p *plan.Plan) []byte {
	longest := 0
	for _, f := range foreignFrames(p) {
		longest = max(longest, len(f))
	}
	return append(foreignFrames(p)[0], make([]byte, longest)...)
}
