package theory

import (
	"math"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Sizes in bytes. A frame of a full packet of 1000 B of payload has 14 + 20 + 8 + 12 + 4 B of headers; on the wire 24 B
// of FCS, preamble and gap are added, and RETH adds 16 B in the first frame of a message. An ACK has AETH.
const (
	payload  = 1000
	overhead = 24
	frame    = payload + 58
	onWire   = frame + overhead
	first    = onWire + 16
	ackWire  = 62 + overhead
	// Those of algorithms with time stamps, and of HPCC with a record for each switch.
	stamped, stampedAck = onWire + 16, ackWire + 20
)

// us is the time in us of bytes at a rate in Gb/s.
func us(bytes, gbps float64) float64 { return bytes * 8 / gbps / 1000 }

// baseRTT is the time in us of a packet and its ACK over a number of links of 1 us on an empty fabric.
func baseRTT(links, data, ack, gbps float64) float64 {
	return links * (2 + us(data, gbps) + us(ack, gbps))
}

// runs remembers the runs by their scenario, for rows that look at the same one.
var runs = map[string]*lab.Run{}

// planOf is the only plan of a scenario, with pauses, headroom and alpha as with version 5 of the models, by which the
// figures were recorded: pauses are obeyed at once.
func planOf(yaml string) *plan.Plan {
	p := lab.Plans(yaml)[0]
	for i := range p.Switches {
		s := &p.Switches[i].Profile
		s.HeadroomRule, s.PauseResponse, s.AlphaRate = profile.Frames, 0, 100*unit.Gbps
	}
	for i := range p.NICs {
		p.NICs[i].Profile.PauseResponse = 0
	}
	return p
}

// simulate runs a scenario once; the run may lose frames.
func simulate(yaml string) *lab.Run {
	if runs[yaml] == nil {
		runs[yaml] = lab.Do(planOf(yaml), lab.Options{Lossy: true})
	}
	return runs[yaml]
}

// span is the part of a run between two instants, as the difference of two runs that end at them: the longer one
// begins as the shorter one does.
type span struct {
	early, late *lab.Run
}

// between runs a scenario up to two instants, in ms.
func between(yaml string, from, to string) span {
	return span{simulate(yaml + "run: {until: " + from + "}\n"), simulate(yaml + "run: {until: " + to + "}\n")}
}

// seconds is the length of the span.
func (s span) seconds() float64 { return s.late.End.Sub(s.early.End).Seconds() }

// queue is a data queue of a switch's port in both runs.
func (s span) queue(place, port, class int) (early, late *record.Queue) {
	return s.early.Switches[place].Ports[port].Queues.At(class), s.late.Switches[place].Ports[port].Queues.At(class)
}

// meanWait is the mean wait in us of the frames that left the port of the first switch in the span.
func (s span) meanWait(port int) float64 {
	a, b := s.queue(0, port, 3)
	frames := float64(b.Wait.Count()) - float64(a.Wait.Count())
	return (b.Wait.Total() - a.Wait.Total()) / frames / float64(unit.Microsecond)
}

// meanQueue is the mean length in bytes of that queue: by Little's law, of frames that are all full.
func (s span) meanQueue(port int) float64 {
	a, b := s.queue(0, port, 3)
	return (b.Wait.Total() - a.Wait.Total()) / float64(unit.Second) / s.seconds() * frame
}

// markedShare is the share of the frames that left that queue in the span which it marked.
func (s span) markedShare(port int) float64 {
	a, b := s.queue(0, port, 3)
	return float64(b.Marked-a.Marked) / float64(b.Markable-a.Markable)
}

// busy is the share of the span during which a port of a switch transmitted.
func (s span) busy(place, port int) float64 {
	from, to := s.early.Switches[place].Ports[port].Busy, s.late.Switches[place].Ports[port].Busy
	return (to - from).Seconds() / s.seconds()
}

// wireRate is the rate of a flow in the span, in Gb/s of the wire with the given bytes a packet.
func (s span) wireRate(flow int, wire float64) float64 {
	acked := s.late.Flows[flow].Sender.Acked - s.early.Flows[flow].Sender.Acked
	return float64(acked) * wire / payload * 8 / s.seconds() / 1e9
}

// solve finds the x between low and high at which a rising function is 0, by halving.
func solve(low, high float64, f func(float64) float64) float64 {
	for range 200 {
		x := (low + high) / 2
		if f(x) < 0 {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}

// mean of a list.
func mean(list []float64) (m float64) {
	for _, v := range list {
		m += v / float64(len(list))
	}
	return m
}

// deviation is the standard deviation of a list.
func deviation(list []float64) float64 {
	m, sum := mean(list), 0.0
	for _, v := range list {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(list)-1))
}
