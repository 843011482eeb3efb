package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// window is the time over which alpha = fraction counts. The first opens with
// the first CNP, which sets alpha and is not counted. A window closes with the
// first ACK that comes alpha_period or later after its start, and the next one
// opens.
type window struct {
	from  unit.Time
	cnps  int
	acked unit.Bytes
}

// acknowledged counts the packets of an ACK, and closes the window if it is due:
//
//	F = CNPs / packets
//	alpha = (1-g) alpha + g F
//
// A packet is one MTU of acknowledged payload.
func (r *rates) acknowledged(event *cc.Event) {
	r.window.acked += event.Acked
	if !r.limited || r.window.acked <= 0 || event.Now < r.window.from.Add(r.alphaPeriod) {
		return
	}
	fraction := min(1, float64(r.window.cnps)*float64(r.mtu)/float64(r.window.acked))
	r.alpha = float64((1-r.g)*r.alpha) + float64(r.g*fraction)
	r.window = window{from: event.Now}
}
