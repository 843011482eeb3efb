package pidnn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Sampler takes one RTT sample at a time (thesis, section 3.2, Figure 6): the
// first packet sent after the ACK of the last sample is marked, and its ACK gives
// the next sample. So the algorithm runs once a round trip, whatever the rate.
//
// A marked packet that was sent twice does not give a sample, since go-back-N cannot tell which of the two was
// acknowledged; the next packet sent is marked instead.
//
// The zero value waits for the ACK of the first packet.
type Sampler struct {
	acked  unit.Bytes // payload acknowledged so far
	marked unit.Bytes // where the marked packet begins
}

// Sample takes in an event, of any kind, and returns the RTT if it is the ACK of
// the marked packet (equation 1, with T2 - T1 = 0).
func (s *Sampler) Sample(event *cc.Event) (rtt unit.Duration, ok bool) {
	s.acked += event.Acked
	if event.Kind != cc.EventAck || s.acked <= s.marked {
		return 0, false
	}
	s.marked = s.acked + event.Inflight
	return event.RTT, event.RTT > 0
}
