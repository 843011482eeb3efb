package lockstep

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Now returns an instant before which no further event can happen. It is the only view of a run's time for outsiders,
// such as a live capture.
func (p *Page) Now() unit.Time { return unit.Time(p.head.start.Load()) }

// Window returns the number of the current window, counted from 1.
func (p *Page) Window() uint64 { return p.head.window.Load() }

// Over reports whether the run is over, and then when it ended, why, and the
// last window's end.
func (p *Page) Over() (end unit.Time, why engine.Stop, over bool) {
	o := p.head.over.Load()
	if o == 0 {
		return 0, 0, false
	}
	return unit.Time(p.head.end.Load()), engine.Stop(o - 1), true
}

// Wall returns the wall-clock duration of the windows, once the run is over.
func (p *Page) Wall() time.Duration {
	if p.head.began.Load() == 0 { // stopped before
		return 0
	}
	return max(0, time.Duration(p.head.ended.Load()-p.head.began.Load()))
}

// Check reports words that no participant of this program writes. A daemon may hold
// anything, and so may what got at one: who makes something of the page asks this
// first.
func (p *Page) Check() error {
	h, limit := p.head, p.setup.Schedule.Limit
	start, end, over := unit.Time(h.start.Load()), unit.Time(h.end.Load()), h.over.Load()
	if start < 0 || start > limit || end < 0 || end > limit {
		return fmt.Errorf("shared page: it is at %d ps of a run that ends at %d ps, and may last %d ps: one of the daemons "+
			"writes nonsense", int64(start), int64(end), int64(limit))
	}
	if over > uint32(engine.Interrupted)+1 || over != 0 && h.window.Load() == 0 {
		return fmt.Errorf("shared page: the run is over for reason %d after %d windows, which is none: one of the daemons "+
			"writes nonsense", over, h.window.Load())
	}
	if p.clock != nil {
		return p.clock.check(p)
	}
	return nil
}

// Stop asks for the run to end, as interrupted, before the next window.
func (p *Page) Stop() {
	p.head.stop.Store(1)
	p.ringAll() // one of them may wait for the next window's time
}

// Abort makes every participant give up at once: after an error the windows cannot go on.
func (p *Page) Abort() {
	p.head.aborted.Store(1)
	p.ringAll()
}

func (p *Page) ringAll() {
	for g := range p.doorbell {
		p.doorbell[g].Add(1)
		p.doorbell[g].wake(^uint32(0))
	}
}

// Aborted reports whether someone asked to give up.
func (p *Page) Aborted() bool { return p.head.aborted.Load() != 0 }

// Laggards returns the participants that the current window waits for; for
// messages.
func (p *Page) Laggards() (list []int) {
	for i := range p.next {
		if p.next[i].Load() == working {
			list = append(list, i)
		}
	}
	return list
}

// Announced returns how many frames were sent on a link so far.
func (p *Page) Announced(l fabric.LinkID) uint64 { return p.sent[l].Load() }

// Taken returns how many frames of a link its receiver has read.
func (p *Page) Taken(l fabric.LinkID) uint64 { return p.received[l].Load() }
