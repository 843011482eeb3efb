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
	case message.Type == notification.Congestion && (message.Live < uint16(message.Count) || message.Rate == 0):
		ignored = record.IgnoredMalformed // more flows than there are, or of a port that sends nothing
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
		x.table.Clear(pointOf(&message), x.sw.now)
	case notification.Learned, notification.Release:
		until := x.sw.now
		if message.Type == notification.Learned {
			until = x.sw.now.Add(message.Lifetime)
		}
		for i := range message.Flows[:message.Count] {
			if f := flowOf(&message.Flows[i]); x.nearest(f.SrcIP) == int(message.Origin) {
				x.silence.Set(f, x.sw.now, until, int(message.Live))
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
		Live:    int(message.Live),
		Level:   float64(message.Level) / (1<<16 - 1),
	}
}

// react slows down the flows of a message, whose senders are next to this switch.
func (x *proximity) react(message *notification.Message) {
	at, reading := pointOf(message), readingOf(message)
	largest := uint16(1)
	for i := range message.Flows[:message.Count] {
		largest = max(largest, message.Flows[i].Share)
	}
	var paused []pausedClass // each is paused once
	for i := range message.Flows[:message.Count] {
		flow := &message.Flows[i]
		entry := x.table.Find(flowOf(flow))
		switch {
		case entry == nil: // senders elsewhere are in no table here
			x.rec.Ignored[record.IgnoredUnknownFlow]++
			continue
		case !x.profile.Pause && !x.identify(entry):
			x.rec.Ignored[record.IgnoredUnknownQP]++
			continue
		}
		loop := x.loop(int(message.Origin), entry.SrcIP)
		x.hold(entry, at, loop, message.Time.Add(message.Lifetime))
		entry.Heard(at, &reading)
		if entry.Ignores(at, x.sw.now) {
			x.rec.Ignored[record.IgnoredHeld]++
			continue
		}
		if x.profile.Rate {
			x.allot(entry, at, loop, &reading, message)
			continue
		}
		wanted, _ := reading.Wanted(max(loop, x.profile.Interval))
		part := float64(flow.Share) / (1<<16 - 1)
		n := 0
		switch {
		case !x.profile.Pause:
			n = entry.CNPs(x.sw.now, x.profile, &reading, part, float64(largest)/(1<<16-1))
		case wanted < 1 && part >= proximal.LeastShare:
			n = 1
		}
		if n == 0 {
			continue
		}
		entry.SlowedDown(at, &reading)
		if x.profile.Pause {
			to := pausedClass{x.senderPort(entry), entry.Class}
			if to.port >= 0 && (slices.Contains(paused, to) || x.pauseSender(entry, to.port, at, wanted, message.Depth)) {
				paused = append(paused, to)
				entry.Ignore(at, x.sw.now.Add(loop))
			}
			continue
		}
		entry.Ignore(at, x.sw.now.Add(loop))
		x.noteReaction(entry, message, n, 0)
		x.slowDown(entry, n)
	}
	x.scheduleTurn()
}

// noteReaction records that a flow gets n CNPs for a message, with a rate or, where that is 0, none.
func (x *proximity) noteReaction(entry *proximal.Entry, message *notification.Message, n int, rate unit.BitRate) {
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
		Rate:  rate,
	})
}

// identify finds the sender's QP, and reports whether it is known.
func (x *proximity) identify(entry *proximal.Entry) bool {
	if entry.SrcQP == 0 {
		entry.SrcQP = x.connections[entry.Flow]
	}
	return entry.SrcQP != 0
}

// hold has the receiver's CNPs for a flow held back while a point is congested for it, of
// which the loop is given, and one end-to-end loop after: by then the last mark of that
// congestion has come. Where the receiver is as near as the point, it is not waited for.
// Messages come anew while the congestion lasts; until bounds it where the last word on
// it is lost, by an end-to-end loop and an interval at most.
func (x *proximity) hold(entry *proximal.Entry, at proximal.Point, loop unit.Duration, until unit.Time) {
	if !x.profile.Filter || !x.nearer(loop, entry.SrcIP, entry.DstIP) {
		return
	}
	endToEnd := x.endToEnd(entry.SrcIP, entry.DstIP)
	entry.Hold(at, min(until, x.sw.now.Add(endToEnd+x.profile.Interval)), endToEnd)
}

// slowDown sends n CNPs to a flow's sender, one by one.
func (x *proximity) slowDown(entry *proximal.Entry, n int) {
	if x.pacer.Add(entry, n, x.profile.MaxCNPs) {
		x.sendCNP(entry)
	}
}

// sendCNP sends one CNP to a flow's sender.
func (x *proximity) sendCNP(entry *proximal.Entry) {
	frame := x.newCNP(entry, 0)
	next := entry.OnCNP(x.sw.now, x.profile)
	// The sender cuts within a Spacing, and what it sends then comes a loop of the access link later.
	entry.Meter.Restart(x.sw.now.Add(x.Access[entry.SrcIP-x.firstIP] + x.profile.Spacing))
	x.rec.CNPs++
	x.pacer.Sent(entry, x.sw.now, next)
	x.sw.originate(frame)
}

// newCNP makes a CNP to a flow's sender, with a rate or, where that is 0, none. It is
// what the flow's receiver would send (RoCEv2, IBA volume 1 annex 17, A17.9.3), with
// the receiver's addresses, so that any NIC takes it.
func (x *proximity) newCNP(entry *proximal.Entry, rate unit.BitRate) *wire.Frame {
	frame := x.sw.out.New()
	spare := frame.Rare
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
	if rate > 0 {
		frame.SetCNPRate(rate, spare)
	}
	return frame
}

// senderPort is the port to a flow's sender, below 0 for none.
func (x *proximity) senderPort(entry *proximal.Entry) int {
	f := wire.Frame{EtherType: wire.EtherTypeIPv4, DstIP: entry.SrcIP}
	return x.sw.fwd.next(&f, x.sw.now)
}

// pausedClass is a class of a port to a sender.
type pausedClass struct {
	port  int
	class uint8
}

// pauseSender pauses a flow's class at the port of its sender, for the share of an
// interval that the sender is to lose, once for each message.
//
// The class is the one in which the flow's own packets come from the sender. The message
// names the class of the congested queue, which is another where the switches map
// code points in other ways, or where the queue carries several classes: then each
// flow is paused in its own. A control class is never paused.
//
//	quanta = ceil( (1 - r) T_n rate / 512 )
//
// with r the part of their rate that the arrivals are to keep. Nothing renews it,
// and it ends by itself. It reports whether there was anything to pause.
func (x *proximity) pauseSender(entry *proximal.Entry, pi int, at proximal.Point, wanted float64,
	depth unit.Bytes) bool {
	port, class := &x.sw.ports[pi], entry.Class&7
	if wanted >= 1 || has(x.sw.control, class) || has(port.xoff, class) { // paused for longer
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
