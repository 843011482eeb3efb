package timely

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sender is the rate computation of one flow and its choice of samples.
type sender struct {
	settings
	line float64 // bit/s
	rate float64 // bit/s
	gradient
	haiCount int

	// acked is the payload acknowledged so far. An update is due once it
	// exceeds updateAt: snd_nxt at the last update or, with a completion each,
	// the end of the segment.
	acked, updateAt unit.Bytes
}

func newSender(settings settings, facts cc.Facts) *sender {
	sender := &sender{settings: settings, line: float64(facts.LineRate)}
	sender.setRate(settings.initialRate)
	sender.updateAt = max(settings.segment-1, 0)
	return sender
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	switch event.Kind {
	case cc.EventAck, cc.EventNak:
		s.acked += event.Acked
		if event.Kind == cc.EventNak || !s.sample(event) {
			return
		}
	case cc.EventStart:
	default:
		return
	}
	s.decide(decision)
}

// sample updates the rate if an update is due and the ACK brings an RTT. It
// reports whether it did.
func (s *sender) sample(event *cc.Event) bool {
	rtt := event.EchoedRTT()
	if rtt <= 0 || s.acked <= s.updateAt {
		return false
	}
	if s.perCompletion {
		s.updateAt = s.acked + max(s.segment-1, 0)
	} else {
		s.updateAt = s.acked + event.Inflight
	}
	return s.update(float64(rtt))
}

// setRate keeps the rate between min_rate and the line rate.
func (s *sender) setRate(rate float64) {
	s.rate = min(max(rate, s.minRate), s.line)
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

func (s *sender) decide(decision *cc.Decision) {
	decision.Rate = unit.Whole[unit.BitRate](s.rate)
	switch s.window {
	case "fixed":
		decision.Window = max(unit.Whole[unit.Bytes](s.line*s.windowRTT/psPerByte), 1)
	case "rate":
		decision.Window = max(unit.Whole[unit.Bytes](s.rate*s.windowRTT/psPerByte), 1)
	}
}

const psPerUs = 1e6

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	into[0], into[1] = math.NaN(), math.NaN()
	if s.sampled {
		into[0], into[1] = s.rttDiff/s.dMinRTT, s.prevRTT/psPerUs
	}
}
