package switchd

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// This is the proximal device: it slows senders down on behalf of congested
// devices, and foresees congestion that comes again.

// receiveMessage takes a notification that came in at port in. What is wrong
// with it is counted, and it then has no effect.
func (x *proximity) receiveMessage(in *port, frame *wire.Frame, length unit.Bytes) {
	var message notification.Message
	ignored := record.NumProximalIgnored
	switch err := notification.Decode(frame.Rare.Payload, &message); {
	case err != nil:
		ignored = record.IgnoredMalformed
	case uint64(message.Origin) >= uint64(len(x.Loops)) || message.Origin == x.id ||
		frame.SrcIP != x.loopback+message.Origin:
		ignored = record.IgnoredSpoofed
	case !x.windows[message.Origin].Accept(message.Sequence):
		ignored = record.IgnoredReplayed
	case message.Time > x.sw.now || message.Lifetime > 0 && x.sw.now.Sub(message.Time) > message.Lifetime:
		ignored = record.IgnoredStale
	}
	x.sw.sink(in, frame, length)
	if ignored != record.NumProximalIgnored {
		x.rec.Ignored[ignored]++
		return
	}
	x.rec.Received[message.Type]++
	switch message.Type {
	case notification.Congestion:
		x.react(&message)
	case notification.Clear:
		x.table.HeedAgain(pointOf(&message))
	case notification.Learned, notification.Release:
		until := x.sw.now
		if message.Type == notification.Learned {
			until = x.sw.now.Add(message.Lifetime)
		}
		for i := range message.Flows[:message.Count] {
			if f := flowOf(&message.Flows[i]); x.nearest(f.SrcIP) == int(message.Origin) {
				x.silence.Set(f, x.sw.now, until)
			} else {
				x.rec.Ignored[record.IgnoredSpoofed]++
			}
		}
	}
}

func pointOf(message *notification.Message) proximal.Point {
	return proximal.Point{Device: message.Origin, Port: message.Port, Class: message.Priority}
}

func flowOf(flow *notification.Flow) proximal.Flow {
	return proximal.Flow{SrcIP: flow.SrcIP, DstIP: flow.DstIP, DstQP: flow.DstQP}
}

// readingOf is what a message says of the port.
func readingOf(message *notification.Message) proximal.Reading {
	return proximal.Reading{
		Depth:   message.Depth,
		Before:  message.Before,
		Elapsed: message.Elapsed,
		Rate:    message.Rate,
		Usage:   float64(message.Usage) / (1<<16 - 1),
		Kmin:    message.Kmin,
		Kmax:    message.Kmax,
	}
}

// react slows down the flows of a message, whose senders are next to this switch.
func (x *proximity) react(message *notification.Message) {
	at, reading := pointOf(message), readingOf(message)
	largest := uint16(1)
	for i := range message.Flows[:message.Count] {
		largest = max(largest, message.Flows[i].Share)
	}
	var paused []int // ports, of which each is paused once
	for i := range message.Flows[:message.Count] {
		flow := &message.Flows[i]
		entry := x.table.Find(flowOf(flow))
		switch {
		case entry == nil: // senders elsewhere are in no table here
			x.rec.Ignored[record.IgnoredUnknownFlow]++
			continue
		case entry.Ignores(at, x.sw.now):
			x.rec.Ignored[record.IgnoredHeld]++
			continue
		case !x.profile.Pause && !x.identify(entry):
			x.rec.Ignored[record.IgnoredUnknownQP]++
			continue
		}
		loop := x.loop(int(message.Origin), entry.SrcIP)
		wanted, _ := reading.Wanted(max(loop, x.profile.Interval))
		part := float64(flow.Share) / (1<<16 - 1)
		alpha := entry.Alpha(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
		n := proximal.CNPs(x.profile, &reading, loop, alpha, part, float64(largest)/(1<<16-1))
		entry.Notified(x.sw.now, at, n, x.profile.MaxCNPs, wanted, unit.Whole[unit.BitRate](float64(message.Rate)*part))
		if n == 0 {
			continue
		}
		if x.profile.Pause {
			pi := x.senderPort(entry)
			if pi >= 0 && (slices.Contains(paused, pi) || x.pauseSender(entry, pi, at, wanted, message.Depth)) {
				paused = append(paused, pi)
				entry.Ignore(at, x.sw.now.Add(loop))
			}
			continue
		}
		entry.Ignore(at, x.sw.now.Add(loop))
		x.note(record.ProximalAction{
			At:    x.sw.now,
			Kind:  record.ProximalReact,
			Peer:  int(message.Origin),
			Port:  message.Port,
			Class: message.Priority,
			Depth: message.Depth,
			SrcIP: entry.SrcIP,
			DstIP: entry.DstIP,
			DstQP: entry.DstQP,
			CNPs:  n,
		})
		x.slowDown(entry, n)
	}
	x.scheduleTurn()
}

// identify finds the sender's QP, and reports whether it is known.
func (x *proximity) identify(entry *proximal.Entry) bool {
	if entry.SrcQP == 0 {
		entry.SrcQP = x.connections[entry.Flow]
	}
	return entry.SrcQP != 0
}

// slowDown sends n CNPs to a flow's sender, one by one.
func (x *proximity) slowDown(entry *proximal.Entry, n int) {
	if x.pacer.Add(entry, n, x.profile.MaxCNPs) {
		x.sendCNP(entry)
	}
}

// sendCNP sends one CNP to a flow's sender. It is what the flow's receiver would
// send (RoCEv2, IBA volume 1 annex 17, A17.9.3), with the receiver's addresses,
// so that any NIC takes it.
func (x *proximity) sendCNP(entry *proximal.Entry) {
	frame := x.sw.out.New()
	*frame = wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       entry.Receiver,
		Dst:       entry.Sender,
		SrcIP:     entry.DstIP,
		DstIP:     entry.SrcIP,
		TOS:       x.profile.DSCP << 2,
		TTL:       timeToLive,
		Fragment:  wire.DontFragment,
		SrcPort:   entry.SrcPort,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		Flags:     wire.FlagMigReq,
		PKey:      wire.DefaultPKey,
		DestQP:    entry.SrcQP,
	}
	entry.OnCNP(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
	x.rec.CNPs++
	x.pacer.Sent(entry, x.sw.now, x.profile.Spacing)
	x.sw.originate(frame)
}

// senderPort is the port to a flow's sender, below 0 for none.
func (x *proximity) senderPort(entry *proximal.Entry) int {
	f := wire.Frame{EtherType: wire.EtherTypeIPv4, DstIP: entry.SrcIP}
	return x.sw.fwd.next(&f, x.sw.now)
}

// pauseSender pauses the class of the congested queue at the port of a flow's
// sender, for the share of an interval that the sender is to lose, once for each
// message.
//
//	quanta = ceil( (1 - r) T_n rate / 512 )
//
// with r the part of their rate that the arrivals are to keep. Nothing renews it,
// and it ends by itself. It reports whether there was anything to pause.
func (x *proximity) pauseSender(entry *proximal.Entry, pi int, at proximal.Point, wanted float64,
	depth unit.Bytes) bool {
	port, class := &x.sw.ports[pi], at.Class&7
	if wanted >= 1 || has(port.xoff, class) { // paused for longer
		return false
	}
	quanta := math.Ceil((1 - wanted) * x.profile.Interval.Seconds() * float64(port.tx.Rate()) / 512)
	port.pfc.brief[class] = uint16(unit.Whole[int64](min(quanta, 1<<16-1)))
	x.rec.Pauses++
	x.note(record.ProximalAction{
		At:    x.sw.now,
		Kind:  record.ProximalPause,
		Peer:  int(at.Device),
		Port:  uint16(pi),
		Class: class,
		Depth: depth,
		SrcIP: entry.SrcIP,
		DstIP: entry.DstIP,
		DstQP: entry.DstQP,
	})
	x.sw.queuePFC(port, class)
	return true
}
