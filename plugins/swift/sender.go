package swift

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/elementary"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sender is one flow: Algorithm 1 for its two windows.
type sender struct {
	*settings
	line          unit.BitRate
	mtu           float64
	path          float64 // base_target + #hops h, ps
	fabric, end   window
	rtt           unit.Duration
	endDelay      float64 // smoothed, ps
	sampled       bool    // an endpoint delay
	retransmitCnt int
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

func newSender(settings *settings, facts cc.Facts) *sender {
	bdp := float64(facts.LineRate) * float64(facts.BaseRTT) / psPerByte / float64(facts.PacketBytes)
	most := settings.maxCwnd
	if most == 0 {
		most = max(settings.maxCwndBDP*bdp, 1, settings.minCwnd)
	}
	first := settings.initialCwnd
	if first == 0 {
		first = bdp
	}
	window := window{settings: settings, cwnd: min(max(first, settings.minCwnd), most), most: most}
	return &sender{
		settings: settings,
		line:     facts.LineRate,
		mtu:      float64(facts.MTU),
		path:     settings.pathTarget(facts),
		fabric:   window,
		end:      window,
		rtt:      facts.BaseRTT,
	}
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	switch event.Kind {
	case cc.EventStart:
		s.fabric.tLastDecrease, s.end.tLastDecrease = event.Now, event.Now
	case cc.EventAck:
		s.retransmitCnt = 0
		rtt := event.EchoedRTT() // a flow that lost much would else stay at its least window until all of it is resent
		if rtt <= 0 {
			return
		}
		s.ack(event, rtt)
	case cc.EventTimeout:
		s.timeout(event.Now)
	case cc.EventNak:
		s.retransmitCnt = 0
		s.fabric.lose(event.Now, s.rtt)
		s.end.lose(event.Now, s.rtt)
	default:
		return
	}
	s.decide(decision)
}

// ack splits the delay (section 3.2) and hands each part to its window: fabric
// delay is the RTT without the remote delay, endpoint delay the remote delay,
// smoothed.
func (s *sender) ack(event *cc.Event, rtt unit.Duration) {
	s.rtt = rtt
	numAcked := float64(event.Acked) / s.mtu
	remote := float64(event.RemoteDelay)
	s.fabric.ack(event.Now, rtt, max(float64(rtt)-remote, 0), s.path+s.flowTarget(s.fabric.cwnd), numAcked)
	if !s.endpoint {
		return
	}
	if !s.sampled {
		s.sampled, s.endDelay = true, remote
	}
	s.endDelay += float64(s.endpointGain * (remote - s.endDelay))
	s.end.ack(event.Now, rtt, s.endDelay, s.endpointTarget, numAcked)
}

// timeout is lines 15 to 21.
func (s *sender) timeout(now unit.Time) {
	s.retransmitCnt++
	for _, w := range [...]*window{&s.fabric, &s.end} {
		if s.retransmitCnt >= s.retxResetThreshold {
			w.set(now, s.minCwnd)
		} else {
			w.lose(now, s.rtt)
		}
	}
}

// cwnd is the window in force, in packets.
func (s *sender) cwnd() float64 {
	if !s.endpoint {
		return s.fabric.cwnd
	}
	return min(s.fabric.cwnd, s.end.cwnd)
}

// decide answers with the window in bytes and lines 29 to 32: below one packet,
// packets start rtt/cwnd apart.
func (s *sender) decide(decision *cc.Decision) {
	cwnd := s.cwnd()
	decision.Rate = s.line
	decision.Window = max(unit.Whole[unit.Bytes](cwnd*s.mtu), 1)
	decision.Gap = 0
	if cwnd < 1 {
		decision.Gap = unit.Whole[unit.Duration](float64(s.rtt) / cwnd)
	}
}

// scaleFlows makes the constants of flow scaling (section 3.5):
//
//	alpha = fs_range / (1/sqrt(fs_min_cwnd) - 1/sqrt(fs_max_cwnd))
//	beta = -alpha / sqrt(fs_max_cwnd)
//
// With fs_min_cwnd 0.1 and fs_max_cwnd 100 alpha is 0.3266 fs_range.
func (s *settings) scaleFlows(fsMinCwnd, fsMaxCwnd float64) {
	rootMin, rootMax := elementary.Sqrt(fsMinCwnd), elementary.Sqrt(fsMaxCwnd)
	s.alpha = s.fsRange / (1/rootMin - 1/rootMax)
	s.offset = -s.alpha / rootMax
}

// pathTarget is base_target + #hops x hop_target, in ps: the part that the window does not change.
func (s *settings) pathTarget(facts cc.Facts) float64 {
	if s.byBaseRTT {
		return s.baseTarget + float64(facts.BaseRTT)
	}
	return s.baseTarget + float64(float64(facts.Hops)*s.hopTarget)
}

// flowTarget is the part that flow scaling adds, in ps:
//
//	max(0, min(alpha/sqrt(fcwnd) + beta, fs_range))
func (s *settings) flowTarget(fcwnd float64) float64 {
	return max(0, min(s.alpha/elementary.Sqrt(fcwnd)+s.offset, s.fsRange))
}

const psPerUs = 1e6

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	into[0] = s.fabric.cwnd
	into[1] = (s.path + s.flowTarget(s.fabric.cwnd)) / psPerUs
	into[2], into[3] = math.NaN(), math.NaN()
	if s.endpoint {
		into[2] = s.end.cwnd
	}
	if s.sampled {
		into[3] = s.endDelay / psPerUs
	}
}
