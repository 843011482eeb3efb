package switchd

import (
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// delayed is a frame between its last bit and its eligibility at the egress.
// It holds its memory and counts in its queue's length meanwhile.
type delayed struct {
	entry
	port  uint16
	queue uint8
}

// pipeline holds frames for the switch's latency, which is the same for all of them, so that they become eligible in
// the order of their arrival.
type pipeline struct {
	fifo.Queue[delayed]
	latency unit.Duration
}

// next returns when the oldest frame becomes eligible, unit.Never if there is
// none.
func (l *pipeline) next() unit.Time {
	if l.Empty() {
		return unit.Never
	}
	return l.First().at.Add(l.latency)
}
