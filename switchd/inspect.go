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

// inspect looks at a frame of l bytes that came in at port in, for proximal
// CNP, and reports whether it goes no further: a notification for this switch, or
// from a port that can have none, and a CNP that is held back.
func (x *proximity) inspect(in *port, f *wire.Frame, l unit.Bytes) (ends bool) {
	switch {
	case f.EtherType != wire.EtherTypeIPv4:
	case f.IsDatagram():
		if x.Edge[in.index] {
			x.rec.Ignored[record.IgnoredSpoofed]++
			x.sw.sink(in, f, l)
			return true
		}
		if f.DstIP == x.loopback+x.id {
			x.receiveMessage(in, f, l)
			return true
		}
	case f.IsData():
		if x.Edge[in.index] && x.mine(f.SrcIP) {
			x.observe(f, l)
		}
	case x.mine(f.DstIP):
		return x.inspectAnswer(in, f)
	}
	return false
}

// inspectAnswer looks at an ACK, NAK or CNP to a sender at this switch.
func (x *proximity) inspectAnswer(in *port, f *wire.Frame) (ends bool) {
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
	if x.profile.Filter && e.HeldAnywhere(x.sw.now) {
		x.rec.Filtered++
		x.sw.drop(in, fabric.DropFiltered, f)
		return true
	}
	e.Heard(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
	return false
}

// observe takes note of a data packet of l bytes from a NIC at this switch, and
// acts at the start of a burst whose congestion it foresees.
func (x *proximity) observe(f *wire.Frame, l unit.Bytes) {
	e, evicted := x.table.Touch(proximal.Flow{SrcIP: f.SrcIP, DstIP: f.DstIP, DstQP: f.DestQP})
	if evicted != nil {
		x.rec.Evicted++
		x.noteFlow(x.sw.now, record.ProximalEvict, evicted, 0)
	}
	if e.Receiver != f.Dst || e.SrcPort != f.SrcPort { // new, or the connection is
		x.table.Name(e, f.Src, f.Dst, f.SrcPort)
		x.rec.Flows = max(x.rec.Flows, uint64(x.table.Len()))
	}
	was := e.Learned()
	began, step := e.Packet(x.sw.now, l, &x.profile.Learning)
	if !began {
		return
	}
	x.expire()
	if !was && e.Learned() {
		x.rec.Learned++
		x.noteFlow(x.sw.now, record.ProximalLearn, e, e.Foreseen())
	}
	switch step {
	case proximal.Act:
		x.preempt(e)
	case proximal.Pass:
		x.noteFlow(x.sw.now, record.ProximalPass, e, 0)
		x.suppress(notification.Release, e)
	case proximal.Forget:
		x.rec.Forgotten++
		x.noteFlow(x.sw.now, record.ProximalForget, e, 0)
		x.suppress(notification.Release, e)
	}
}

// preempt slows a flow down as its burst begins.
func (x *proximity) preempt(e *proximal.Entry) {
	at := e.Where()
	e.Hold(at, x.sw.now.Add(x.loop(int(at.Device), e.SrcIP)))
	switch {
	case x.profile.Pause:
		if pi := x.senderPort(e); pi >= 0 {
			x.pauseSender(e, pi, at, e.Wanted(), 0)
		}
	case !x.identify(e):
		x.rec.Ignored[record.IgnoredUnknownQP]++
		return
	default:
		x.rec.Preemptive += uint64(e.Foreseen())
		x.noteFlow(x.sw.now, record.ProximalPreempt, e, e.Foreseen())
		x.slowDown(e, e.Foreseen())
		x.awaitTurn()
	}
	x.suppress(notification.Learned, e)
}

// suppress tells the device at which a flow meets congestion to be silent about
// it, or to speak again. It is said at each burst, so a message may be lost.
func (x *proximity) suppress(t notification.Type, e *proximal.Entry) {
	at, quiet := e.Where(), lifetime(e.Quiet())
	if at.Device == x.id {
		until := x.sw.now
		if t == notification.Learned {
			until = x.sw.now.Add(quiet)
		}
		x.silence.Keep(e.Flow, x.sw.now, until)
		return
	}
	if !x.profile.Notify {
		return
	}
	m := x.message(t, &x.sw.ports[0], at.Class)
	m.Port, m.Count = at.Port, 1
	if t == notification.Learned {
		m.Lifetime = quiet
	}
	m.Flows[0] = notification.Flow{
		SrcIP:   e.SrcIP,
		DstIP:   e.DstIP,
		DstQP:   e.DstQP,
		SrcQP:   e.SrcQP,
		SrcPort: e.SrcPort,
	}
	x.sendMessage(int(at.Device), &m)
}

// expire forgets flows that were idle too long. It runs as bursts begin: nobody
// asks for an entry of a flow that is idle.
func (x *proximity) expire() {
	for e := x.table.Oldest(); e != nil && e.Idle(x.sw.now, &x.profile.Learning); e = x.table.Oldest() {
		x.table.Remove(e)
		x.rec.Aged++
		x.noteFlow(x.sw.now, record.ProximalAge, e, 0)
	}
}

func (x *proximity) noteFlow(now unit.Time, kind record.ProximalKind, e *proximal.Entry, cnps int) {
	at := e.Where()
	x.note(record.ProximalAction{
		At:    now,
		Kind:  kind,
		Peer:  int(at.Device),
		Port:  at.Port,
		Class: at.Class,
		SrcIP: e.SrcIP,
		DstIP: e.DstIP,
		DstQP: e.DstQP,
		CNPs:  cnps,
	})
}
