package attribution

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port is a port on the way of flows.
type Port struct {
	Rate unit.BitRate
	// Load is the transmission time in each bin, Paused the time during which its peer held one of its classes by PFC,
	// both in picoseconds; Paused is nil if the port was never paused.
	Load, Paused *record.Series
	// Weights are the DWRR weights of its queues, and Strict marks the queues of strict priority; both are nil for a
	// port with a single queue.
	Weights []int
	Strict  []bool
}

// queueOf returns the queue in which frames sorted into a given one wait.
func (p *Port) queueOf(queue int) int {
	if p.Weights == nil {
		return 0
	}
	return queue
}

// weightOf is the weight of a queue.
func (p *Port) weightOf(queue int) float64 {
	if p.Weights == nil {
		return 1
	}
	return float64(p.Weights[queue])
}

func (p *Port) strict(queue int) bool { return p.Strict != nil && p.Strict[queue] }

// Step is a port on the way of a flow.
type Step struct {
	// Port is the port's number in Fabric.Ports, Queue the number of the queue there in which the flow's frames wait.
	Port, Queue int
	// Hop counts from the NIC, which has 0.
	Hop int
	// Share is the part of the flow's frames that goes here: 1 unless switches spread them.
	Share float64
	// Delay is the time from a packet's first bit at the NIC to that at the port, on empty queues.
	Delay unit.Duration
}

// Flow is a flow that ran.
type Flow struct {
	Spent record.Spent
	Sends *record.SendSeries
	// Way has the ports on its way, that of its NIC first.
	Way []Step
	// Packet is the time that the NIC takes to send a full-size packet.
	Packet unit.Duration
	// Travel is the time from the end of the last packet at the NIC to its ACK, on empty queues.
	Travel unit.Duration
	// Beside returns the ways from a port of Way on by the other members of its ECMP group; nil for none.
	Beside func(step int) [][]Step

	// first is the first bin of its activity; Fabric.Bins for none.
	first int
}

// Fabric is a run to be divided. All series have bins of one width. Fill the exported fields, then call Prepare.
type Fabric struct {
	Width unit.Duration
	Bins  int
	Ports []Port
	Flows []Flow

	// busy and paused are the running sums of each port's series before each bin, in picoseconds: see busyAt and
	// pausedAt.
	busy, paused [][]float64
	// own is the time that flows' data take at each port in each bin, nil for a port without flows.
	own [][]float64
	// at are the flows of each port, roots the results of rootOf.
	at    [][]visitor
	roots map[int]int
	// fair is the fair share of each flow, in bit/s while it is active, by period; periodOf is the period of each bin.
	fair     []span
	periodOf []int32
	// times and views are room for the bins of one flow.
	times []int64
	views []view
}

// visitor is a flow at a port, and the step of its way.
type visitor struct{ flow, step int32 }

// span are values of the bins, or of the periods, from first on.
type span struct {
	first int
	of    []float64
}

// Prepare works out what all flows need: sums, and fair shares.
func (f *Fabric) Prepare() {
	ports := len(f.Ports)
	f.busy, f.paused, f.own = make([][]float64, ports), make([][]float64, ports), make([][]float64, ports)
	f.at, f.roots = make([][]visitor, ports), map[int]int{}
	f.times = make([]int64, f.Bins)
	changed := make([]bool, f.Bins+1)
	for i := range f.Flows {
		flow := &f.Flows[i]
		flow.first = flow.findFirst(f.Bins)
		times := f.activity(flow)
		f.addOwn(i, len(times))
		markChanges(times, changed[flow.first:])
	}
	f.share(changed)
}

// addOwn adds what a flow sends in the bins from its first one on to the time that its ports need.
func (f *Fabric) addOwn(number, bins int) {
	flow := &f.Flows[number]
	if flow.Sends == nil {
		return
	}
	for n := range flow.Way {
		step := &flow.Way[n]
		f.at[step.Port] = append(f.at[step.Port], visitor{int32(number), int32(n)})
		if f.own[step.Port] == nil {
			f.own[step.Port] = make([]float64, f.Bins)
		}
		own, line, rate := f.own[step.Port][flow.first:], f.lineRate(flow), float64(f.Ports[step.Port].Rate)
		for i, units := range within(&flow.Sends.Sending, flow.first, bins) {
			own[i] += ownTime(float64(value(&flow.Sends.Sending, units)), step, line, rate)
		}
	}
}

// lineRate is the rate of a flow's NIC, in bit/s.
func (f *Fabric) lineRate(flow *Flow) float64 { return float64(f.Ports[flow.Way[0].Port].Rate) }

// sending returns how long the flow sent in a bin, in picoseconds.
func (f *Flow) sending(bin int) float64 { return float64(f.Sends.Sending.At(bin)) }

// ownTime returns the time that a port with a rate needs for the data that a NIC with a line rate sends in a given
// time.
func ownTime(sending float64, step *Step, line, rate float64) float64 {
	return sending * step.Share * line / rate
}

// active returns how long the flow wanted to send in a bin, in picoseconds.
func (f *Flow) active(bin int) float64 {
	return float64(f.Sends.Sending.At(bin) + f.Sends.PortBusy.At(bin) + f.Sends.Held.At(bin))
}

// states are the series of the states of a flow that wants to send.
func (f *Flow) states() [3]*record.Series {
	return [...]*record.Series{&f.Sends.Sending, &f.Sends.PortBusy, &f.Sends.Held}
}

// findFirst returns the first bin of the flow's activity, out of a number of bins; that number for none.
func (f *Flow) findFirst(bins int) int {
	if f.Sends == nil {
		return bins
	}
	for _, s := range f.states() {
		for bin, units := range s.Bins[:min(bins, len(s.Bins))] {
			if units != 0 {
				bins = bin
				break
			}
		}
	}
	return bins
}

// activity returns how long a flow wanted to send in each bin from its first one on, in picoseconds. It is valid up to
// the next call.
func (f *Fabric) activity(flow *Flow) []int64 {
	if flow.first == f.Bins {
		return nil
	}
	end := 0
	for _, s := range flow.states() {
		end = max(end, min(f.Bins, len(s.Bins)))
	}
	times := f.times[:end-flow.first]
	clear(times)
	for _, s := range flow.states() {
		for i, units := range within(s, flow.first, len(times)) {
			times[i] += value(s, units)
		}
	}
	return times
}

// within are up to a number of bins of a series, from the given one on.
func within(s *record.Series, first, bins int) []uint32 {
	return s.Bins[min(first, len(s.Bins)):min(first+bins, len(s.Bins))]
}

// value is the value of a bin of a series, given in the units of its bins.
func value(s *record.Series, units uint32) int64 { return int64(units) << (s.Shift & 63) }

// busyAt are the sums of a port's transmission times before each bin, nil if they are not recorded.
func (f *Fabric) busyAt(port int) []float64 {
	if f.busy[port] == nil {
		f.busy[port] = f.sums(f.Ports[port].Load)
	}
	return f.busy[port]
}

// pausedAt are the sums of a port's pauses before each bin, nil if there were none.
func (f *Fabric) pausedAt(port int) []float64 {
	if f.paused[port] == nil && f.Ports[port].Paused.Len() > 0 {
		f.paused[port] = f.sums(f.Ports[port].Paused)
	}
	return f.paused[port]
}

// sums are the sums of a series before each bin, and after the last one; nil of a nil series.
func (f *Fabric) sums(series *record.Series) []float64 {
	if series == nil {
		return nil
	}
	sums := make([]float64, f.Bins+1)
	sum, recorded := 0.0, min(f.Bins, len(series.Bins))
	for bin, units := range series.Bins[:recorded] {
		sums[bin] = sum
		sum += float64(value(series, units))
	}
	for bin := recorded; bin <= f.Bins; bin++ {
		sums[bin] = sum
	}
	return sums
}

// shift is a delay in bins.
func (f *Fabric) shift(delay unit.Duration) float64 { return float64(delay) / float64(f.Width) }

// during returns the sum of a series within a bin that is shifted later; at the end of the run only the part of the bin
// that exists counts.
func (f *Fabric) during(sums []float64, bin int, shift float64) float64 {
	if sums == nil {
		return 0
	}
	return f.upTo(sums, bin+1, shift) - f.upTo(sums, bin, shift)
}

// upTo returns the sum of a series before a bin that is shifted later.
func (f *Fabric) upTo(sums []float64, bin int, shift float64) float64 {
	at := float64(bin) + shift
	whole := unit.Whole[int](at)
	if whole >= f.Bins {
		return sums[f.Bins]
	}
	edges := sums[whole : whole+2]
	return edges[0] + float64((at-float64(whole))*(edges[1]-edges[0]))
}
