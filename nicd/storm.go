package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// fullQuanta is the longest pause that a frame can ask for.
const fullQuanta = 1<<16 - 1

// storm is the broken part of a NIC that pauses its peer without need; see
// profile.Storm. Apart from its pauses the NIC works as ever.
//
// begin, end and due are called at their times; the classes that they return, as
// bits, are those whose state the next PFC frame is to tell, which tell fills.
type storm struct {
	spans []profile.Storm
	// until is when the last storm of a class that has begun ends.
	until [profile.Classes]unit.Time
	// refresh sends a class's pause again after every, half of its time, so
	// that one which the link loses leaves no gap.
	refresh [profile.Classes]link.Timer
	every   unit.Duration
}

func newStorm(spans []profile.Storm, rate unit.BitRate) *storm {
	return &storm{spans: spans, every: link.PauseTime(fullQuanta, rate) / 2}
}

// begin lets storm i begin.
func (s *storm) begin(i uint32) (tell uint8) {
	span := &s.spans[i]
	s.until[span.Class] = span.To
	return 1 << span.Class
}

// end ends storm i, unless the next of its class has begun.
func (s *storm) end(i uint32, now unit.Time) (tell uint8) {
	if c := s.spans[i].Class; s.until[c] <= now {
		tell = 1 << c
	}
	return tell
}

// due is the event at which a class's pause is sent again.
func (s *storm) due(class uint32, now unit.Time) (tell uint8) {
	if s.refresh[class].Fired(now) && now < s.until[class] {
		tell = 1 << class
	}
	return tell
}

// tell makes f a PFC frame that tells the state of the given classes, XOFF with
// the longest pause or XON, and counts it. It returns the classes whose pause is to
// be sent again after every.
func (s *storm) tell(f *wire.Frame, mac wire.MAC, classes uint8, now unit.Time, r *record.Port) (again uint8) {
	f.SetPFC(mac, 0, 0)
	f.ClassEnable = classes
	for rest := classes; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		if now >= s.until[c] {
			r.Class[c].SentXON++
			continue
		}
		f.Pause[c] = fullQuanta
		r.Class[c].SentXOFF++
		again |= 1 << c
	}
	r.TxPFCFrames++
	r.TxPFCBytes += uint64(f.Len())
	return again
}

// scheduleStorms schedules the storms of a NIC. All begin before any ends: where
// one storm follows another at once, the class must not seem free between them.
func (n *NIC) scheduleStorms() {
	for i, p := range n.storm.spans {
		n.queue.Schedule(p.From, event.Timer, 0, arg(jobStorm, uint32(i)))
	}
	for i, p := range n.storm.spans {
		n.queue.Schedule(p.To, event.Timer, 0, arg(jobCalm, uint32(i)))
	}
}

// sendPause sends one PFC frame that tells the state of all classes to be
// announced.
func (n *NIC) sendPause(now unit.Time) {
	p, f := &n.port, n.out.New()
	again := n.storm.tell(f, n.mac, p.announce, now, p.record)
	p.announce = 0
	for ; again != 0; again &= again - 1 {
		c := bits.TrailingZeros8(again)
		n.arm(&n.storm.refresh[c], now.Add(n.storm.every), jobRefresh, uint32(c))
	}
	p.start(now, uint64(f.Len()), n.tx.Time(f.Len(), f))
	n.out.Emit(0, n.attachment.Link, now, f)
}
