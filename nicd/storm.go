package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// fullQuanta is the longest pause that a frame can ask for.
const fullQuanta = 1<<16 - 1

// storm is the broken part of a NIC that pauses its peer without need; see
// profile.Storm. Apart from its pauses the NIC works as ever.
type storm struct {
	// until is when the last storm of a class that has begun ends.
	until [profile.Classes]unit.Time
	// refresh sends a class's pause again after every, half of its time, so
	// that one which the link loses leaves no gap.
	refresh [profile.Classes]link.Timer
	every   unit.Duration
}

// newStorm schedules the storms of a NIC; it is nil for one that is never
// broken. All begin before any ends: where one storm follows another at once,
// the class must not seem free between them.
func (n *NIC) newStorm() *storm {
	if len(n.profile.Storms) == 0 {
		return nil
	}
	s := &storm{every: link.PauseTime(fullQuanta, n.tx.Rate()) / 2}
	for i, p := range n.profile.Storms {
		n.queue.Schedule(p.From, event.Timer, 0, arg(jobStorm, uint32(i)))
	}
	for i, p := range n.profile.Storms {
		n.queue.Schedule(p.To, event.Timer, 0, arg(jobCalm, uint32(i)))
	}
	return s
}

// beginStorm lets a storm begin.
func (n *NIC) beginStorm(i uint32) {
	p := &n.profile.Storms[i]
	n.storm.until[p.Class] = p.To
	n.port.announce |= 1 << p.Class
}

// endStorm ends a storm, unless the next has begun.
func (n *NIC) endStorm(i uint32, now unit.Time) {
	if c := n.profile.Storms[i].Class; n.storm.until[c] <= now {
		n.port.announce |= 1 << c
	}
}

// refreshStorm sends a class's pause again.
func (n *NIC) refreshStorm(class uint32, now unit.Time) {
	if s := n.storm; s.refresh[class].Fired(now) && now < s.until[class] {
		n.port.announce |= 1 << class
	}
}

// sendPause sends one PFC frame that tells the state of all classes to be
// announced: XOFF with the longest pause, or XON.
func (n *NIC) sendPause(now unit.Time) {
	s, p := n.storm, &n.port
	f := n.out.New()
	f.SetPFC(n.mac, 0, 0)
	f.ClassEnable = p.announce
	for rest := p.announce; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		if now >= s.until[c] {
			p.record.Class[c].SentXON++
			continue
		}
		f.Pause[c] = fullQuanta
		p.record.Class[c].SentXOFF++
		n.arm(&s.refresh[c], now.Add(s.every), jobRefresh, uint32(c))
	}
	p.announce = 0
	p.record.TxPFCFrames++
	p.record.TxPFCBytes += uint64(f.Len())
	p.start(now, uint64(f.Len()), n.tx.Time(f.Len(), f))
	n.out.Emit(0, n.attachment.Link, now, f)
}
