package bare

import (
	"sync/atomic"
	"time"
)

// TooLate is the largest delay of a window, or of a sleep of the timer, that does not count as late.
const TooLate = 200 * time.Microsecond

// Beat is the time between two instants of the timer.
const Beat = time.Millisecond

// Beside finds out whether a loop of windows and the bare timer beside it are late together. It is plain data, and may
// be in memory that processes share. Its zero value has no timer. Unit of instants: ns of CLOCK_MONOTONIC.
type Beside struct {
	due              atomic.Int64 // the end of the timer's present sleep
	lastFrom, lastTo atomic.Int64 // its last late sleep: when that was to end, and when it ended
	late, seen, both atomic.Uint64
}

// Sleep notes that the timer sleeps until an instant from now on.
func (b *Beside) Sleep(due int64) { b.due.Store(due) }

// Woke notes that the timer woke now from a sleep until due.
func (b *Beside) Woke(due, now int64) {
	if now-due > int64(TooLate) {
		b.lastFrom.Store(due)
		b.lastTo.Store(now)
	}
}

// Window notes that a window begins now that could have begun at an instant: when it was due, or later by the delay
// that it has from the window before it (see pace.Drift). A late one is seen if the timer can show whether the host was
// late too: an instant of the timer is between the two, at least TooLate before now. Both were late if the timer slept
// for too long in that time.
func (b *Beside) Window(due, now int64) {
	if now-due <= int64(TooLate) {
		return
	}
	b.late.Add(1)
	awaited := b.due.Load()
	before := awaited - int64(Beat)
	switch last := now - int64(TooLate); {
	case awaited == 0:
	case awaited < last, b.lastTo.Load() >= due && b.lastFrom.Load() <= now:
		b.seen.Add(1)
		b.both.Add(1)
	case before >= due && before <= last:
		b.seen.Add(1)
	}
}

// Together counts the late windows, the seen ones among them, and of these the ones with a late timer.
func (b *Beside) Together() (late, seen, both uint64) {
	late = b.late.Load()
	seen = min(b.seen.Load(), late)
	return late, seen, min(b.both.Load(), seen)
}
