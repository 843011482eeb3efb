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
func (s *Switch) stand(p *port, qi uint8, now unit.Time) {
	if d := &p.watch[qi]; s.watchdog.Enabled && d.at == 0 {
		s.arm(p, d, now.Add(s.watchdog.Detect), timerWatch, qi)
	}
}

// watch handles the watchdog's deadline of a queue: detection or restoration.
func (s *Switch) watch(p *port, qi uint8, now unit.Time, out *fabric.Outbox) {
	if p.storm&(1<<qi) == 0 {
		s.breakStorm(p, qi, now, out)
		return
	}
	for c, q := range s.queueOf {
		if again := p.heldUntil[c].Add(s.watchdog.Restore); q == qi && again > now {
			s.arm(p, &p.watch[qi], max(again, p.watch[qi].at), timerWatch, qi)
		}
	}
	if p.watch[qi].at == 0 {
		p.storm &^= 1 << qi
	}
}

func (s *Switch) breakStorm(p *port, qi uint8, now unit.Time, out *fabric.Outbox) {
	for rest := p.held; rest != 0; rest &= rest - 1 {
		if c := bits.TrailingZeros8(rest); s.queueOf[c] == qi {
			p.rec.Class[c].WatchdogFired++
		}
	}
	p.storm |= 1 << qi
	s.arm(p, &p.watch[qi], now.Add(s.watchdog.Restore), timerWatch, qi)
	if s.watchdog.Drop {
		s.flush(p, qi, now, out)
	}
	s.block(p, now)
	s.kick(p, now, out)
}

// flush drops all frames of a queue.
func (s *Switch) flush(p *port, qi uint8, now unit.Time, out *fabric.Outbox) {
	q := &p.queues[qi]
	p.busy &^= 1 << qi
	q.deficit = 0
	for !q.empty() {
		e := *q.first()
		q.pop()
		q.drain(unit.Bytes(e.len), now)
		s.evict(&e, fabric.DropWatchdog, now, out)
	}
}

// flushes reports whether frames for a queue are dropped by the watchdog.
func (s *Switch) flushes(p *port, qi uint8) bool {
	return p.storm&(1<<qi) != 0 && s.watchdog.Drop
}
