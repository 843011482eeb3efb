package swift

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
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
	heard         bool    // an endpoint delay
	retransmitCnt int
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

func newSender(c *settings, f cc.Facts) *sender {
	bdp := float64(f.LineRate) * float64(f.BaseRTT) / psPerByte / float64(f.PacketBytes)
	most := c.maxCwnd
	if most == 0 {
		most = max(c.maxCwndBDP*bdp, 1, c.minCwnd)
	}
	first := c.initialCwnd
	if first == 0 {
		first = bdp
	}
	w := window{settings: c, cwnd: min(max(first, c.minCwnd), most), most: most}
	return &sender{
		settings: c,
		line:     f.LineRate,
		mtu:      float64(f.MTU),
		path:     c.pathTarget(f),
		fabric:   w,
		end:      w,
		rtt:      f.BaseRTT,
	}
}

// Handle implements cc.Sender.
func (s *sender) Handle(e *cc.Event, d *cc.Decision) {
	switch e.Kind {
	case cc.EventStart:
		s.fabric.tLastDecrease, s.end.tLastDecrease = e.Now, e.Now
	case cc.EventAck:
		s.retransmitCnt = 0
		rtt := e.EchoedRTT() // a flow that lost much would else stay at its least window until all of it is resent
		if rtt <= 0 {
			return
		}
		s.ack(e, rtt)
	case cc.EventTimeout:
		s.timeout(e.Now)
	case cc.EventNak:
		s.retransmitCnt = 0
		s.fabric.lose(e.Now, s.rtt)
		s.end.lose(e.Now, s.rtt)
	default:
		return
	}
	s.decide(d)
}

// ack splits the delay (section 3.2) and hands each part to its window: fabric
// delay is the RTT without the remote delay, endpoint delay the remote delay,
// smoothed.
func (s *sender) ack(e *cc.Event, rtt unit.Duration) {
	s.rtt = rtt
	numAcked := float64(e.Acked) / s.mtu
	remote := float64(e.RemoteDelay)
	s.fabric.ack(e.Now, rtt, max(float64(rtt)-remote, 0), s.path+s.flowTarget(s.fabric.cwnd), numAcked)
	if !s.endpoint {
		return
	}
	if !s.heard {
		s.heard, s.endDelay = true, remote
	}
	s.endDelay += float64(s.endpointGain * (remote - s.endDelay))
	s.end.ack(e.Now, rtt, s.endDelay, s.endpointTarget, numAcked)
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
func (s *sender) decide(d *cc.Decision) {
	cwnd := s.cwnd()
	d.Rate = s.line
	d.Window = max(unit.Bytes(cwnd*s.mtu), 1)
	d.Gap = 0
	if cwnd < 1 {
		d.Gap = unit.Duration(float64(s.rtt) / cwnd)
	}
}
