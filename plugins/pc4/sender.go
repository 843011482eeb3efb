package pc4

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/elementary"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sender is Algorithm 2, in the paper's names.
type sender struct {
	*settings
	line               float64 // bit/s
	mtu, packet        float64 // bytes: payload, and on the wire
	baseline           float64 // ps, of a full-size packet
	path               float64 // what the target is multiplied by for it
	baseRTT, lastRTT   unit.Duration
	unqueuedRTT        unit.Duration // lastRTT less the wait of data, at least baseRTT
	group              cc.Group
	txRate             float64 // bit/s
	cwnd               float64 // bytes of payload
	cwndRTT            float64 // ps, the RTT of which cwnd was made
	baseRecorded       unit.BitRate
	tLastAdjust        unit.Time
	tLastAdjustReading int64 // the same instant by the NIC's clock, ns
	// groupReading is the time of the controller's last update, by the NIC's clock.
	groupReading int64
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

// onePath is the one-way delay of one switch at 1 us a link, for which targets are
// meant.
const onePath = 2200 * unit.Nanosecond

func newSender(settings *settings, facts cc.Facts) *sender {
	return &sender{
		settings:     settings,
		line:         float64(facts.LineRate),
		mtu:          float64(facts.MTU),
		packet:       float64(facts.PacketBytes),
		baseline:     float64(facts.Baseline),
		path:         settings.pathFactor(facts.Baseline),
		baseRTT:      facts.BaseRTT,
		lastRTT:      facts.BaseRTT,
		unqueuedRTT:  facts.BaseRTT,
		group:        facts.Group,
		groupReading: math.MinInt64,
	}
}

// pathFactor is the factor of the target for a path, see parameter tq_path.
func (s *settings) pathFactor(baseline unit.Duration) float64 {
	ratio := float64(baseline) / float64(onePath)
	if s.tqPath == 1 {
		return ratio
	}
	return elementary.Pow(ratio, s.tqPath)
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	switch event.Kind {
	case cc.EventStart:
		s.begin(event)
	case cc.EventAck:
		if !s.receiveACK(event) {
			return
		}
	case cc.EventTimeout:
		s.ackTimeout()
	case cc.EventGroup:
		if !s.updateGroup(event) {
			return
		}
	default:
		return
	}
	s.decide(decision)
}

// begin sets the first rate and window, see parameter first_rtt. The paper
// leaves t_last_adjust open; it is the flow's start.
func (s *sender) begin(event *cc.Event) {
	s.txRate = s.line
	s.adjusted(event)
	if s.firstRTT == "base" {
		s.baseRecorded = s.computeBaseRate(unit.Whole[unit.BitRate](s.line), s.group)
		s.setRate(float64(s.baseRecorded))
	}
	s.makeWindow()
	switch s.firstRTT {
	case "12pkt":
		s.cwnd = 12 * s.mtu
	case "1pkt":
		s.cwnd = s.mtu
	}
}

// receiveACK is RECEIVE_ACK, lines 2 to 16. The target queueing time of line 3 is made in computeRate, the only place
// that uses it. It reports whether it set rate or window: most ACKs do not.
func (s *sender) receiveACK(event *cc.Event) bool {
	if event.RTT > 0 {
		s.lastRTT = event.RTT
		s.unqueuedRTT = max(s.baseRTT, event.RTT-max(event.OneWayDelay, 0))
	}
	base := event.BaseRate / unit.Kbps * unit.Kbps // as on the wire
	if s.baseRate && s.newBase(base) && event.Echo > s.groupReading {
		s.takeBase(base, event)
		return true
	}
	changed := s.mayAdjust(event)
	if changed {
		s.setRate(s.adjustedRate(event.OneWayDelay))
		s.adjusted(event)
	}
	if s.always || s.whenChanged && changed {
		s.makeWindow()
	}
	return s.always || changed
}

// updateGroup takes over the controller's update and, with n_source
// controller+sender, the base rate that follows from it. It reports whether it set a
// rate. ACKs of packets that left before may have the base rate of the receiver's
// group before, so theirs is not taken over any more.
func (s *sender) updateGroup(event *cc.Event) bool {
	s.group.Flows = int(event.Flows)
	s.groupReading = event.Clock
	base := s.computeBaseRate(unit.Whole[unit.BitRate](s.line), s.group)
	if !s.baseRate || !s.newBase(base) {
		return false
	}
	s.takeBase(base, event)
	return true
}

// takeBase makes a new base rate the rate, lines 5 to 7 and, see parameter
// cwnd_update, 12.
func (s *sender) takeBase(base unit.BitRate, event *cc.Event) {
	s.baseRecorded = base
	s.setRate(float64(base))
	s.adjusted(event)
	if s.whenReloaded {
		s.makeWindow()
	}
}

// newBase is the comparison of line 4, see parameter reload_threshold.
func (s *sender) newBase(base unit.BitRate) bool {
	if base == s.baseRecorded { // at most ACKs; the threshold is never negative
		return false
	}
	change := float64(base - s.baseRecorded)
	if change < 0 {
		change = -change
	}
	return change > s.reload*float64(s.baseRecorded)
}

// mayAdjust is the condition of line 9, see parameters adjust_interval and
// feedback.
func (s *sender) mayAdjust(event *cc.Event) bool {
	if !s.adjust || s.fresh && event.Echo <= s.tLastAdjustReading {
		return false
	}
	return event.Now.Sub(s.tLastAdjust) >= unit.Whole[unit.Duration](s.interval*float64(max(s.baseRTT, s.lastRTT)))
}

func (s *sender) adjusted(event *cc.Event) {
	s.tLastAdjust, s.tLastAdjustReading = event.Now, event.Clock
}

// adjustedRate is the rate of COMPUTE_RATE, see parameter sub_gain, and pull, pull_below, band and keep, which are not
// in the paper.
func (s *sender) adjustedRate(owd unit.Duration) float64 {
	rate := s.computeRate(owd)
	if base := float64(s.baseRecorded); base > 0 {
		switch bound := s.far(); {
		case s.txRate > bound:
			rate += float64(s.pull * (bound - s.txRate))
		case s.txRate < base:
			rate += float64(s.pullBelow * (base - s.txRate))
		}
	}
	if s.subGain > 0 && s.cwnd < s.mtu {
		rate = s.txRate + float64((rate-s.txRate)*elementary.Pow(s.cwnd/s.mtu, s.subGain))
	}
	if least := float64(s.keep * float64(s.baseRecorded)); rate < least {
		rate = least
	}
	return rate
}

// far is the rate from which on rates are drawn back, see parameter band.
func (s *sender) far() float64 { return float64(float64(s.baseRecorded) * (1 + s.band)) }

// computeRate is COMPUTE_RATE, lines 20 to 29; see parameter above for the part that is not in the paper:
//
//	owd = 0:           tx_rate + hai
//	0 < owd < target:  tx_rate + ai
//	else:              tx_rate max(1 - max_mdf, 1 - beta (owd - target)/(owd + baseline))
func (s *sender) computeRate(owd unit.Duration) float64 {
	delay, target := float64(owd), s.targetQtime()
	switch {
	case owd <= s.zeroBand && (!s.literal || owd >= -s.zeroBand):
		return s.txRate + s.hai + float64(s.haiShare*float64(s.baseRecorded))
	case owd > 0 && delay < target:
		step := s.ai + float64(s.aiShare*float64(s.baseRecorded))
		if s.baseRecorded > 0 && s.txRate >= s.far() {
			step = float64(step * s.above)
		}
		return s.txRate + step
	}
	excess := (delay - target) / (delay + s.baseline)
	return s.txRate * max(1-s.maxMDF, 1-float64(s.beta*excess))
}

// targetQtime is TARGET_DELAY of III-C in ps, see parameter target_qtime.
func (s *sender) targetQtime() float64 {
	if s.fixedTarget {
		return s.target
	}
	n := 1.0
	switch {
	case s.baseRate && s.baseRecorded > 0:
		n = s.line / float64(s.baseRecorded)
	case s.group.Flows > 0 && (!s.baseRate || s.senderKnows):
		n = float64(s.group.Flows)
	}
	noise := s.tqNoise * math.Sqrt(n) * s.packet * psPerByte / s.line
	return s.path * max(s.tqFloor, s.tq0*min(1, s.tqN0/n), noise)
}

// ackTimeout is ACK_TIMEOUT, lines 17 to 19, with tx_rate cut like cwnd. The
// window never grows by it: one smaller than tx_rate x RTT, such as a first
// window of 12 packets, is cut from what it is.
func (s *sender) ackTimeout() {
	cut := s.cwnd * s.timeoutFactor
	s.setRate(s.txRate * s.timeoutFactor)
	s.makeWindow()
	s.cwnd = max(min(s.cwnd, cut), float64(s.minCwnd*s.mtu))
	s.baseRecorded = 0
}

// setRate keeps tx_rate between min_rate and the line rate. The comparison is written so that NaN (beta 0 times an
// infinite excess, in the literal reading) becomes the least rate.
func (s *sender) setRate(rate float64) {
	if !(rate > s.minRate) {
		rate = s.minRate
	}
	s.txRate = min(rate, s.line)
}

// makeWindow is line 12, cwnd = tx_rate x rtt, in bytes. The paper mixes packets and bits; a packet is an MTU of
// payload here. Parameter hold is not in the paper.
func (s *sender) makeWindow() {
	rtt := s.baseRTT
	switch {
	case s.measured:
		rtt = s.lastRTT
	case s.unqueued:
		rtt = s.unqueuedRTT
	}
	if s.hold > 0 && 2*s.txRate < float64(s.baseRecorded) {
		rtt = max(rtt, min(s.lastRTT, s.baseRTT+s.hold))
	}
	s.cwndRTT = float64(rtt)
	s.cwnd = max(s.txRate*s.cwndRTT/psPerByte, s.minCwnd*s.mtu)
}

// decide answers with rate and window and, for a window below one packet, the gap of line 14, rtt/cwnd with cwnd in
// packets. If every packet is paced the gap that follows from tx_rate remains if it is longer, as it is by the headers.
func (s *sender) decide(decision *cc.Decision) {
	decision.Rate = unit.Whole[unit.BitRate](s.txRate)
	decision.Window = max(unit.Whole[unit.Bytes](s.cwnd), 1)
	decision.Gap = 0
	if !s.paceAlways {
		decision.Rate = unit.Whole[unit.BitRate](s.line)
	}
	if s.cwnd < s.mtu {
		gap := s.cwndRTT * s.mtu / s.cwnd
		if !s.paceAlways || gap > s.packet*psPerByte/s.txRate {
			decision.Gap = unit.Whole[unit.Duration](gap)
		}
	}
}
