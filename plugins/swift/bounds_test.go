package swift

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Whatever comes, the windows keep their bounds, a NIC accepts every decision, and there is a gap if and only if the
// window is below one packet.
func TestBounds(t *testing.T) {
	for _, params := range []string{"", "ai=1000 beta=10 max_mdf=1",
		"endpoint_target=1ns endpoint_gain=1 min_cwnd=0.000001", "max_cwnd=3 fs_range=1s"} {
		t.Run(fmt.Sprintf("%q", params), func(t *testing.T) {
			s := start(t, params, cctest.Facts())
			c := chance.New(3, "bounds")
			e := cc.Event{}
			for range 20_000 {
				e.Kind = []cc.EventKind{cc.EventAck, cc.EventAck, cc.EventAck, cc.EventNak, cc.EventTimeout,
					cc.EventCNP}[c.Below(6)]
				e.Now = e.Now.Add(unit.Duration(c.Below(1 << c.Below(34))))
				e.RTT = unit.Duration(c.Between(-10_000, 1<<c.Between(20, 34)))
				e.RemoteDelay = unit.Duration(c.Between(-10_000, 1<<c.Between(14, 30)))
				e.Acked = unit.Bytes(c.Below(9000))
				s.Handle(&e, &s.d)
				for _, w := range []window{s.fabric, s.end} {
					if !(w.cwnd >= w.minCwnd && w.cwnd <= w.most) || w.tLastDecrease > e.Now {
						t.Fatalf("%q: %+v after %+v", params, w, e)
					}
				}
				if s.d.Rate != 100*unit.Gbps || s.d.Window < 1 || s.d.Gap < 0 || (s.d.Gap > 0) != (s.cwnd() < 1) {
					t.Fatalf("%q: cwnd %v, decision %+v", params, s.cwnd(), s.d)
				}
			}
		})
	}
}

func TestHandleAllocatesNothing(t *testing.T) {
	s := start(t, "", cctest.Facts())
	e := cc.Event{Kind: cc.EventAck, Acked: 1000}
	if n := testing.AllocsPerRun(100, func() {
		e.Now, e.RTT = e.Now.Add(unit.Microsecond), e.RTT%(20*unit.Microsecond)+unit.Microsecond
		s.Handle(&e, &s.d)
	}); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
}

// An ACK at the sender, around the target.
func BenchmarkAck(b *testing.B) {
	s := start(b, "", cctest.Facts())
	e := cc.Event{Kind: cc.EventAck, Acked: 1000, RemoteDelay: 100 * unit.Nanosecond}
	for b.Loop() {
		e.Now = e.Now.Add(200 * unit.Nanosecond)
		e.RTT = e.RTT%(12*unit.Microsecond) + 4*unit.Microsecond
		s.Handle(&e, &s.d)
	}
}
