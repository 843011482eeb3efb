package link

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Pauses are the peer's pauses by PFC (IEEE 802.1Q, clause 36): for each class whether it is held, since when and until
// when. The owner decides which classes obey: a NIC obeys on every class, a switch on its lossless ones.
//
// A pause takes effect a response time after it was received and lasts its time from then on; a frame that begins
// before is sent. IEEE 802.3, 31B.3.7, bounds that time for a pause_time that is not zero, and sets none for zero: a
// class goes on at once, and a pause that waits for its effect comes to nothing.
type Pauses struct {
	held    uint8 // a bit for each class that is held
	obeys   uint8 // a bit for each class that obeys
	pending uint8 // a bit for each class whose pause has not taken effect
	// response is the time until a pause takes effect. Range: 0 or above.
	response unit.Duration
	// spans are by class; made when one is held for the first time.
	spans *[profile.Classes]span
}

// span is a pause: when it began or will begin, and when it ended or will end.
type span struct{ since, until unit.Time }

// Effect is the effect of a PFC frame on a class.
type Effect uint8

// The effects.
const (
	Unchanged Effect = iota // the class does not obey, or was to go on and goes on
	Held                    // the class is held, anew or for another time
	Pending                 // the class will be held
	Released                // the class was held and goes on
)

// NewPauses returns the pauses of a port on which the classes of a set, as bits, obey, after the response time, 0 or
// above.
func NewPauses(obeys uint8, response unit.Duration) Pauses {
	return Pauses{obeys: obeys, response: response}
}

// Held returns the classes that are held, as bits.
func (p *Pauses) Held() uint8 { return p.held }

// Since returns when the pause of a class began, which must be held, or when it will begin, if it is pending.
func (p *Pauses) Since(class uint8) unit.Time { return p.spans[class&7].since }

// Until returns when the last pause of a class ended or will end, 0 if there was
// none.
func (p *Pauses) Until(class uint8) unit.Time {
	if p.spans == nil {
		return 0
	}
	return p.spans[class&7].until
}

// Receive handles a class's part of a PFC frame that arrives now: the class is held for a time, in place of the rest of
// an earlier pause, or goes on if time is 0. It counts this in the class's record, whether the class obeys or not.
func (p *Pauses) Receive(class uint8, time unit.Duration, now unit.Time, rec *record.Class) Effect {
	if time != 0 {
		rec.ReceivedXOFF++
	} else {
		rec.ReceivedXON++
	}
	switch bit := uint8(1) << (class & 7); {
	case p.obeys&bit == 0:
		return Unchanged
	case time == 0:
		p.pending &^= bit
		if p.held&bit == 0 {
			return Unchanged
		}
		p.Release(class, now, rec)
		return Released
	case p.response == 0 || p.held&bit != 0: // what remains is replaced
		p.hold(class, now, now.Add(p.response+time))
		return Held
	}
	return p.await(class, now.Add(p.response), time)
}

// await has a pause of a class take effect at a time, and one that waits already last longer.
func (p *Pauses) await(class uint8, at unit.Time, time unit.Duration) Effect {
	if p.spans == nil {
		p.spans = new([profile.Classes]span)
	}
	s, bit := &p.spans[class&7], uint8(1)<<(class&7)
	s.until = at.Add(time)
	if p.pending&bit != 0 {
		return Unchanged
	}
	p.pending |= bit
	s.since = at
	return Pending
}

// Begin has a pause of a class that is pending take effect if that is due now, and reports whether the class is held
// from now on.
func (p *Pauses) Begin(class uint8, now unit.Time) bool {
	bit := uint8(1) << (class & 7)
	if p.pending&bit == 0 || p.spans[class&7].since > now {
		return false
	}
	p.pending &^= bit
	p.hold(class, now, p.spans[class&7].until)
	return true
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

// End ends all pauses now, including the pending ones, and returns the classes that were held: the link is down, and
// its end does not wait for a peer that it cannot hear.
func (p *Pauses) End(now unit.Time, records *record.Classes) (held uint8) {
	held, p.pending = p.held, 0
	for rest := held; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		p.Release(c, now, records.Of(c))
	}
	return held
}

// Expired returns the classes whose time is over now, as bits, and when the next
// of the others expires or begins, unit.Never if there is none.
func (p *Pauses) Expired(now unit.Time) (classes uint8, next unit.Time) {
	next = unit.Never
	for rest := p.pending; rest != 0; rest &= rest - 1 {
		next = min(next, p.spans[bits.TrailingZeros8(rest)].since)
	}
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
func (p *Pauses) Close(at unit.Time, records *record.Classes) {
	for rest := p.held; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		records.Of(c).Paused += min(at, p.spans[c].until).Sub(p.spans[c].since)
	}
}
