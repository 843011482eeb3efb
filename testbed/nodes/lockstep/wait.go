package lockstep

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/nap"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// brief is the longest wait for a time that holds on to the Go processor, which wakes the
// sooner for it.
const brief = int64(time.Millisecond)

// patience is the longest wait of a member for its sockets: a run that is stopped, aborted or left meanwhile is noticed
// after it.
const patience = int64(20 * time.Millisecond)

// waits are the ways to wait of a member, with the clock on the wall.
type waits struct {
	now func() int64
	// rest waits until the bell has left a value or is rung, or until an instant; watch waits for the sockets, or until an
	// instant; spin is like rest, and keeps the processor. All may return early.
	rest, spin func(value uint32, until int64)
	watch      func(until int64)
	// nap chooses.
	nap nap.Nap
}

// Serve sets a function to be called while this member waits, for a window or before it grants one: at once, at each
// time that its last call returned, and after Ring. Its argument is the time on CLOCK_MONOTONIC.
func (m *Member) Serve(serve func(now int64) (again int64)) { m.serve, m.again = serve, 0 }

// Alone reports whether the member is the only participant: no one else grants it a window.
func (m *Member) Alone() bool { return m.page.setup.Participants == 1 }

// Watch sets the sockets that Arm is about. The member must be the only one.
func (m *Member) Watch(sockets []unix.PollFd) { m.sockets = sockets }

// Arm lets the next wait end, too, when one of the sockets has something; the function that Serve set is then called.
// That function calls it.
func (m *Member) Arm() { m.armed = true }

// Ring has the function that Serve set called soon. Another goroutine may call it.
func (m *Member) Ring() {
	m.rung.Store(true)
	m.bell.Add(1)
	m.bell.wake(m.bit)
}

// sleep waits until the bell has left the value, or until an instant on
// CLOCK_MONOTONIC; meanwhile it serves. It may return early.
func (m *Member) sleep(value uint32, until int64) {
	m.armed = false
	if m.serve != nil {
		if now := m.now(); m.again <= now || m.rung.Swap(false) {
			if m.again = m.serve(now); m.bell.Load() != value {
				return // it hastened the next window
			}
		}
		until = min(until, m.again)
	}
	spins, timer := false, until
	if m.page.clock != nil {
		until, timer = m.nap.Until(until, m.woken)
		spins, timer = m.nap.Spins(m.now(), until, timer)
	}
	switch {
	case spins:
		m.spin(value, until)
	case m.armed:
		m.watch(timer)
	default:
		m.rest(value, timer)
	}
	if m.woken = m.now(); !spins && timer <= m.woken && m.woken < until {
		m.spin(value, until) // the sleep was less late than its timer was set ahead
		m.woken = m.now()
	}
	if m.armed {
		m.again = 0 // served again, it arms the next wait, or does not
	}
}

// MeasureSleep measures sleeps of the calling thread, the member's. From then on waits that are shorter than the
// processor time of a sleep spin. It takes a few milliseconds.
func (m *Member) MeasureSleep() { m.nap.Measure() }

// restInBell waits for the bell, or until an instant.
func (m *Member) restInBell(value uint32, until int64) {
	if until != forever && until-pace.Now() > brief && !m.keeps {
		m.long = true
	}
	m.long = m.bell.wait(value, m.bit, until, &m.timeout, m.long) || m.long
	if m.keeps {
		m.long = false // a signal of the runtime ends each wait for it
	}
}

// spinForBell keeps the processor until the bell has left a value, or until an instant.
func (m *Member) spinForBell(value uint32, until int64) {
	nap.Spin(until, func() bool { return m.bell.Load() != value })
}

// watchSockets waits for the sockets, or until an instant.
func (m *Member) watchSockets(until int64) {
	wait := pace.Wait
	if m.keeps {
		wait = pace.Keep
	}
	wait(min(until, pace.Now()+patience), m.sockets)
}
