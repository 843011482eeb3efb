package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// watchdog breaks PFC storms at one port: a queue that was paused and not empty
// for Detect without sending is freed from its pause. It is flushed, and what
// comes for it dropped, or it sends on as if not paused. It is normal again once
// no pause was in force for Restore. Timers run only while a queue is stalled or
// freed. Model: the PFC watchdog of SONiC, whose polling it makes exact.
type watchdog struct {
	profile profile.Watchdog
	// queueOf gives the queue of each class.
	queueOf *[profile.Classes]uint8
	// due is, by queue, when a storm is detected or the queue is looked at again.
	due deadlines
	// storms are those broken, in the order of time.
	storms []record.BrokenStorm
}

// stalled reports whether the watch over a queue that is paused and not empty
// begins now; if so a storm is detected at the returned time.
func (w *watchdog) stalled(qi uint8, now unit.Time) (detect unit.Time, begins bool) {
	return now.Add(w.profile.Detect), w.profile.Enabled && !w.due.pending(qi)
}

// detect notes the storm that ends now for queue qi, which the pauses of the
// classes in held had stopped.
func (w *watchdog) detect(qi, held uint8, now unit.Time, in *ingress) {
	storm := record.BrokenStorm{At: now, Until: unit.Never}
	for held != 0 {
		c := bits.Len8(held) - 1
		held &^= 1 << c
		if w.queueOf[c] == qi {
			in.account(uint8(c)).rec.WatchdogFired++
			storm.Class = uint8(c)
		}
	}
	w.storms = append(w.storms, storm)
}

// latest returns the latest storm that was broken at a queue; there must be one.
func (w *watchdog) latest(qi uint8) *record.BrokenStorm {
	i := len(w.storms) - 1
	for w.queueOf[w.storms[i].Class] != qi {
		i--
	}
	return &w.storms[i]
}

// watchStalled starts the watchdog for a queue that is paused and not empty.
func (s *Switch) watchStalled(port *port, qi uint8) {
	if at, begins := port.watchdog.stalled(qi, s.now); begins {
		s.arm(port, port.watchdog.due.of(qi), at, timerWatch, qi)
	}
}

// watch handles the watchdog's deadline of a queue: detection or restoration.
func (s *Switch) watch(port *port, qi uint8) {
	if !has(port.storm, qi) {
		s.breakStorm(port, qi)
		return
	}
	due := port.watchdog.due.of(qi)
	for c, q := range s.queueOf {
		if again := port.pauses.Until(uint8(c)).Add(port.watchdog.profile.Restore); q == qi && again > s.now {
			s.arm(port, due, max(again, due.At()), timerWatch, qi)
		}
	}
	if !due.Pending() {
		port.storm &^= 1 << qi
		port.watchdog.latest(qi).Until = s.now
	}
}

func (s *Switch) breakStorm(port *port, qi uint8) {
	port.watchdog.detect(qi, port.pauses.Held(), s.now, &port.ingress)
	port.storm |= 1 << qi
	s.arm(port, port.watchdog.due.of(qi), s.now.Add(port.watchdog.profile.Restore), timerWatch, qi)
	if port.watchdog.profile.Drop {
		s.flush(port, qi)
	}
	s.updateBlocked(port)
	s.startIfFree(port)
}

// flush drops all frames of a queue.
func (s *Switch) flush(port *port, qi uint8) {
	q := port.queues[qi]
	port.watchdog.latest(qi).Flushed += uint64(q.Len())
	clearQueue(s, port, qi, fabric.DropWatchdog)
}

// clearQueue drops all frames of a queue for a reason, and frees their memory.
func clearQueue(s *Switch, port *port, qi uint8, reason fabric.DropReason) {
	q := port.queues[qi]
	port.empty(qi)
	for !q.Empty() {
		e := q.Pop()
		q.drain(unit.Bytes(e.len), s.now)
		if reason.IsFlush() {
			port.faults.Flushed(e.frame)
		}
		s.evict(port, q, &e, reason)
	}
}

// reset forgets all storms, now that the link is down: it ends the storms of the queues in a set.
func (w *watchdog) reset(broken uint8, now unit.Time) {
	w.due.clearAll()
	for ; broken != 0; broken &= broken - 1 {
		w.latest(uint8(bits.TrailingZeros8(broken))).Until = now
	}
}

// flushes reports whether a frame that comes for a queue is dropped, because the link is down or by the
// watchdog, which counts it.
func (p *port) flushes(qi uint8) bool {
	if p.down {
		return true
	}
	if !has(p.storm, qi) || !p.watchdog.profile.Drop {
		return false
	}
	p.watchdog.latest(qi).Dropped++
	return true
}

// flushReason returns the reason for which a port drops a frame that it flushes; losses to an outage are counted.
func (p *port) flushReason(frame *wire.Frame) fabric.DropReason {
	if p.down {
		p.faults.Flushed(frame)
		return fabric.DropPortDown
	}
	return fabric.DropWatchdog
}
