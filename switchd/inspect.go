package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
			x.inspectData(in, frame, length)
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
	if x.profile.Filter && entry.Holds(x.sw.now) {
		x.rec.Filtered++
		x.sw.drop(in, fabric.DropFiltered, frame)
		return true
	}
	entry.OnCNP(x.sw.now, x.profile)
	return false
}

// inspectData takes note of a data packet of length bytes that came from a NIC at port in, and
// keeps it to its share in a burst whose congestion it foresees.
func (x *proximity) inspectData(in *port, frame *wire.Frame, length unit.Bytes) {
	entry, evicted := x.table.Touch(proximal.Flow{SrcIP: frame.SrcIP, DstIP: frame.DstIP, DstQP: frame.DestQP})
	if evicted != nil {
		x.rec.Evicted++
		x.noteFlow(x.sw.now, record.ProximalEvict, evicted, 0)
	}
	if entry.Receiver != frame.Dst || entry.SrcPort != frame.SrcPort { // new, or the connection is
		x.table.SetAddresses(entry, frame.Src, frame.Dst, frame.SrcPort)
		x.rec.Flows = max(x.rec.Flows, uint64(x.table.Len()))
	}
	entry.Class = x.sw.classOf[frame.DSCP()] & 7
	was := entry.Learned()
	began, step := entry.Packet(x.sw.now, length, &x.profile.Learning)
	if began {
		entry.Meter.Begin(x.sw.now)
	}
	entry.Meter.Count(x.sw.now, in.rx.Accounting().BytesOf(length, frame))
	if !began {
		x.holdToShare(entry)
		return
	}
	x.expire()
	if !was && entry.Learned() {
		x.rec.Learned++
		x.noteFlow(x.sw.now, record.ProximalLearn, entry, 0)
	}
	switch step {
	case proximal.Act:
		x.suppress(notification.Learned, entry)
	case proximal.Forget:
		x.rec.Forgotten++
		x.noteFlow(x.sw.now, record.ProximalForget, entry, 0)
		x.suppress(notification.Release, entry)
	}
}

// holdToShare slows a flow down whose congestion is foreseen, if it sends more than its share of the congested point.
func (x *proximity) holdToShare(entry *proximal.Entry) {
	wanted := entry.Wanted(x.sw.now)
	if wanted >= 1 {
		return
	}
	at, n := entry.CongestionPoint(), 0
	if x.profile.Pause {
		pi := x.senderPort(entry)
		if pi < 0 || !x.pauseSender(entry, pi, at, wanted, 0) {
			return
		}
		entry.Meter.Restart(x.sw.now)
	} else {
		if known := x.identify(entry); !known {
			x.rec.Ignored[record.IgnoredUnknownQP]++
			return
		}
		if n = entry.Cuts(x.sw.now, wanted, x.profile); n == 0 {
			return
		}
		x.rec.Preemptive += uint64(n)
		x.noteFlow(x.sw.now, record.ProximalPreempt, entry, n)
	}
	entry.Held()
	loop := x.loop(int(at.Device), entry.SrcIP)
	entry.Ignore(at, x.sw.now.Add(loop))
	x.hold(entry, at, loop, x.sw.now.Add(loop+x.profile.Interval))
	if n > 0 {
		x.slowDown(entry, n)
		x.scheduleTurn()
	}
}

// suppress asks the device at which a flow meets congestion to be silent about it, with the number of flows that share
// the port as far as this one knows; or to speak again. It is repeated at each burst, so that losing one does no harm.
func (x *proximity) suppress(kind notification.Type, entry *proximal.Entry) {
	at, quiet := entry.CongestionPoint(), lifetime(entry.SilenceTime())
	if at.Device == x.id {
		until := x.sw.now
		if kind == notification.Learned {
			until = x.sw.now.Add(quiet)
		}
		x.silence.Set(entry.Flow, x.sw.now, until, entry.Live())
		return
	}
	if !x.tells(int(at.Device), entry.Flow) {
		return
	}
	message := x.message(kind, &x.sw.ports[0], at.Class)
	message.Port, message.Count = at.Port, 1
	if kind == notification.Learned {
		message.Lifetime, message.Live = quiet, uint16(entry.Live())
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

// expire forgets flows that were idle too long. It runs at the beginning of bursts: entries of idle flows are not
// looked up.
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
