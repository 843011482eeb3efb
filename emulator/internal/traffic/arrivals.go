package traffic

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// MeanGap returns the mean time between the starts of a host's flows that loads a line of rate C by the share load,
// given the mean flow size. Load is of payload.
//
//	gap = 8 x mean / (load x C)
//
// Source: the traffic generator of the public simulator of HPCC.
func MeanGap(mean, load float64, line unit.BitRate) unit.Duration {
	return max(1, unit.Whole[unit.Duration](mean*8e12/(load*float64(line))))
}

// Events returns how many times an operation of the given bytes must happen within span for the load of that share of
// the rate, to the nearest number: 0 if one is already too many by more than half of it.
//
//	events = load x C x span / (8 x bytes)
//
// Source: LSTM+PIDNN thesis, section 4.4.2, whose printed formula lacks the 8.
func Events(load float64, rate unit.BitRate, span unit.Duration, bytes float64) int64 {
	const most = 1 << 62 // what an int64 holds
	events := load * float64(rate) * float64(span) / float64(8e12*bytes)
	return unit.Whole[int64](min(events, most) + 0.5)
}

// poisson gives each sender flows at exponential gaps, the first a gap after the start, as long as they are due before
// Until. Gaps, sizes and destinations come from three streams of each host, so that another distribution does not
// change destinations, and another load only stretches the arrivals.
//
// Differs from the public generator: that one drops a host's last flow, whose
// next gap passes the end, which makes one flow in 300 at 30 % load and 10 ms.
func (e *Entry) poisson(seed uint64, host func(int) string) []plan.Flow {
	var flows []plan.Flow
	for i, src := range e.Senders {
		stream := func(what string) *chance.Stream {
			return chance.New(seed, "traffic/"+e.Name+"/"+what+"/"+host(src))
		}
		gaps, sizes, destinations := stream("gap"), stream("size"), stream("destination")
		at := e.Start
		for k := 0; ; k++ {
			gap := float64(e.Gaps[i]) * gaps.Exponential()
			if gap >= float64(e.Until.Sub(at)) {
				break
			}
			at = at.Add(unit.Whole[unit.Duration](gap))
			to := int(destinations.Below(uint64(len(e.Senders) - 1)))
			if to >= i {
				to++
			}
			f := e.flow(src, e.Senders[to], host)
			f.Name = fmt.Sprintf("%s/%d", f.Name, k)
			f.Start, f.Size = at, e.Sizes.draw(sizes)
			flows = append(flows, f)
		}
	}
	return flows
}

// incast returns the pairs of one event: from all senders, or the ones drawn for it, to the receivers. A drawn receiver
// is one of the senders.
func (e *Entry) incast(seed uint64, event int) []pair {
	senders, receivers := e.Senders, e.Receivers
	if e.SendersPerEvent > 0 {
		stream := chance.New(seed, fmt.Sprintf("traffic/%s/event/%d", e.Name, event))
		pool := make([]int, len(e.Senders))
		copy(pool, e.Senders)
		stream.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		if len(receivers) == 0 {
			receivers, pool = pool[:1], pool[1:]
		}
		senders = pool[:e.SendersPerEvent]
	}
	var pairs []pair
	for _, s := range senders {
		for _, r := range receivers {
			if s != r {
				pairs = append(pairs, pair{s, r, len(pairs)})
			}
		}
	}
	return pairs
}
