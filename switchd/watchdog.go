package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// The watchdog breaks PFC storms: a queue that stood paused and not empty for
// Detect without sending is freed from its pause. It is flushed, and what comes
// for it dropped, or it sends on as if not paused. It is normal again once no
// pause was in force for Restore. Timers run only while a queue stands or is
// freed. Model: the PFC watchdog of SONiC, whose polling it makes exact.

// stand starts the watchdog for a queue that stands paused and not empty.
func (s *Switch) stand(p *port, qi uint8) {
	if d := &p.watch[qi]; s.watchdog.Enabled && d.at == 0 {
		s.arm(p, d, s.now.Add(s.watchdog.Detect), timerWatch, qi)
	}
}

// watch handles the watchdog's deadline of a queue: detection or restoration.
func (s *Switch) watch(p *port, qi uint8) {
	if p.storm&(1<<qi) == 0 {
		s.breakStorm(p, qi)
		return
	}
	for c, q := range s.queueOf {
		if again := p.heldUntil[c].Add(s.watchdog.Restore); q == qi && again > s.now {
			s.arm(p, &p.watch[qi], max(again, p.watch[qi].at), timerWatch, qi)
		}
	}
	if p.watch[qi].at == 0 {
		p.storm &^= 1 << qi
	}
}

func (s *Switch) breakStorm(p *port, qi uint8) {
	for rest := p.held; rest != 0; rest &= rest - 1 {
		if c := bits.TrailingZeros8(rest); s.queueOf[c] == qi {
			p.rec.Class[c].WatchdogFired++
		}
	}
	p.storm |= 1 << qi
	s.arm(p, &p.watch[qi], s.now.Add(s.watchdog.Restore), timerWatch, qi)
	if s.watchdog.Drop {
		s.flush(p, qi)
	}
	s.block(p)
	s.kick(p)
}

// flush drops all frames of a queue.
func (s *Switch) flush(p *port, qi uint8) {
	q := &p.queues[qi]
	p.busy &^= 1 << qi
	q.deficit = 0
	for !q.empty() {
		e := *q.first()
		q.pop()
		q.drain(unit.Bytes(e.len), s.now)
		s.evict(&e, fabric.DropWatchdog)
	}
}

// flushes reports whether frames for a queue are dropped by the watchdog.
func (s *Switch) flushes(p *port, qi uint8) bool {
	return p.storm&(1<<qi) != 0 && s.watchdog.Drop
}
