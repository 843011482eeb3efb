package profile

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// WAN is a long-haul path: what lies between the two ports that it joins.
// Direction 0 is from its port 0 to its port 1, direction 1 the other one.
type WAN struct {
	// Length is the fibre's at the start of the run, in either direction; for
	// reports, the delays follow from Phases.
	Length [2]unit.Length
	// Phases are the settings over time, in the order of time; the first begins at 0.
	Phases []WANPhase
	// Flaps are the spans during which the path carries no light, in the order of time, with gaps between them.
	Flaps []fabric.Outage
}

// WANPhase is a state of a long-haul path.
type WANPhase struct {
	From unit.Time
	// Delay is from the first bit out of the port at one end to the first bit
	// in at the other, in each direction.
	Delay [2]unit.Duration
	// Jitter is the longest extra delay of a frame; each draws its own, evenly from 0 to Jitter, and none overtakes
	// another. Default 0.
	Jitter unit.Duration
	// Loss is the channel by which frames are lost.
	Loss WANLoss
}

// WANLoss is the channel of Gilbert (1960) and Elliott (1963): two states, each with a probability of losing a frame,
// and the probability that a frame is the last one in the state. Losses are independent in a channel that never leaves
// the good state.
type WANLoss struct {
	// Good and Bad are the probabilities of loss in the two states, Enter the
	// probability of going from good to bad after a frame, Leave of going back. Range:
	// 0 to 1. Default 0.
	Good, Bad, Enter, Leave float64
}

// Mean returns the share of frames that are lost in the long run. Elliott
// (1963): P(bad) = Enter / (Enter + Leave).
func (l *WANLoss) Mean() float64 {
	if l.Enter == 0 {
		return l.Good
	}
	bad := l.Enter / (l.Enter + l.Leave)
	return float64(bad*l.Bad) + float64((1-bad)*l.Good)
}

// Lossless reports whether the path never loses a frame, in none of its phases
// and for want of light neither.
func (w *WAN) Lossless() bool {
	for i := range w.Phases {
		if l := &w.Phases[i].Loss; l.Good > 0 || l.Enter > 0 && l.Bad > 0 {
			return false
		}
	}
	return len(w.Flaps) == 0
}

// LongestDelay returns the most that a frame is under way in a direction, jitter
// included.
func (w *WAN) LongestDelay(direction int) unit.Duration {
	most := unit.Duration(0)
	for i := range w.Phases {
		most = max(most, w.Phases[i].Delay[direction]+w.Phases[i].Jitter)
	}
	return most
}

// ShortestDelay returns the least delay of all phases and directions.
func (w *WAN) ShortestDelay() unit.Duration {
	least := unit.Duration(unit.Never)
	for i := range w.Phases {
		least = min(least, w.Phases[i].Delay[0], w.Phases[i].Delay[1])
	}
	return least
}

// maxAttachmentLatency is the most that a path gives to each of its two links.
const maxAttachmentLatency = unit.Microsecond

// AttachmentLatency returns the latency of the links that join the path to the ports at its ends; it is taken out of
// the path's delay. It is a microsecond, which leaves the run's windows their usual length, or a quarter of the least
// delay if that is less.
func (w *WAN) AttachmentLatency() unit.Duration {
	return min(maxAttachmentLatency, w.ShortestDelay()/4)
}

// LeastDelay returns what the least delay of a path must be that carries
// frames of up to maxFrame at the given rate: a frame's last bit must be in
// before its first is due out, so half of the delay, which the attachments
// leave, must hold the frame's time.
func LeastDelay(rate unit.BitRate, maxFrame unit.Bytes) unit.Duration {
	return 2 * rate.SerialTime(wire.Full.BytesOf(maxFrame, nil))
}

// CanCarry reports whether the path can carry frames of up to maxFrame.
func (w *WAN) CanCarry(rate unit.BitRate, maxFrame unit.Bytes) bool {
	return w.ShortestDelay() >= LeastDelay(rate, maxFrame)
}
