package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// stamper writes in-band telemetry at an egress port (Li et al., HPCC, SIGCOMM
// 2019, section 3.2): what the port has sent and what it leaves behind in all of
// its queues, both without the packet itself, at the instant of dequeueing, as
// the public RDMA simulator stamps.
type stamper struct {
	telemetry.Stamper
	// on says that the port stamps: the switch does and the rate can be told.
	on bool
}

func newStamper(on bool, rate unit.BitRate) stamper {
	if !on || !telemetry.Stampable(rate) {
		return stamper{}
	}
	return stamper{telemetry.NewStamper(rate), true}
}

// stamp adds the port's record to a frame that asks for it. Only data do: what
// an ACK carries is an echo.
func (s *Switch) stamp(p *port, q *queue, f *wire.Frame) {
	if f.Extension() != wire.ExtINT || !p.stamper.on {
		return
	}
	queued := q.bytes
	for others := p.busy &^ (1 << (q.index & 7)); others != 0; others &= others - 1 {
		queued += p.queues[bits.TrailingZeros8(others)&7].bytes
	}
	f.Rare.INT.Push(p.stamper.Stamp(s.now, p.sent, queued))
}
