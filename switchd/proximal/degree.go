package proximal

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Reading is what a message says of a congested port.
type Reading struct {
	// Depth is q1, Before q0, Elapsed the time t1 - t0 between the two.
	Depth, Before unit.Bytes
	Elapsed       unit.Duration
	// Rate is C, what the port drains.
	Rate unit.BitRate
	// Usage is the share of the buffer in use. Range 0 to 1.
	Usage float64
	// Kmin and Kmax are the marking profile's; Kmin is the threshold above which
	// the queue counts as congested.
	Kmin, Kmax unit.Bytes
}

// Degree returns how congested the port is, from 0 to 1, without regard to
// where it is heading:
//
//	d = max( clamp((q1 - Kmin) / (Kmax - Kmin)), clamp((usage - 0.5) / 0.4) )
func (r *Reading) Degree() float64 {
	queue := 1.0
	if r.Kmax > r.Kmin {
		queue = clamp(float64(r.Depth-r.Kmin)/float64(r.Kmax-r.Kmin), 0, 1)
	} else if r.Depth <= r.Kmin {
		queue = 0
	}
	return max(queue, clamp((r.Usage-0.5)/0.4, 0, 1))
}

// leastLeft is the least share of its rate that one message leaves a sender.
const leastLeft = 1.0 / 8

// Wanted returns the factor r by which the arrivals must change so that the
// queue is back at its threshold after within:
//
//	A = C + 8 (q1 - q0) / (t1 - t0)
//	r = clamp( (C - 8 (q1 - Kmin) / within) / A, 1/8, 1 )
//
// known is false if the reading has no slope, or if the queue is not above its
// threshold, so that the buffer alone is what is short.
//
// within is the feedback loop, or the interval between messages where that is
// longer. To drain a queue in the microseconds of a near loop would idle the port
// for the rest of the interval, since nobody is told meanwhile that it is drained.
func (r *Reading) Wanted(within unit.Duration) (factor float64, known bool) {
	if r.Elapsed <= 0 || within <= 0 || r.Depth <= r.Kmin {
		return 1, false
	}
	c := float64(r.Rate)
	arriving := c + 8*float64(r.Depth-r.Before)/r.Elapsed.Seconds()
	if arriving <= 0 {
		return 1, true
	}
	return clamp((c-8*float64(r.Depth-r.Kmin)/within.Seconds())/arriving, leastLeft, 1), true
}

// linearCNPs is the number of CNPs of a full degree in the linear map.
const linearCNPs = 3

// leastShare is the share of a queue below which a flow is left alone.
const leastShare = 0.01

// CNPs returns how many a flow gets that has the given share of the queue, the
// largest share of a flow there being largest.
//
//	slope    n = ceil( ln r / ln(1 - alpha/2) ), the cuts that leave no more than r
//	linear   n = ceil( 3 d share / largest )
//	fixed    n = prof.CNPs
//
// and prof.MaxCNPs at most. The slope map falls back on the linear one where r is
// not known. alpha is the value at the sender's reaction point, which each CNP
// raises: alpha = (1-g) alpha + g.
func CNPs(prof *profile.Proximal, reading *Reading, loop unit.Duration, alpha, share, largest float64) int {
	if share < leastShare {
		return 0
	}
	n := 0
	switch prof.Map {
	case profile.MapFixed:
		n = prof.CNPs
	case profile.MapSlope:
		if wanted, known := reading.Wanted(max(loop, prof.Interval)); known {
			n = cuts(wanted, alpha, prof.Gain, prof.MaxCNPs)
			break
		}
		fallthrough
	case profile.MapLinear:
		for want := linearCNPs * reading.Degree() * share / largest; float64(n) < want; {
			n++
		}
	}
	return min(n, prof.MaxCNPs)
}

// cuts returns the least n for which n cuts leave no more than wanted, most at
// the most.
func cuts(wanted, alpha, gain float64, most int) (n int) {
	for left := 1.0; left > wanted && n < most; n++ {
		left *= 1 - float64(alpha/2)
		alpha = float64((1-gain)*alpha) + gain
	}
	return n
}

func clamp(v, low, high float64) float64 { return max(low, min(high, v)) }
