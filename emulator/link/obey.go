package link

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Obedient is an end of a link that obeys pauses with one timer for all classes: a NIC, an edge.
type Obedient interface {
	// ScheduleExpiry has Expire called at a time.
	ScheduleExpiry(at unit.Time)
	// Resume lets a class go on at the end of its pause.
	Resume(class uint8, now unit.Time)
}

// Obey takes a PFC frame that arrives now over a link of the given rate: each enabled class is held for its time from
// now on, or goes on if that is 0. Classes that do not obey are only counted, in the records of all.
func (p *Pauses) Obey(frame *wire.Frame, rate unit.BitRate, now unit.Time, expiry *Timer,
	records *record.Classes, end Obedient) {
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		switch p.Receive(c, PauseTime(frame.Pause[c], rate), now, records.Of(c)) {
		case Held:
			expiry.await(p.Until(c), end)
		case Pending:
			expiry.await(p.Since(c), end)
		case Released:
			end.Resume(c, now)
		}
	}
}

// Expire ends the pauses whose time is over, at an event of the timer, lets those begin that are due, and waits for the
// next.
func (p *Pauses) Expire(now unit.Time, expiry *Timer, records *record.Classes, end Obedient) {
	if !expiry.Fired(now) {
		return
	}
	for rest := p.pending; rest != 0; rest &= rest - 1 {
		p.Begin(uint8(bits.TrailingZeros8(rest)), now)
	}
	over, next := p.Expired(now)
	for ; over != 0; over &= over - 1 {
		c := uint8(bits.TrailingZeros8(over))
		p.Release(c, now, records.Of(c))
		end.Resume(c, now)
	}
	if next != unit.Never {
		expiry.await(next, end)
	}
}

// LetGo ends all pauses now, because the link is down. The timer's event finds nothing to do.
func (p *Pauses) LetGo(now unit.Time, records *record.Classes, end Obedient) {
	for held := p.End(now, records); held != 0; held &= held - 1 {
		end.Resume(uint8(bits.TrailingZeros8(held)), now)
	}
}

// await makes t fire at the given time or before.
func (t *Timer) await(at unit.Time, end Obedient) {
	if t.Arm(at) {
		end.ScheduleExpiry(at)
	}
}
