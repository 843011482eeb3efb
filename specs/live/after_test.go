package live

import (
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

var _ = Describe("a device that sends before a run and after it", Label("live", "slow"), func() {
	BeforeEach(func() { lab.SkipUnlessSlow() })

	// There is no listener then, and the kernel counts each frame as dropped. Controls: a daemon that closes its
	// sockets before it reads the devices' drops; a testbed that reads earlier drops before it opens the sockets.
	// Frames after the last window are in package device's TestWhatWaitsIsNotLost.
	DescribeTable("loses nothing of the run, whatever it sends", func(frame []byte) {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 2*time.Second, "")
		b := deploy(p, veth.Pool)
		from, over, sending := port(hosts[0]), make(chan bool), sync.WaitGroup{}
		stop := sync.OnceFunc(func() {
			close(over)
			sending.Wait()
		})
		defer stop()
		sending.Go(func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(100 * time.Microsecond):
					for range 10 {
						from.Send(frame)
					}
					from.Flush()
				}
			}
		})
		got := runLive(b, p, veth.Options{Dilation: 1})
		time.Sleep(time.Second)
		stop()
		report("a device that sends all the time", got)
		Expect(got.Time.Edges[0].Received).To(BeNumerically(">", 100))
		change(middle, "out0", func(l netlink.Link) error {
			Expect(l.Attrs().Statistics.RxDropped).To(BeNumerically(">", 100), "what came when nobody listened")
			return nil
		})
		for i := range got.Time.Edges {
			Expect(got.Time.Edges[i].Lost[result.Dropped]).To(BeZero())
		}
	},
		Entry("frames of a protocol that the kernel does not know", ethernet(0xBEEF, nil)),
		Entry("such frames with a tag", ethernet(0x8100, []byte{0, 5, 0xBE, 0xEF})),
	)
})
