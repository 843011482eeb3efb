package lockstep

import (
	"math/bits"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Member is one participant's part in the windows of a run. It belongs to one
// goroutine, locked to its thread.
type Member struct {
	page  *Page
	index int
	bell  *bell
	bit   uint32
	// seen is the last window it was granted, parity where the arrivals of
	// what it sends in it go.
	seen   uint64
	parity int
	closed atomic.Bool
	// chosen are the participants of the window that this one grants, a bit
	// for each as in the bells. It is its own, not the page's: see wakeAll.
	chosen []uint32

	// serve is called while it waits, not again before the returned time; rung is set if it is to be called anyway.
	serve func(now int64) (again int64)
	again int64
	rung  atomic.Bool
	// long is set if this wait has lasted, and gives the processor up; timeout is room for the kernel to read from.
	long    bool
	timeout unix.Timespec
	// keeps is set if waits keep the processor, awaited if the time of the window that it grants was waited for.
	keeps, awaited bool
	// woken is the end of the last wait. Sockets end one as well if it is armed.
	woken   int64
	sockets []unix.PollFd
	armed   bool
	// waits are its own, or take their place in a test.
	waits
}

// working takes the place of the next event of a participant that is in a window.
const working = -1

// Join takes part in the run as the participant with that index.
func (p *Page) Join(index int) *Member {
	m := &Member{
		page:   p,
		index:  index,
		bell:   &p.doorbell[index/32],
		bit:    1 << (index % 32),
		parity: 1,
		chosen: make([]uint32, groups(p.setup.Participants)),
	}
	m.waits = waits{now: pace.Now, rest: m.restInBell, watch: m.watchSockets, spin: m.spinForBell}
	return m
}

// Verdict is the result of Await.
type Verdict uint8

// The verdicts.
const (
	// Granted is a window to run.
	Granted Verdict = iota
	// Ended is the end of the run: frames announced so far are to be taken,
	// and then there is nothing more to do.
	Ended
	// Aborted is the end of a run that went wrong elsewhere.
	Aborted
)

// Await returns when there is a window to run, and its end, or when the run
// ended.
func (m *Member) Await() (horizon unit.Time, v Verdict) {
	p := m.page
	for m.long = false; ; {
		value := m.bell.Load()
		if p.head.aborted.Load() != 0 || m.closed.Load() {
			return 0, Aborted
		}
		if w := p.granted[m.index].Load(); w != m.seen {
			m.seen, m.parity = w, int(w&1)
			if p.looks {
				p.hastened[m.index].Store(int64(unit.Never))
				m.again = 0
			}
			if p.head.over.Load() != 0 {
				return 0, Ended
			}
			return unit.Time(p.head.bound.Load()), Granted
		}
		m.sleep(value, forever)
	}
}

// Leave makes Await return Aborted from now on. Another goroutine may call it.
func (m *Member) Leave() {
	m.closed.Store(true)
	m.bell.Add(1)
	m.bell.wake(m.bit)
}

// Announce announces that count frames of link l are on the wire by now, in all.
func (m *Member) Announce(l fabric.LinkID, count uint64) { m.page.sent[l].Store(count) }

// Alert has a participant woken for an event at the given time or earlier.
func (m *Member) Alert(to int, at unit.Time) {
	earliest := &m.page.inbound[m.parity][to]
	for old := earliest.Load(); int64(at) < old; old = earliest.Load() {
		if earliest.CompareAndSwap(old, int64(at)) {
			return
		}
	}
}

// Took notes how many frames of link l were read in all.
func (m *Member) Took(l fabric.LinkID, count uint64) { m.page.received[l].Store(count) }

// Complete notes that all flows of the participant's NICs are complete, the
// last one at the given time. It may be called once only.
func (m *Member) Complete(last unit.Time) {
	m.page.last[m.index].Store(int64(last))
	m.page.head.unfinished.Add(-1)
}

// Arrive ends the participant's part of the window; next is the time of its
// next event. The last one to arrive concludes the window. Before the first
// window every participant arrives once.
func (m *Member) Arrive(next unit.Time) {
	m.page.next[m.index].Store(int64(next))
	if m.page.head.busy.Add(-1) == 0 {
		m.conclude()
	}
}

// conclude cuts the next window and wakes those with work in it, or ends the
// run. All participants wait meanwhile.
func (m *Member) conclude() {
	p, h := m.page, m.page.head
	end, final := unit.Time(h.end.Load()), h.final.Load() != 0
	if !final && h.unfinished.Load() == 0 {
		final = true
		end = p.setup.Schedule.EndAfter(p.lastCompletion())
		h.end.Store(int64(end))
		h.final.Store(1)
	}
	start, quiet, ok := unit.Time(0), false, true
	if p.clock != nil {
		start, quiet, ok = m.hold(end)
	} else {
		start, quiet = p.nextStart(end)
	}
	switch {
	case !ok: // given up
	case h.stop.Load() != 0:
		m.finish(unit.Time(h.bound.Load()), engine.Interrupted)
	case start < end:
		if quiet {
			h.quiet.Add(1)
		} else {
			h.quiet.Store(0)
		}
		m.grant(start, end)
	case final:
		m.finish(end, engine.Complete)
	default:
		m.finish(p.lastEnd(start, end), engine.Exhausted)
	}
}

// nextStart returns the start of the next window: the earliest event of all, or, quiet, an instant just before an
// earlier time for samples, engine.QuietLooks times at most.
func (p *Page) nextStart(end unit.Time) (start unit.Time, quiet bool) {
	start = p.gather()
	every := p.setup.SamplePeriod
	if every == 0 || p.head.quiet.Load() >= engine.QuietLooks {
		return start, false
	}
	at := engine.NextMultiple(unit.Time(p.head.bound.Load()), every)
	if at > start || at >= p.lastEnd(start, end) {
		return start, false
	}
	return at - 1, true
}

// lastEnd returns the end of the run if nothing happens before start, and it is not known to end before end.
func (p *Page) lastEnd(start, end unit.Time) unit.Time {
	if start == unit.Never && p.head.final.Load() == 0 && !p.looks { // nothing is left to happen, and nothing can come
		return p.setup.Schedule.EndIdle(unit.Time(p.head.bound.Load()))
	}
	return end
}

// gather adds the arrivals that were announced in the window to what each
// participant waits for, and returns the earliest event of all.
func (p *Page) gather() unit.Time {
	fresh := p.inbound[p.head.window.Load()&1]
	earliest := int64(unit.Never)
	for i := range p.waiting {
		w := p.waiting[i].Load()
		if a := fresh[i].Load(); a != int64(unit.Never) {
			fresh[i].Store(int64(unit.Never))
			if a < w {
				w = a
				p.waiting[i].Store(w)
			}
		}
		earliest = min(earliest, w, p.next[i].Load())
		if p.looks {
			earliest = min(earliest, max(p.hastened[i].Load(), p.head.bound.Load()))
		}
	}
	return unit.Time(earliest)
}

func (p *Page) lastCompletion() unit.Time {
	last := int64(0)
	for i := range p.last {
		last = max(last, p.last[i].Load())
	}
	return unit.Time(last)
}

// grant begins the window that starts at start.
func (m *Member) grant(start, end unit.Time) {
	p, h := m.page, m.page.head
	bound := p.setup.Schedule.Horizon(start, p.setup.Lookahead, end)
	sample := false
	if every := p.setup.SamplePeriod; every > 0 {
		at := engine.NextMultiple(start, every)
		sample = at <= bound
		bound = min(bound, at)
	}
	clear(m.chosen)
	count := int64(0)
	for i := range p.next {
		if min(p.next[i].Load(), p.waiting[i].Load()) < int64(bound) || sample && p.setup.Sampled[i] ||
			p.looks && p.setup.Looks[i] {
			m.chosen[i/32] |= 1 << (i % 32)
			count++
		}
	}
	h.start.Store(int64(start))
	h.bound.Store(int64(bound))
	h.busy.Store(count)
	if p.clock != nil {
		m.strike(start, h.window.Load() == 0)
	}
	w := h.window.Add(1)
	if w == 1 {
		h.began.Store(m.now())
	}
	m.wakeAll(w)
}

// wakeAll grants window w to the chosen participants, and wakes them but for
// the one that calls. While it still does so the first of them are at work; once
// all are granted the window may end, and the next ones begin, before this
// returns. So it reads nothing of the page, and writes to a participant's words
// only before that is granted.
func (m *Member) wakeAll(w uint64) {
	p := m.page
	for g, chosen := range m.chosen {
		for rest := chosen; rest != 0; rest &= rest - 1 {
			i := 32*g + bits.TrailingZeros32(rest)
			p.waiting[i].Store(int64(unit.Never))
			p.next[i].Store(working)
			p.granted[i].Store(w)
		}
		if g == m.index/32 {
			chosen &^= m.bit
		}
		if chosen != 0 {
			p.doorbell[g].Add(1)
			p.doorbell[g].wake(chosen)
		}
	}
}

// finish ends the run.
func (m *Member) finish(end unit.Time, why engine.Stop) {
	h := m.page.head
	h.end.Store(int64(end))
	h.ended.Store(m.now())
	h.over.Store(uint32(why) + 1)
	for i := range m.page.next {
		m.chosen[i/32] |= 1 << (i % 32)
	}
	m.wakeAll(h.window.Add(1))
}
