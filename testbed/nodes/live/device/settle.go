package device

import (
	"os"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Settle returns the number of frames that the interface itself has lost since before, beside the losses in Counters;
// the file is one of packet.OpenDrops, of the interface's namespace. It reads and discards the frames still in the
// ring, since the kernel may count these as dropped, too: Settle ends the port's work. It comes before Close, after
// which the kernel drops frames without another listener. An interface that is gone counts as 0.
func (p *Port) Settle(drops *os.File, before packet.Drops) (lost uint64) {
	c := p.Counters()
	name, err := packet.InterfaceName(p.fd)
	if err != nil {
		return 0
	}
	now, err := packet.ReadDrops(drops, name)
	if err != nil {
		return 0
	}
	p.drain(time.Now().UnixNano())
	had := packet.Drops{In: p.counters.Unclaimed, Out: c.NoBuffer + c.Refused} // which count among the dropped
	for _, way := range [][3]uint64{{now.In, before.In, had.In}, {now.Out, before.Out, had.Out}} {
		if more := way[1] + way[2]; way[0] > more {
			lost += way[0] - more
		}
	}
	return lost
}

// drain gives back what came in up to an instant of CLOCK_REALTIME in ns, once around the ring at most.
func (p *Port) drain(until int64) {
	for range len(p.ring.Mem) / p.ring.Slot {
		if _, stamp, ok := p.Next(); !ok || stamp > until {
			return
		}
		p.held, p.cutter = nil, offload.Cutter{}
		p.giveBack()
	}
}
