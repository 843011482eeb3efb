package record

import (
	"encoding/binary"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Laps are the times of a sender in each state from one instant to the next one, as a list of bytes: most states of a
// lap are 0, so that it takes about 14 bytes and not 72. The zero value has no laps.
type Laps struct {
	// Packed has, of each lap, a set of bits for the states that are not 0, then those durations, as varints.
	Packed []byte
	// last is the state of the clocks at the end of the last lap.
	last Spent
}

// Add ends a lap at an instant at which the clocks show the given times. A state may show less than before: a timeout
// turns the wait before it into repair.
func (l *Laps) Add(shown *Spent) {
	states := uint64(0)
	for state, d := range shown {
		if d != l.last[state] {
			states |= 1 << state
		}
	}
	l.Packed = binary.AppendUvarint(l.Packed, states)
	for state, d := range shown {
		if lap := d - l.last[state]; lap != 0 {
			l.Packed = binary.AppendVarint(l.Packed, int64(lap))
		}
	}
	l.last = *shown
}

// Each yields the laps, in order, as far as they are whole. One value is reused.
func (l *Laps) Each(yield func(lap *Spent) bool) {
	for packed := l.Packed; len(packed) > 0; {
		var lap Spent
		states, n := binary.Uvarint(packed)
		if n <= 0 {
			return
		}
		packed = packed[n:]
		for state := range lap {
			if states>>state&1 == 0 {
				continue
			}
			d, n := binary.Varint(packed)
			if n <= 0 {
				return
			}
			lap[state], packed = unit.Duration(d), packed[n:]
		}
		if !yield(&lap) {
			return
		}
	}
}

// MessageLaps are the laps of a flow whose messages wait for others.
type MessageLaps struct {
	// Sent has the time up to the end of the last packet of each message, the first time that it was sent: the first
	// lap begins with the flow.
	Sent Laps
	// Acked has the repair time within the time up to the ACK of each message.
	Acked Laps
}
