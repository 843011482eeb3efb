package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
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
		s.broken(p, qi).Until = s.now
	}
}

func (s *Switch) breakStorm(p *port, qi uint8) {
	storm := record.Storm{At: s.now, Until: unit.Never}
	for held := p.held; held != 0; {
		c := bits.Len8(held) - 1
		held &^= 1 << c
		if s.queueOf[c] == qi {
			p.rec.Class[c].WatchdogFired++
			storm.Class = uint8(c)
		}
	}
	p.rec.Storms = append(p.rec.Storms, storm)
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
	s.broken(p, qi).Flushed += uint64(q.len())
	p.busy &^= 1 << qi
	q.deficit = 0
	for !q.empty() {
		e := *q.first()
		q.pop()
		q.drain(unit.Bytes(e.len), s.now)
		s.evict(p, q, &e, fabric.DropWatchdog)
	}
}

// flushes reports whether the watchdog drops a frame that comes for a queue,
// and counts it if so.
func (s *Switch) flushes(p *port, qi uint8) bool {
	if p.storm&(1<<qi) == 0 || !s.watchdog.Drop {
		return false
	}
	s.broken(p, qi).Dropped++
	return true
}

// broken returns the record of the latest storm that was broken at a queue.
func (s *Switch) broken(p *port, qi uint8) *record.Storm {
	i := len(p.rec.Storms) - 1
	for s.queueOf[p.rec.Storms[i].Class] != qi {
		i--
	}
	return &p.rec.Storms[i]
}
