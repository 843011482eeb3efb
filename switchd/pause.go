package switchd

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// pause answers a point's congestion by PFC, with the profile's Pause: it pauses a flow's class at
// its sender where the arrivals are too many and the flow is a part of the queue that counts.
func (x *proximity) pause(entry *proximal.Entry, s *said, loop unit.Duration, part float64) {
	wanted, _ := s.reading.Wanted(max(loop, x.profile.Interval))
	if wanted >= 1 || part < proximal.LeastShare {
		return
	}
	entry.SlowedDown(s.at, &s.reading)
	to := pausedClass{x.senderPort(entry), entry.Class}
	if to.port >= 0 && (slices.Contains(s.paused, to) || x.pauseSender(entry, to.port, s.at, wanted, s.Depth)) {
		s.paused = append(s.paused, to)
		entry.Ignore(s.at, x.sw.now.Add(loop))
	}
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
// The class is the one in which the flow's own packets come from the sender. The message names the class of the
// congested queue, which is another if the switches map code points in other ways, or if the queue carries several
// classes: then each flow is paused in its own. A control class is never paused.
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
