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

// inspect looks at a frame of length bytes that came in at port in, for proximal
// CNP, and reports whether it goes no further: a notification for this switch, or
// from a port that can have none, and a CNP that is held back.
func (x *proximity) inspect(in *port, frame *wire.Frame, length unit.Bytes) (ends bool) {
	switch {
	case frame.EtherType != wire.EtherTypeIPv4 || frame.IsOpaque():
	case frame.IsDatagram():
		if x.Edge[in.index] {
			x.rec.Ignored[record.IgnoredSpoofed]++
			x.sw.sink(in, frame, length)
			return true
		}
		if frame.DstIP == x.loopback+x.id {
			x.receiveMessage(in, frame, length)
			return true
		}
	case frame.IsData():
		if x.Edge[in.index] && x.isLocal(frame.SrcIP) {
			x.inspectData(frame, length)
		}
	case x.isLocal(frame.DstIP):
		return x.inspectAnswer(in, frame)
	}
	return false
}

// inspectAnswer looks at an ACK, NAK or CNP to a sender at this switch.
func (x *proximity) inspectAnswer(in *port, frame *wire.Frame) (ends bool) {
	entry := x.table.FindAnswered(frame.DstIP, frame.SrcIP, frame.SrcPort)
	if entry == nil {
		return false
	}
	if x.profile.QPs == profile.QPsFromAnswers {
		entry.SrcQP = frame.DestQP
	}
	if frame.Opcode != wire.CNP {
		return false
	}
	if x.profile.Filter && entry.IgnoresAny(x.sw.now) {
		x.rec.Filtered++
		x.sw.drop(in, fabric.DropFiltered, frame)
		return true
	}
	entry.OnCNP(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
	return false
}

// inspectData takes note of a data packet of length bytes from a NIC at this switch, and
// acts at the start of a burst whose congestion it foresees.
func (x *proximity) inspectData(frame *wire.Frame, length unit.Bytes) {
	entry, evicted := x.table.Touch(proximal.Flow{SrcIP: frame.SrcIP, DstIP: frame.DstIP, DstQP: frame.DestQP})
	if evicted != nil {
		x.rec.Evicted++
		x.noteFlow(x.sw.now, record.ProximalEvict, evicted, 0)
	}
	if entry.Receiver != frame.Dst || entry.SrcPort != frame.SrcPort { // new, or the connection is
		x.table.SetAddresses(entry, frame.Src, frame.Dst, frame.SrcPort)
		x.rec.Flows = max(x.rec.Flows, uint64(x.table.Len()))
	}
	was := entry.Learned()
	began, step := entry.Packet(x.sw.now, length, &x.profile.Learning)
	if !began {
		return
	}
	x.expire()
	if !was && entry.Learned() {
		x.rec.Learned++
		x.noteFlow(x.sw.now, record.ProximalLearn, entry, entry.ForeseenCNPs())
	}
	switch step {
	case proximal.Act:
		x.preempt(entry)
	case proximal.Pass:
		x.noteFlow(x.sw.now, record.ProximalPass, entry, 0)
		x.suppress(notification.Release, entry)
	case proximal.Forget:
		x.rec.Forgotten++
		x.noteFlow(x.sw.now, record.ProximalForget, entry, 0)
		x.suppress(notification.Release, entry)
	}
}

// preempt slows a flow down as its burst begins.
func (x *proximity) preempt(entry *proximal.Entry) {
	at := entry.CongestionPoint()
	entry.Ignore(at, x.sw.now.Add(x.loop(int(at.Device), entry.SrcIP)))
	switch {
	case x.profile.Pause:
		if pi := x.senderPort(entry); pi >= 0 {
			x.pauseSender(entry, pi, at, entry.Wanted(), 0)
		}
	case !x.identify(entry):
		x.rec.Ignored[record.IgnoredUnknownQP]++
		return
	default:
		x.rec.Preemptive += uint64(entry.ForeseenCNPs())
		x.noteFlow(x.sw.now, record.ProximalPreempt, entry, entry.ForeseenCNPs())
		x.slowDown(entry, entry.ForeseenCNPs())
		x.scheduleTurn()
	}
	x.suppress(notification.Learned, entry)
}

// suppress asks the device at which a flow meets congestion to be silent about
// it, or to speak again. It is said at each burst, so a message may be lost.
func (x *proximity) suppress(kind notification.Type, entry *proximal.Entry) {
	at, quiet := entry.CongestionPoint(), lifetime(entry.SilenceTime())
	if at.Device == x.id {
		until := x.sw.now
		if kind == notification.Learned {
			until = x.sw.now.Add(quiet)
		}
		x.silence.Set(entry.Flow, x.sw.now, until)
		return
	}
	if !x.profile.Notify {
		return
	}
	message := x.message(kind, &x.sw.ports[0], at.Class)
	message.Port, message.Count = at.Port, 1
	if kind == notification.Learned {
		message.Lifetime = quiet
	}
	message.Flows[0] = notification.Flow{
		SrcIP:   entry.SrcIP,
		DstIP:   entry.DstIP,
		DstQP:   entry.DstQP,
		SrcQP:   entry.SrcQP,
		SrcPort: entry.SrcPort,
	}
	x.sendMessage(int(at.Device), &message)
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

func (x *proximity) noteFlow(now unit.Time, kind record.ProximalKind, entry *proximal.Entry, cnps int) {
	at := entry.CongestionPoint()
	x.note(record.ProximalAction{
		At:    now,
		Kind:  kind,
		Peer:  int(at.Device),
		Port:  at.Port,
		Class: at.Class,
		SrcIP: entry.SrcIP,
		DstIP: entry.DstIP,
		DstQP: entry.DstQP,
		CNPs:  cnps,
	})
}
