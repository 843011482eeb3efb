package veth

import (
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/internal/middle"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

var _ = Describe("a man in the middle", Label("veth"), func() {
	It("sees every frame of his link, and changes nothing by himself", func() {
		const number = 4
		p := lab.Load("../scenarios/incast.yaml", map[string]string{
			"traffic.size": "50KB", "topology.hosts": "5", "traffic.senders": "4", "traffic.receiver": "h4",
		})[0]
		want := inMemory(p)
		var seen [2]atomic.Uint64
		b := deploy(p, veth.Config{})
		tamperWith(b, number, func(direction int, _ []byte) int {
			seen[direction].Add(1)
			return 1
		})
		expectSame(want, runOn(b, p, veth.Options{}), "with a man in the middle of link %d", number)
		port := &want.Switches[0].Ports[number]
		Expect([]uint64{seen[0].Load(), seen[1].Load()}).To(ConsistOf(port.TxFrames, port.RxFrames))
	})

	It("is refused where there is no link", func() {
		s := &veth.State{Links: make([]veth.LinkState, 17)}
		_, err := middle.Enter(s, 17, nil)
		Expect(err).To(MatchError(ContainSubstring("link 17: there are 17 links")))
	})
})
