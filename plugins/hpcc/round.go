package hpcc

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// round decides when the reference may move: with the first ACK beyond what had
// been sent when it last did (Algorithm 1, lines 22 and 24), in bytes of payload.
type round struct{ una, nxt, lastUpdate unit.Bytes }

// take notes what an event acknowledges. Going back takes nxt back too.
func (r *round) take(event *cc.Event) {
	r.una += event.Acked
	r.nxt = r.una + event.Inflight
}

func (r *round) over() bool { return r.una > r.lastUpdate }

// begin is line 24. If the sender went back, the round ends where it would have ended.
func (r *round) begin() { r.lastUpdate = max(r.lastUpdate, r.nxt) }

// beginFirst begins the first round. An ACK that cannot be compared does not begin another one: if each packet took its
// own path no round would end.
func (r *round) beginFirst() {
	if r.lastUpdate == 0 {
		r.begin()
	}
}
