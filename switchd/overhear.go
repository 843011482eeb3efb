package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// overhear looks at a frame of l bytes that came in at port in, for proximal
// CNP, and tells whether it goes no further: a notification for this switch, or
// from a port that can have none, and a CNP that is held back.
func (s *Switch) overhear(in *port, f *wire.Frame, l unit.Bytes) (ends bool) {
	x := s.proximal
	switch {
	case f.EtherType != wire.EtherTypeIPv4:
	case f.IsDatagram():
		if x.Edge[in.index] {
			x.rec.Ignored[record.IgnoredSpoofed]++
			s.sink(in, f, l)
			return true
		}
		if f.DstIP == x.loopback+x.id {
			s.receiveMessage(in, f, l)
			return true
		}
	case f.IsData():
		if x.Edge[in.index] && x.mine(f.SrcIP) {
			s.observe(f, l)
		}
	case x.mine(f.DstIP):
		return s.overhearAnswer(in, f)
	}
	return false
}

// overhearAnswer looks at an ACK, NAK or CNP to a sender at this switch.
func (s *Switch) overhearAnswer(in *port, f *wire.Frame) (ends bool) {
	x := s.proximal
	e := x.table.Answered(f.DstIP, f.SrcIP, f.SrcPort)
	if e == nil {
		return false
	}
	if x.profile.QPs == profile.QPsFromAnswers {
		e.SrcQP = f.DestQP
	}
	if f.Opcode != wire.CNP {
		return false
	}
	if x.profile.Filter && e.HeldAnywhere(s.now) {
		x.rec.Filtered++
		s.drop(in, fabric.DropFiltered, f)
		return true
	}
	e.Heard(s.now, x.profile.Gain, x.profile.GainPeriod)
	return false
}

// observe takes note of a data packet of l bytes from a NIC at this switch, and
// acts at the start of a burst whose congestion it foresees.
func (s *Switch) observe(f *wire.Frame, l unit.Bytes) {
	x := s.proximal
	e, evicted := x.table.Touch(proximal.Flow{SrcIP: f.SrcIP, DstIP: f.DstIP, DstQP: f.DestQP})
	if evicted != nil {
		x.rec.Evicted++
		x.noteFlow(s.now, record.ProximalEvict, evicted, 0)
	}
	if e.Receiver != f.Dst || e.SrcPort != f.SrcPort { // new, or the connection is
		x.table.Name(e, f.Src, f.Dst, f.SrcPort)
		x.rec.Flows = max(x.rec.Flows, uint64(x.table.Len()))
	}
	was := e.Learned()
	began, step := e.Packet(s.now, l, &x.profile.Learning)
	if !began {
		return
	}
	s.expire()
	if !was && e.Learned() {
		x.rec.Learned++
		x.noteFlow(s.now, record.ProximalLearn, e, e.Foreseen())
	}
	switch step {
	case proximal.Act:
		s.preempt(e)
	case proximal.Pass:
		x.noteFlow(s.now, record.ProximalPass, e, 0)
		s.quieten(notification.Release, e)
	case proximal.Forget:
		x.rec.Forgotten++
		x.noteFlow(s.now, record.ProximalForget, e, 0)
		s.quieten(notification.Release, e)
	}
}

// preempt slows a flow down as its burst begins.
func (s *Switch) preempt(e *proximal.Entry) {
	x := s.proximal
	at := e.Where()
	e.Hold(at, s.now.Add(x.loop(int(at.Device), e.SrcIP)))
	switch {
	case x.profile.Pause:
		if pi := s.senderPort(e); pi >= 0 {
			s.pauseSender(e, pi, at, e.Wanted(), 0)
		}
	case !x.identify(e):
		x.rec.Ignored[record.IgnoredUnknownQP]++
		return
	default:
		x.rec.Preemptive += uint64(e.Foreseen())
		x.noteFlow(s.now, record.ProximalPreempt, e, e.Foreseen())
		s.slowDown(e, e.Foreseen())
		s.awaitTurn()
	}
	s.quieten(notification.Learned, e)
}

// quieten tells the device at which a flow meets congestion to be silent about
// it, or to speak again. It is said at each burst, so a message may be lost.
func (s *Switch) quieten(t notification.Type, e *proximal.Entry) {
	x := s.proximal
	at, quiet := e.Where(), lifetime(e.Quiet())
	if at.Device == x.id {
		until := s.now
		if t == notification.Learned {
			until = s.now.Add(quiet)
		}
		x.silence.Keep(e.Flow, s.now, until)
		return
	}
	if !x.profile.Notify {
		return
	}
	m := s.message(t, &s.ports[0], at.Class)
	m.Port, m.Count = at.Port, 1
	if t == notification.Learned {
		m.Lifetime = quiet
	}
	m.Flows[0] = notification.Flow{SrcIP: e.SrcIP, DstIP: e.DstIP, DstQP: e.DstQP, SrcQP: e.SrcQP, SrcPort: e.SrcPort}
	s.sendMessage(int(at.Device), &m)
}

// expire forgets flows that were idle too long. It runs as bursts begin: nobody
// asks for an entry of a flow that is idle.
func (s *Switch) expire() {
	x := s.proximal
	for e := x.table.Oldest(); e != nil && e.Idle(s.now, &x.profile.Learning); e = x.table.Oldest() {
		x.table.Remove(e)
		x.rec.Aged++
		x.noteFlow(s.now, record.ProximalAge, e, 0)
	}
}

func (x *proximity) noteFlow(now unit.Time, kind record.ProximalKind, e *proximal.Entry, cnps int) {
	at := e.Where()
	x.note(record.ProximalAction{At: now, Kind: kind, Peer: int(at.Device), Port: at.Port, Class: at.Class,
		SrcIP: e.SrcIP, DstIP: e.DstIP, DstQP: e.DstQP, CNPs: cnps})
}
