package swift

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// share lets flows of one packet per ACK take turns at a link of 100 Gb/s: each
// has its window in flight, packets leave the link in the order of a fluid
// queue, one ACK in proportion to the flow's share. It returns windows and RTT.
func share(t *testing.T, params string, windows []float64, rounds int) (cwnds []float64, rtt float64) {
	const packet = 0.08784 // us on the link, 1098 B
	const base = 4.19
	var flows []*flow
	for _, w := range windows {
		s := start(t, params, cctest.Facts())
		s.fabric.cwnd = w
		flows = append(flows, s)
	}
	now := 0.0
	rtt = base
	for range rounds {
		sum := 0.0
		for _, s := range flows {
			sum += s.cwnd()
		}
		seen := rtt
		rtt = max(base, sum*packet)
		now += rtt
		for _, s := range flows { // a round trip acknowledges each its window
			e := cc.Event{Kind: cc.EventAck, Now: unit.Time(duration(now)), RTT: duration(seen),
				Acked: unit.Bytes(s.cwnd() * 1000)}
			s.Handle(&e, &s.d)
		}
	}
	for _, s := range flows {
		cwnds = append(cwnds, s.cwnd())
	}
	return cwnds, rtt
}

// Section 3.5: flow scaling gives smaller windows longer targets, so that
// unequal windows meet, and the RTT settles at the target of the equal share.
func TestWindowsBecomeEqual(t *testing.T) {
	for _, begin := range [][]float64{{60, 3}, {40, 1, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8}} {
		t.Run(fmt.Sprint(begin), func(t *testing.T) {
			cwnds, rtt := share(t, "", begin, 4000)
			mean := 0.0
			for _, w := range cwnds {
				mean += w / float64(len(cwnds))
			}
			for _, w := range cwnds {
				if math.Abs(w/mean-1) > 0.05 {
					t.Errorf("%v: windows %.2f", begin, cwnds)
					break
				}
			}
			target := start(t, "", cctest.Facts()).flowTarget(mean)/us(1) + 8.1
			if math.Abs(rtt/target-1) > 0.15 {
				t.Errorf("%v: RTT %.2f us, target %.2f", begin, rtt, target)
			}
		})
	}
}

// A longer queue never leaves a larger window, from one state to the next.
func TestFallsWithDelay(t *testing.T) {
	for _, cwnd := range []float64{0.3, 1, 5, 40} {
		t.Run(fmt.Sprintf("cwnd=%v", cwnd), func(t *testing.T) {
			last := math.Inf(1)
			for rtt := 4.2; rtt < 80; rtt += 0.1 {
				s := start(t, "", cctest.Facts())
				s.fabric.cwnd = cwnd
				s.ack(1000, rtt, 0, 1)
				if s.cwnd() > last {
					t.Fatalf("cwnd %v, RTT %.1f us: %v, at less it was %v", cwnd, rtt, s.cwnd(), last)
				}
				last = s.cwnd()
			}
		})
	}
}
