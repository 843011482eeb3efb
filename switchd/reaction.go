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
func (x *proximity) receiveMessage(in *port, f *wire.Frame, l unit.Bytes) {
	var m notification.Message
	ignored := record.NumProximalIgnored
	switch err := notification.Decode(f.Rare.Payload, &m); {
	case err != nil:
		ignored = record.IgnoredMalformed
	case uint64(m.Origin) >= uint64(len(x.Loops)) || f.SrcIP != x.loopback+m.Origin || m.Origin == x.id:
		ignored = record.IgnoredSpoofed
	case !x.windows[m.Origin].Accept(m.Sequence):
		ignored = record.IgnoredReplayed
	case m.Time > x.sw.now || m.Lifetime > 0 && x.sw.now.Sub(m.Time) > m.Lifetime:
		ignored = record.IgnoredStale
	}
	x.sw.sink(in, f, l)
	if ignored != record.NumProximalIgnored {
		x.rec.Ignored[ignored]++
		return
	}
	x.rec.Received[m.Type]++
	switch m.Type {
	case notification.Congestion:
		x.react(&m)
	case notification.Clear:
		x.table.EndHolds(pointOf(&m))
	case notification.Learned, notification.Release:
		until := x.sw.now
		if m.Type == notification.Learned {
			until = x.sw.now.Add(m.Lifetime)
		}
		for i := range m.Flows[:m.Count] {
			if f := flowOf(&m.Flows[i]); x.nearest(f.SrcIP) == int(m.Origin) {
				x.silence.Keep(f, x.sw.now, until)
			} else {
				x.rec.Ignored[record.IgnoredSpoofed]++
			}
		}
	}
}

func pointOf(m *notification.Message) proximal.Point {
	return proximal.Point{Device: m.Origin, Port: m.Port, Class: m.Priority}
}

func flowOf(f *notification.Flow) proximal.Flow {
	return proximal.Flow{SrcIP: f.SrcIP, DstIP: f.DstIP, DstQP: f.DstQP}
}

// readingOf is what m says of the port.
func readingOf(m *notification.Message) proximal.Reading {
	return proximal.Reading{
		Depth:   m.Depth,
		Before:  m.Before,
		Elapsed: m.Elapsed,
		Rate:    m.Rate,
		Usage:   float64(m.Usage) / (1<<16 - 1),
		Kmin:    m.Kmin,
		Kmax:    m.Kmax,
	}
}

// react slows down the flows of m, whose senders are next to this switch.
func (x *proximity) react(m *notification.Message) {
	at, reading := pointOf(m), readingOf(m)
	largest := uint16(1)
	for i := range m.Flows[:m.Count] {
		largest = max(largest, m.Flows[i].Share)
	}
	var paused []int // ports, of which each is paused once
	for i := range m.Flows[:m.Count] {
		f := &m.Flows[i]
		e := x.table.Find(flowOf(f))
		switch {
		case e == nil: // senders elsewhere are in no table here
			x.rec.Ignored[record.IgnoredUnknownFlow]++
			continue
		case e.Held(at, x.sw.now):
			x.rec.Ignored[record.IgnoredHeld]++
			continue
		case !x.profile.Pause && !x.identify(e):
			x.rec.Ignored[record.IgnoredUnknownQP]++
			continue
		}
		loop := x.loop(int(m.Origin), e.SrcIP)
		wanted, _ := reading.Wanted(max(loop, x.profile.Interval))
		part := float64(f.Share) / (1<<16 - 1)
		alpha := e.Alpha(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
		n := proximal.CNPs(x.profile, &reading, loop, alpha, part, float64(largest)/(1<<16-1))
		e.Notified(x.sw.now, at, n, x.profile.MaxCNPs, wanted, unit.BitRate(float64(m.Rate)*part))
		if n == 0 {
			continue
		}
		if x.profile.Pause {
			if pi := x.senderPort(e); pi >= 0 && (slices.Contains(paused, pi) || x.pauseSender(e, pi, at, wanted, m.Depth)) {
				paused = append(paused, pi)
				e.Hold(at, x.sw.now.Add(loop))
			}
			continue
		}
		e.Hold(at, x.sw.now.Add(loop))
		x.note(record.ProximalAction{
			At:    x.sw.now,
			Kind:  record.ProximalReact,
			Peer:  int(m.Origin),
			Port:  m.Port,
			Class: m.Priority,
			Depth: m.Depth,
			SrcIP: e.SrcIP,
			DstIP: e.DstIP,
			DstQP: e.DstQP,
			CNPs:  n,
		})
		x.slowDown(e, n)
	}
	x.awaitTurn()
}

// identify finds the sender's QP, and reports whether it is known.
func (x *proximity) identify(e *proximal.Entry) bool {
	if e.SrcQP == 0 {
		e.SrcQP = x.connections[e.Flow]
	}
	return e.SrcQP != 0
}

// slowDown sends n CNPs to a flow's sender, one by one.
func (x *proximity) slowDown(e *proximal.Entry, n int) {
	if x.pacer.Add(e, n, x.profile.MaxCNPs) {
		x.sendCNP(e)
	}
}

// sendCNP sends one CNP to a flow's sender. It is what the flow's receiver would
// send (RoCEv2, IBA volume 1 annex 17, A17.9.3), with the receiver's addresses,
// so that any NIC takes it.
func (x *proximity) sendCNP(e *proximal.Entry) {
	f := x.sw.out.New()
	*f = wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       e.Receiver,
		Dst:       e.Sender,
		SrcIP:     e.DstIP,
		DstIP:     e.SrcIP,
		TOS:       x.profile.DSCP << 2,
		TTL:       timeToLive,
		Fragment:  wire.DontFragment,
		SrcPort:   e.SrcPort,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		Flags:     wire.FlagMigReq,
		PKey:      wire.DefaultPKey,
		DestQP:    e.SrcQP,
	}
	e.Heard(x.sw.now, x.profile.Gain, x.profile.GainPeriod)
	x.rec.CNPs++
	x.pacer.Sent(e, x.sw.now, x.profile.Spacing)
	x.sw.originate(f)
}

// senderPort is the port to a flow's sender, below 0 for none.
func (x *proximity) senderPort(e *proximal.Entry) int {
	f := wire.Frame{EtherType: wire.EtherTypeIPv4, DstIP: e.SrcIP}
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
func (x *proximity) pauseSender(e *proximal.Entry, pi int, at proximal.Point, wanted float64, depth unit.Bytes) bool {
	p, class := &x.sw.ports[pi], at.Class&7
	if wanted >= 1 || has(p.xoff, class) { // paused for longer
		return false
	}
	quanta := math.Ceil((1 - wanted) * x.profile.Interval.Seconds() * float64(p.tx.Rate()) / 512)
	p.asker.brief[class] = uint16(min(quanta, 1<<16-1))
	x.rec.Pauses++
	x.note(record.ProximalAction{
		At:    x.sw.now,
		Kind:  record.ProximalPause,
		Peer:  int(at.Device),
		Port:  uint16(pi),
		Class: class,
		Depth: depth,
		SrcIP: e.SrcIP,
		DstIP: e.DstIP,
		DstQP: e.DstQP,
	})
	x.sw.announce(p, class)
	return true
}
