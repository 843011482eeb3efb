package verbs

import (
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// request is one message: offset is its place in the peer's region.
type request struct {
	verb      peer.Verb
	length    uint64
	offset    uint64
	immediate uint32
	rkey      uint32
	beyond    uint64
}

// source gives out the work, message by message.
type source struct {
	work   []peer.Work
	given  uint64 // of work[0]
	number uint32
	place  uint64
	room   uint64
	rng    *chance.Stream
}

// due reports whether there is a next message whose time has come.
func (s *source) due(now unit.Time) bool { return len(s.work) > 0 && s.work[0].Start <= now }

// next returns the next message if its time has come. Otherwise at is the time of the next, unit.Never
// if nothing is left.
func (s *source) next(now unit.Time) (r request, at unit.Time, ok bool) {
	if len(s.work) == 0 {
		return r, unit.Never, false
	}
	w := &s.work[0]
	if !s.due(now) {
		return r, w.Start, false
	}
	r = request{verb: w.Verb, length: w.Length, rkey: w.RKey, beyond: w.Offset}
	span := max(w.To, w.Length) - w.Length + 1
	if r.verb == peer.Random {
		r.verb = peer.Verb(s.rng.Below(uint64(peer.FetchAdd)))
		r.length += s.rng.Below(span)
	} else {
		r.length += s.given % span
	}
	if s.given++; s.given == w.Messages() {
		s.work, s.given = s.work[1:], 0
	}
	s.number++
	if r.immediate = s.number; r.verb != peer.WriteImm && r.verb != peer.SendImm {
		r.immediate = 0
	}
	if r.verb != peer.Send && r.verb != peer.SendImm {
		if s.place+r.length > s.room {
			s.place = 0
		}
		r.offset = s.place
		s.place += r.length
	}
	return r, now, true
}
