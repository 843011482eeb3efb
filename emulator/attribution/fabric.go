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
}

// Fabric is a run to be divided. All series have bins of one width. Fill the exported fields, then call Prepare.
type Fabric struct {
	Width unit.Duration
	Bins  int
	Ports []Port
	Flows []Flow

	// busy and paused are the running sums of each port's series before each bin, in picoseconds.
	busy, paused [][]float64
	// own is the time that flows' data take at each port in each bin.
	own [][]float64
	// at are the flows of each port, roots the results of rootOf.
	at    [][]visitor
	roots map[int]int
	// fair is the fair share of each flow, in bit/s while it is active, from its first active bin on.
	fair []span
}

// visitor is a flow at a port, and the step of its way.
type visitor struct{ flow, step int32 }

// span are values of the bins from first on.
type span struct {
	first int
	of    []float64
}

func (s *span) at(bin int) float64 {
	if i := bin - s.first; i >= 0 && i < len(s.of) {
		return s.of[i]
	}
	return 0
}

// Prepare works out what all flows need: sums, and fair shares.
func (f *Fabric) Prepare() {
	ports := len(f.Ports)
	f.busy, f.paused, f.own = make([][]float64, ports), make([][]float64, ports), make([][]float64, ports)
	f.at, f.roots = make([][]visitor, ports), map[int]int{}
	for i := range f.Ports {
		f.busy[i], f.paused[i] = f.sums(f.Ports[i].Load), f.sums(f.Ports[i].Paused)
		f.own[i] = make([]float64, f.Bins)
	}
	for i := range f.Flows {
		flow := &f.Flows[i]
		if flow.Sends == nil {
			continue
		}
		for step := range flow.Way {
			port := flow.Way[step].Port
			f.at[port] = append(f.at[port], visitor{int32(i), int32(step)})
		}
		for bin := range flow.bins(f.Bins) {
			for _, step := range flow.Way {
				f.own[step.Port][bin] += f.ownTime(flow, step, bin)
			}
		}
	}
	f.share()
}

// bins yields the bins during which the flow was active.
func (f *Flow) bins(bins int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if f.Sends == nil {
			return
		}
		most := min(bins, max(f.Sends.Sending.Len(), f.Sends.PortBusy.Len(), f.Sends.Held.Len()))
		for bin := range most {
			if f.active(bin) > 0 && !yield(bin) {
				return
			}
		}
	}
}

// active returns how long the flow wanted to send in a bin, in picoseconds.
func (f *Flow) active(bin int) float64 {
	return float64(f.Sends.Sending.At(bin) + f.Sends.PortBusy.At(bin) + f.Sends.Held.At(bin))
}

// ownTime returns the time that a port needs for the data that the flow sends in a bin, in picoseconds.
func (f *Fabric) ownTime(flow *Flow, step Step, bin int) float64 {
	line := f.Ports[flow.Way[0].Port].Rate
	return float64(flow.Sends.Sending.At(bin)) * step.Share * float64(line) / float64(f.Ports[step.Port].Rate)
}

// sums are the sums of a series before each bin, and after the last one; nil of a nil series.
func (f *Fabric) sums(series *record.Series) []float64 {
	if series == nil {
		return nil
	}
	sums := make([]float64, f.Bins+1)
	for bin := range f.Bins {
		sums[bin+1] = sums[bin] + float64(series.At(bin))
	}
	return sums
}

// within returns the sum of a series within a bin that is shifted later by a delay; at the end of the run only the part
// of the bin that exists counts.
func (f *Fabric) within(sums []float64, bin int, delay unit.Duration) float64 {
	if sums == nil {
		return 0
	}
	return f.upTo(sums, bin+1, delay) - f.upTo(sums, bin, delay)
}

// upTo returns the sum of a series before a bin that is shifted later by a delay.
func (f *Fabric) upTo(sums []float64, bin int, delay unit.Duration) float64 {
	at := float64(bin) + float64(delay)/float64(f.Width)
	whole := unit.Whole[int](at)
	if whole >= f.Bins {
		return sums[f.Bins]
	}
	return sums[whole] + float64((at-float64(whole))*(sums[whole+1]-sums[whole]))
}
