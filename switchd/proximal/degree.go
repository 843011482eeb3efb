package proximal

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Reading is the content of a message about a congested port.
type Reading struct {
	// Depth is q1, Before q0, Elapsed the time t1 - t0 between the two.
	Depth, Before unit.Bytes
	Elapsed       unit.Duration
	// Rate is C, what the port drains.
	Rate unit.BitRate
	// Usage is the share of the buffer in use. Range 0 to 1.
	Usage float64
	// Threshold is the length above which the queue counts as congested, Kmax the length from which on it counts as
	// fully congested.
	Threshold, Kmax unit.Bytes
	// Live is N, the number of flows with bytes in the queue. Range in a message: 0 to 65535; 0 means that no flows
	// are known.
	Live int
	// Level is the share of Rate for each of the flows that send most, if the flows that send less keep their rates:
	// see Census.Level. Range 0 to 1.
	Level float64
}

// Fair returns what each of the queue's flows may send so that the queue drains
// to its threshold:
//
//	fair = C/N x drain, drain = clamp( 1 - 8 (q1 - threshold) / (1 ms x C), 1/2, 1 )
//
// and 0 if the reading has no flows, or no rate. The flows with bytes in the queue share the port: a queue of 75 us and
// more, as the usual threshold is, has bytes of every flow that sends a packet in that time, and a flow with less
// leaves its share to the others. A flow that ends is gone with its last byte.
func (r *Reading) Fair() unit.BitRate {
	if r.Live <= 0 || r.Rate <= 0 {
		return 0
	}
	return unit.Whole[unit.BitRate](float64(r.Rate) / float64(r.Live) * r.drain())
}

// drainTime is the minimum time for the flows to drain a queue down to its threshold; leastDrain is the share of a port
// that they use meanwhile.
const (
	drainTime  = unit.Millisecond
	leastDrain = 0.5
)

func (r *Reading) drain() float64 {
	return clamp(1-8*float64(r.Depth-r.Threshold)/(drainTime.Seconds()*float64(r.Rate)), leastDrain, 1)
}

// Degree returns how congested the port is, from 0 to 1, without regard to
// where it is heading:
//
//	d = max( clamp((q1 - Threshold) / (Kmax - Threshold)), clamp((usage - 0.5) / 0.4) )
func (r *Reading) Degree() float64 {
	queue := 1.0
	if r.Kmax > r.Threshold {
		queue = clamp(float64(r.Depth-r.Threshold)/float64(r.Kmax-r.Threshold), 0, 1)
	} else if r.Depth <= r.Threshold {
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
//	r = clamp( (C - 8 (q1 - Threshold) / within) / A, 1/8, 1 )
//
// known is false if the reading has no slope, or if the queue is not above its threshold, so that only the buffer is
// short.
//
// within is the feedback loop, or the interval between messages if that is longer. To drain a queue in the microseconds
// of a near loop would idle the port for the rest of the interval, since no sender learns meanwhile that it is drained.
func (r *Reading) Wanted(within unit.Duration) (factor float64, known bool) {
	if r.Elapsed <= 0 || within <= 0 || r.Depth <= r.Threshold {
		return 1, false
	}
	c := float64(r.Rate)
	arriving := c + 8*float64(r.Depth-r.Before)/r.Elapsed.Seconds()
	if arriving <= 0 {
		return 1, true
	}
	return clamp((c-8*float64(r.Depth-r.Threshold)/within.Seconds())/arriving, leastLeft, 1), true
}

const (
	// linearCNPs is the number of CNPs of a full degree in the linear map.
	linearCNPs = 3
	// LeastShare is the share of a queue below which a flow is ignored by the maps that do not know its rate, linear
	// and fixed, and by pauses.
	LeastShare = 0.01
	// fairEnough is the part of its rate from which on a flow is ignored by the map that does.
	fairEnough = 0.97
)

// CNPs returns how many a flow gets that has the given share of the queue, the
// largest share of a flow there being largest.
//
//	fair     the most cuts that leave r = fair / rate, none from r = 0.97 on
//	linear   n = ceil( 3 d share / largest )
//	fixed    n = prof.CNPs
//
// and prof.MaxCNPs at most. The fair map gives none while the flow's rate is not
// known.
func (e *Entry) CNPs(now unit.Time, prof *profile.Proximal, reading *Reading, share, largest float64) (n int) {
	switch {
	case prof.Map == profile.MapFair:
		rate, known := e.Meter.Rate(now)
		if left := float64(reading.Fair()) / float64(rate); known && left > 0 && left < fairEnough {
			n = e.Cuts(now, left, prof)
		}
	case share < LeastShare:
	case prof.Map == profile.MapFixed:
		n = prof.CNPs
	case prof.Map == profile.MapLinear:
		for want := linearCNPs * reading.Degree() * share / largest; float64(n) < want; {
			n++
		}
	}
	return min(n, prof.MaxCNPs)
}

func clamp(v, low, high float64) float64 { return max(low, min(high, v)) }
