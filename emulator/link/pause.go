package link

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Pauses are what the peer holds back by PFC (IEEE 802.1Q, clause 36): for each
// class whether it is held, since when and until when. Which classes obey is the
// owner's word: a NIC obeys on every class, a switch on its lossless ones.
type Pauses struct {
	held  uint8 // a bit for each class that is held
	obeys uint8 // a bit for each class that obeys
	// spans are by class; made when one is held for the first time.
	spans *[profile.Classes]span
}

// span is a pause: when it began, and when it ended or will end.
type span struct{ since, until unit.Time }

// Effect is what a PFC frame does to a class.
type Effect uint8

// The effects.
const (
	Unchanged Effect = iota // the class does not obey, or was to go on and goes on
	Held                    // the class is held, anew or for another time
	Released                // the class was held and goes on
)

// NewPauses returns the pauses of a port on which the classes of a set, as bits,
// obey.
func NewPauses(obeys uint8) Pauses { return Pauses{obeys: obeys} }

// Held returns the classes that are held, as bits.
func (p *Pauses) Held() uint8 { return p.held }

// Since returns when the pause of a class began, which must be held.
func (p *Pauses) Since(class uint8) unit.Time { return p.spans[class&7].since }

// Until returns when the last pause of a class ended or will end, 0 if there was
// none.
func (p *Pauses) Until(class uint8) unit.Time {
	if p.spans == nil {
		return 0
	}
	return p.spans[class&7].until
}

// Receive takes what a PFC frame that arrives now says of a class: to be held for
// a time, in place of whatever remained of an earlier pause, or for 0 to go on.
// It counts this, whether the class obeys or not, in the class's record.
func (p *Pauses) Receive(class uint8, time unit.Duration, now unit.Time, rec *record.Class) Effect {
	if time != 0 {
		rec.ReceivedXOFF++
	} else {
		rec.ReceivedXON++
	}
	switch bit := uint8(1) << (class & 7); {
	case p.obeys&bit == 0:
		return Unchanged
	case time != 0:
		p.hold(class, now, now.Add(time))
		return Held
	case p.held&bit != 0:
		p.Release(class, now, rec)
		return Released
	}
	return Unchanged
}

func (p *Pauses) hold(class uint8, now, until unit.Time) {
	if p.spans == nil {
		p.spans = new([profile.Classes]span)
	}
	s := &p.spans[class&7]
	if p.held&(1<<(class&7)) == 0 {
		p.held |= 1 << (class & 7)
		s.since = now
	}
	s.until = until
}

// Release ends the pause of a class, which must be held, now: by its frame or
// because its time is over.
func (p *Pauses) Release(class uint8, now unit.Time, rec *record.Class) {
	s := &p.spans[class&7]
	p.held &^= 1 << (class & 7)
	s.until = now
	rec.Paused += now.Sub(s.since)
}

// Expired returns the classes whose time is over now, as bits, and when the next
// of the others expires, unit.Never if there is none.
func (p *Pauses) Expired(now unit.Time) (classes uint8, next unit.Time) {
	next = unit.Never
	for rest := p.held; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		if until := p.spans[c].until; until <= now {
			classes |= 1 << c
		} else {
			next = min(next, until)
		}
	}
	return classes, next
}

// Close adds to the records of the classes what they were held, up to at, by
// pauses that have not ended.
func (p *Pauses) Close(at unit.Time, rec *[profile.Classes]record.Class) {
	for rest := p.held; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		rec[c].Paused += min(at, p.spans[c].until).Sub(p.spans[c].since)
	}
}
