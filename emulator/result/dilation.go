package result

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
)

// NeededReference returns the least R that makes such a lateness green.
func NeededReference(late *record.Lateness) (reference time.Duration) {
	for i := range timeBounds {
		green := &timeBounds[i].green
		needed := times(late.Quantile(timeBounds[i].q), green.den)
		reference = max(reference, time.Duration((needed+green.num-1)/green.num))
	}
	return reference
}

// RoundDilation returns the least of 1, 2, 5, 10, 20, 50 and so on that is not below a value. Range of it: to 1e18.
func RoundDilation(value float64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, step := range []int64{1, 2, 5} {
			if float64(step*power) >= value {
				return step * power
			}
		}
	}
}

// greenDilation returns the dilation that makes the measured lateness green at all edges: R grows with it, and the
// host's delays do not. It is 0 if no frame was too late, if R is not known, and above
// mostDilation.
func (t *Timing) greenDilation() int64 {
	needed := time.Duration(0)
	for i := range t.Edges {
		needed = max(needed, NeededReference(&t.Edges[i].Lateness), NeededReference(&t.Edges[i].Taken))
	}
	if t.Reference <= 0 || needed <= t.Reference {
		return 0
	}
	k := float64(needed) / float64(t.Reference) * float64(t.Dilation)
	if k > mostDilation {
		return 0
	}
	return RoundDilation(k)
}

// mostDilation is the largest dilation that --dilate takes.
const mostDilation = 1_000_000

// advice names the dilation that would have made the lateness green, and its flag; "" if there is none.
func (t *Timing) advice() string {
	k := t.greenDilation()
	if k == 0 {
		return ""
	}
	text := fmt.Sprintf("with --dilate %d this lateness would have been green: R would be %s on the wall", k,
		WallTime(times(t.Reference.Nanoseconds(), k)/t.Dilation))
	if len(t.Standstills) > 0 {
		text += "; a standstill is not green with any dilation"
	}
	return text
}
