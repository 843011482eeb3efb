package attribution

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port is a port on the way of flows.
type Port struct {
	Rate unit.BitRate
	// Load is how long it transmitted in each bin, Paused how long its peer held one of its classes by PFC, in
	// picoseconds; Paused is nil if it never did.
	Load, Paused *record.Series
	// Weights are those of its queues in a round of DWRR, and Strict has those of strict priority; both are nil of a port
	// whose frames all wait in one queue.
	Weights []int
	Strict  []bool
}

// queueOf is the queue in which frames wait that are sorted into one.
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
	// Port is its number in Fabric.Ports, Queue that of the queue there in which the flow's frames wait.
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
	// Packet is how long the NIC sends a full-size packet.
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

	// busy and paused are what each port's series add up to before each bin, in picoseconds.
	busy, paused [][]float64
	// own is how long the data of flows take at each port in each bin.
	own [][]float64
	// at are the flows of each port, roots are those that rootOf found.
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

// bins yields the bins in which the flow was active.
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

// active is how long the flow wanted to send in a bin, in picoseconds.
func (f *Flow) active(bin int) float64 {
	return float64(f.Sends.Sending.At(bin) + f.Sends.PortBusy.At(bin) + f.Sends.Held.At(bin))
}

// ownTime is how long a port takes for what the flow sends in a bin, in picoseconds.
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

// within is what a series adds up to in a bin that is looked at later by a delay; at the end of the run as much of the
// bin as there is.
func (f *Fabric) within(sums []float64, bin int, delay unit.Duration) float64 {
	if sums == nil {
		return 0
	}
	return f.upTo(sums, bin+1, delay) - f.upTo(sums, bin, delay)
}

// upTo is what a series adds up to before a bin that is looked at later by a delay.
func (f *Fabric) upTo(sums []float64, bin int, delay unit.Duration) float64 {
	at := float64(bin) + float64(delay)/float64(f.Width)
	whole := unit.Whole[int](at)
	if whole >= f.Bins {
		return sums[f.Bins]
	}
	return sums[whole] + float64((at-float64(whole))*(sums[whole+1]-sums[whole]))
}
