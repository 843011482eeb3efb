package timely

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/cctest"
)

// bottleneck lets flows that begin at the given rates, in Gb/s, share a link of
// 100 Gb/s for so many round trips: the queue grows by what is sent beyond the
// link's rate, and all see its delay one round trip late. It returns the rates
// and the RTT in us at the end.
func bottleneck(t *testing.T, params string, gbps []float64, rounds int) (rates []float64, rtt float64) {
	base := us(4.19)
	var flows []*flow
	for _, g := range gbps {
		s := start(t, params, cctest.Facts())
		s.setRate(g * 1e9)
		flows = append(flows, s)
	}
	queue, now := 0.0, base // ps of the link
	for range rounds {
		seen := now
		now = base + queue
		sum := 0.0
		for _, s := range flows {
			sum += s.rate
		}
		queue = max(0, queue+(sum/100e9-1)*now)
		for _, s := range flows {
			s.update(seen)
		}
	}
	for _, s := range flows {
		rates = append(rates, s.rate/1e9)
	}
	return rates, now / us(1)
}

// CoNEXT 2016, section 4.3: patched TIMELY has one fixed point, equal rates C/N
// and q* = q' + N delta q'/(beta C). Here the RTT takes the place of the queue:
// RTT* = RTT_ref (1 + N delta/(beta C)), with delta 100 Mb/s, beta 0.008 and
// C 100 Gb/s RTT_ref (1 + N/8).
func TestPatchedHasOneFixedPoint(t *testing.T) {
	for _, begin := range [][]float64{{80, 20}, {5, 60}, {70, 10, 10, 10}, {1, 2, 3, 4, 5, 6, 7, 8}} {
		t.Run(fmt.Sprint(begin), func(t *testing.T) {
			rates, rtt := bottleneck(t, "variant=patched", begin, 6000)
			n := float64(len(begin))
			for _, r := range rates {
				if math.Abs(r*n/100-1) > 0.01 {
					t.Errorf("%v: rates %.2f Gb/s, want %.2f each", begin, rates, 100/n)
					break
				}
			}
			if want := 8.38 * (1 + n/8); math.Abs(rtt/want-1) > 0.02 {
				t.Errorf("%v: RTT %.2f us, want %.2f", begin, rtt, want)
			}
		})
	}
}

// Zhu et al., section 4.2: the original rule is content with unequal rates, too:
// where both flows see the same gradient, both gain and lose alike.
func TestOriginalKeepsUnequalRates(t *testing.T) {
	rates, _ := bottleneck(t, "d_min_rtt=20us", []float64{80, 20}, 300)
	if rates[0] < 1.5*rates[1] {
		t.Errorf("rates %.2f Gb/s: no longer unequal", rates)
	}
}

// The patched rule orders the flows that see one RTT: the higher it is, the
// lower the next rate, all over the band.
func TestPatchedFallsWithRTT(t *testing.T) {
	last := math.Inf(1)
	for rtt := 8.4; rtt < 50; rtt += 0.1 {
		s := start(t, "variant=patched", cctest.Facts())
		s.rate = 30e9
		s.gradient = gradient{prevRTT: us(20), rttDiff: us(0.1), sampled: true}
		s.update(us(rtt))
		if s.rate > last {
			t.Fatalf("at %.1f us the rate is %v, at less it was %v", rtt, s.rate, last)
		}
		last = s.rate
	}
}
