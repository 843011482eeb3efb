package pidnn

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func us(v float64) unit.Duration { return unit.Duration(v * float64(unit.Microsecond)) }

// Section 3.2, Figure 6: D1 gives a sample, D2 to D4, which left before its ACK
// came, give none, D5 does.
func TestSampler(t *testing.T) {
	var s Sampler
	for i, c := range []struct {
		kind            cc.EventKind
		acked, inflight unit.Bytes
		rtt             float64
		want            float64
	}{
		{cc.EventStart, 0, 0, 0, 0},
		{cc.EventAck, 1000, 3000, 4.2, 4.2}, // D1; D2 to D4 are on their way
		{cc.EventAck, 1000, 3000, 4.3, 0},   // D2; D5 has left
		{cc.EventAck, 1000, 2000, 4.4, 0},   // D3
		{cc.EventAck, 1000, 1000, 4.5, 0},   // D4
		{cc.EventAck, 1000, 2000, 4.6, 4.6}, // D5; D6 and D7 are on their way
		{cc.EventAck, 3000, 0, 9, 9},        // one ACK for D6 to D8 counts for the newest
		{cc.EventAck, 1000, 2000, 0, 0},     // D9 was sent twice: D10 and D11 are on their way
		{cc.EventNak, 1000, 1000, 5, 0},     // no ACK, but it acknowledges D10
		{cc.EventAck, 1000, 1000, 5, 0},     // D11
		{cc.EventAck, 1000, 1000, 5.1, 5.1}, // D12, sent after the ACK of D9
		{cc.EventAck, 0, 1000, 0, 0},        // an ACK of nothing new
	} {
		t.Run(fmt.Sprintf("kind=%v,acked=%v,inflight=%v,rtt=%v", c.kind, c.acked, c.inflight, c.rtt), func(t *testing.T) {
			e := cc.Event{Kind: c.kind, Acked: c.acked, Inflight: c.inflight, RTT: us(c.rtt)}
			if rtt, ok := s.Sample(&e); ok != (c.want > 0) || ok && rtt != us(c.want) {
				t.Errorf("event %d: sample %v, %v, want %vus", i, rtt, ok, c.want)
			}
		})
	}
}
