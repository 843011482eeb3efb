package lockstep

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/internal/bare"
	"github.com/rocelab/rocelab/testbed/nodes/internal/nap"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Pace holds a run to the clock on the wall: no window begins before its time, which
// is its start in model time, Dilation times as long, after the epoch. The epoch is
// set when the first window is granted.
type Pace struct {
	// Dilation is the wall time that one unit of model time takes. Range: 1 to
	// pace.MaxDilation.
	Dilation int64
}

// mostStandstills is the number of standstills that a page keeps; more are counted.
const mostStandstills = 64

// clockwork is the part of a page for a run that is held to the clock. The participant that concludes a window writes
// it, except for hastened.
type clockwork struct {
	epoch atomic.Int64 // in CLOCK_MONOTONIC
	// due is the model time for which a window or the end waits, holder the participant that waits for it, counted from
	// 1; 0 for none.
	due    atomic.Int64
	holder atomic.Int64
	lag    atomic.Int64 // of the last window
	early  atomic.Uint64
	stills atomic.Uint64
	drift  pace.Drift
	beside bare.Beside
	kept   [mostStandstills]standstill
}

type standstill struct {
	at, took atomic.Int64
	last     atomic.Int64
}

// Hasten reports input at model time at of a participant that looks and waits: the next window then begins there, or at
// the end of the last one if that is later. It counts until the participant is granted a window. It is called before
// Arrive, and from Await by the function that Serve set.
func (m *Member) Hasten(at unit.Time) {
	p := m.page
	if int64(at) >= p.hastened[m.index].Load() {
		return
	}
	p.hastened[m.index].Store(int64(at))
	// A participant that begins to wait from now on sees that; one that waits already is woken.
	if holder := int(p.clock.holder.Load()) - 1; holder >= 0 && holder < p.setup.Participants {
		p.doorbell[holder/32].Add(1)
		if holder != m.index { // or it is awake
			p.doorbell[holder/32].wake(1 << (holder % 32))
		}
	}
}

// KeepProcessor makes waits of this member keep their processor from the Go runtime. A thread with real-time priority
// calls it: to get one back it may spin until a thread of the runtime, of normal priority, has run on the core that it
// has itself.
func (m *Member) KeepProcessor() { m.keeps = true }

// hold waits for the time of the next window, and returns its start as nextStart does. An input brings that forward. If
// nothing is left to happen, but an input may still come, it waits for the end; it returns at once when the run is to
// stop, and not ok when it was given up.
func (m *Member) hold(end unit.Time) (start unit.Time, quiet, ok bool) {
	p, c := m.page, m.page.clock
	c.holder.Store(int64(m.index) + 1)
	defer c.holder.Store(0)
	for m.long, m.awaited = false, false; ; {
		value := m.bell.Load() // before all that rings it is looked at
		start, quiet = p.nextStart(end)
		switch {
		case p.head.aborted.Load() != 0 || m.closed.Load():
			return 0, false, false
		case p.head.stop.Load() != 0 || p.head.window.Load() == 0 || start >= end && !p.looks:
			return start, quiet, true
		}
		due := min(start, end)
		c.due.Store(int64(due))
		wall := p.clockNow().Wall(due)
		if m.now() >= wall {
			return start, quiet, true
		}
		m.awaited = true
		if p.looks { // what else wakes it meanwhile, such as a frame that is due, saves a wake-up
			wall += int64(nap.Grain)
		}
		m.sleep(value, wall)
	}
}

// clockNow is the clock as it goes now.
func (p *Page) clockNow() pace.Clock {
	return pace.Clock{Epoch: p.clock.epoch.Load(), Dilation: p.setup.Clock.Dilation}
}

// strike notes when a window begins that starts at start, and moves the epoch after a
// standstill.
func (m *Member) strike(start unit.Time, first bool) {
	m.strikeAt(m.now(), start, first)
}

func (m *Member) strikeAt(now int64, start unit.Time, first bool) {
	p, c := m.page, m.page.clock
	if first {
		c.epoch.Store(now - (pace.Clock{Dilation: p.setup.Clock.Dilation}).Wall(start))
	}
	lag := p.clockNow().Lag(now, start)
	if lag < 0 {
		c.early.Add(1)
	}
	c.lag.Store(lag)
	move, own := c.drift.Begin(lag, m.awaited)
	c.beside.Window(now-own, now)
	if move == 0 {
		return
	}
	c.epoch.Add(move)
	if n := c.stills.Add(1); n <= mostStandstills {
		s := &c.kept[n-1]
		s.at.Store(int64(start))
		s.took.Store(move)
		s.last.Store(int64(m.index))
	}
}

// check reports words that no participant of this program writes.
func (c *clockwork) check(p *Page) error {
	nonsense := func(n, from, to int64) bool { return n < from || n > to }
	limit, last := int64(p.setup.Schedule.Limit), int64(p.setup.Participants)
	wrong := nonsense(c.holder.Load(), 0, last) || nonsense(c.due.Load(), 0, limit)
	if p.head.window.Load() > 0 {
		// The last window has begun, so its time has come.
		wrong = wrong || p.clockNow().Wall(unit.Time(p.head.start.Load())) > pace.Now()
	}
	list, _ := p.Standstills()
	for _, s := range list {
		wrong = wrong || nonsense(int64(s.At), 0, limit) || s.Took < 0 || nonsense(int64(s.Last), 0, last-1)
	}
	if wrong {
		return errors.New("shared page: its clock is none of this run: one of the daemons writes nonsense")
	}
	return nil
}

// Clock returns the clock to which the run is held; ok is false before its first window, and if it is not held to one.
func (p *Page) Clock() (c pace.Clock, ok bool) {
	if p.clock == nil || p.head.window.Load() == 0 {
		return c, false
	}
	return p.clockNow(), true
}

// Due returns the instant on CLOCK_MONOTONIC at which the awaited next window, or the end, is due; ok is false if no
// participant waits for one.
func (p *Page) Due() (wall int64, ok bool) {
	if c, began := p.Clock(); began && p.clock.holder.Load() != 0 {
		return c.Wall(unit.Time(p.clock.due.Load())), true
	}
	return 0, false
}

// Lag returns the delay of the last window behind its time on the wall, while the run is under way.
func (p *Page) Lag() time.Duration {
	if p.clock == nil {
		return 0
	}
	return time.Duration(max(0, p.clock.lag.Load()))
}

// Lags returns the lags of all windows, when the run is over.
func (p *Page) Lags() record.Lateness { return p.clock.drift.Lags }

// Beside is shared with the bare timer beside the run.
func (p *Page) Beside() *bare.Beside { return &p.clock.beside }

// Early counts windows that began before their time; there are none unless a participant is broken.
func (p *Page) Early() uint64 { return p.clock.early.Load() }

// Standstill is a pause of the run that made the epoch move.
type Standstill struct {
	// At is the start of the window that came late, Took by how much the epoch
	// moved, and Last the participant that was waited for, or that was to grant it.
	At   unit.Time
	Took time.Duration
	Last int
}

// Standstills returns the first standstills, and how many there were in all.
func (p *Page) Standstills() (list []Standstill, all uint64) {
	all = p.clock.stills.Load()
	for i := range min(all, mostStandstills) {
		s := &p.clock.kept[i]
		list = append(list, Standstill{unit.Time(s.at.Load()), time.Duration(s.took.Load()), int(s.last.Load())})
	}
	return list, all
}
