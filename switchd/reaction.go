package switchd

import (
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// This is the proximal device: it slows senders down on behalf of congested
// devices, and foresees congestion that comes again.

// receiveMessage receives a notification that came in at port in. A faulty one is counted, and then has no effect.
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
	default:
		fresh := x.windows[message.Origin].Accept(message.Sequence)
		switch {
		case !fresh:
			ignored = record.IgnoredReplayed
		case message.Time > x.sw.now || message.Lifetime > 0 && x.sw.now.Sub(message.Time) > message.Lifetime:
			ignored = record.IgnoredStale
		}
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

// readingOf returns the reading of the port in a message.
func readingOf(message *notification.Message) proximal.Reading {
	return proximal.Reading{
		Depth:     message.Depth,
		Before:    message.Before,
		Elapsed:   message.Elapsed,
		Rate:      message.Rate,
		Usage:     float64(message.Usage) / (1<<16 - 1),
		Threshold: message.Threshold,
		Kmax:      message.Kmax,
		Live:      int(message.Live),
		Level:     float64(message.Level) / (1<<16 - 1),
	}
}

// said is the content of a message about a congested point, for the answers to it.
type said struct {
	*notification.Message
	at      proximal.Point
	reading proximal.Reading
	// largest is the largest share of a flow in the queue, 0 to 1.
	largest float64
	// paused are the classes that are paused for it: each is once.
	paused []pausedClass
}

// react slows down the flows of a message, whose senders are next to this switch.
func (x *proximity) react(message *notification.Message) {
	s := said{Message: message, at: pointOf(message), reading: readingOf(message)}
	largest := uint16(1)
	for i := range message.Flows[:message.Count] {
		largest = max(largest, message.Flows[i].Share)
	}
	s.largest = float64(largest) / (1<<16 - 1)
	for i := range message.Flows[:message.Count] {
		flow := &message.Flows[i]
		entry, loop := x.listen(&s, flow)
		if entry == nil {
			continue
		}
		part := float64(flow.Share) / (1<<16 - 1)
		switch {
		case x.profile.Rate:
			x.allot(entry, &s, loop)
		case x.profile.Pause:
			x.pause(entry, &s, loop, part)
		default:
			x.cut(entry, &s, loop, part)
		}
	}
	x.scheduleTurn()
}

// listen records a message about a flow, and returns the flow with the loop from the point to its sender, nil if there
// is nothing to do about it: it is not one of the flows here, or an answer to an earlier message is on its way.
func (x *proximity) listen(s *said, flow *notification.Flow) (entry *proximal.Entry, loop unit.Duration) {
	entry = x.table.Find(flowOf(flow))
	if entry == nil { // senders elsewhere are in no table here
		x.rec.Ignored[record.IgnoredUnknownFlow]++
		return nil, 0
	}
	if !x.profile.Pause {
		if known := x.identify(entry); !known {
			x.rec.Ignored[record.IgnoredUnknownQP]++
			return nil, 0
		}
	}
	loop = x.loop(int(s.Origin), entry.SrcIP)
	x.hold(entry, s.at, loop, s.Time.Add(s.Lifetime))
	entry.Heard(s.at, &s.reading)
	if entry.Ignores(s.at, x.sw.now) {
		x.rec.Ignored[record.IgnoredHeld]++
		return nil, 0
	}
	return entry, loop
}

// cut sends a flow's sender the CNPs that bring it to its share: part of the queue is the flow's.
func (x *proximity) cut(entry *proximal.Entry, s *said, loop unit.Duration, part float64) {
	n := entry.CNPs(x.sw.now, x.profile, &s.reading, part, s.largest)
	if n == 0 {
		return
	}
	entry.SlowedDown(s.at, &s.reading)
	entry.Ignore(s.at, x.sw.now.Add(loop))
	x.noteReaction(entry, s.Message, n, 0)
	x.slowDown(entry, n)
}

// noteReaction records that a flow gets n CNPs for a message, with a rate or, if that is 0, none.
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

// hold holds back the receiver's CNPs for a flow while a point is congested for it, given its loop, and one end-to-end
// loop after: by then the last mark of that congestion has come. If the receiver is as near as the point, there is no
// such wait. Messages repeat while the congestion lasts; until bounds it if the last one is lost, by an end-to-end loop
// and an interval at most.
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

// newCNP makes a CNP to a flow's sender, with a rate or, if that is 0, none. It is the CNP that the flow's receiver
// would send (RoCEv2, IBA volume 1 annex 17, A17.9.3), with the receiver's addresses, so that any NIC takes it.
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

// allot answers a point's congestion by a rate, with the profile's Rate: a flow that sends more, or less, than it may
// there gets one CNP that carries the rate, in place of as many as would bring it there. A point's message is valid for
// two intervals, within which it would be repeated.
func (x *proximity) allot(entry *proximal.Entry, s *said, loop unit.Duration) {
	allotted := s.reading.Allotment()
	if allotted.Least == 0 {
		return
	}
	rate := entry.Allot(s.at, allotted, x.sw.now.Add(loop+2*x.profile.Interval), x.sw.now)
	if rate == 0 {
		return
	}
	entry.Ignore(s.at, x.sw.now.Add(loop))
	entry.Told(rate, x.sw.now.Add(x.Access[entry.SrcIP-x.firstIP]))
	x.noteReaction(entry, s.Message, 1, rate)
	x.rec.CNPs++
	x.rec.Rated++
	// It leaves alpha as it is, and need not keep a distance from the one before. A NIC that knows nothing of
	// rates takes it as any CNP.
	x.sw.originate(x.newCNP(entry, rate))
}
