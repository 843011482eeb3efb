package link

import (
	"math"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Serializer computes how long frames occupy one direction of a link: the time that wire.Accounting gives them at the
// link's rate, without a division if a byte takes a whole number of picoseconds. Make one with NewSerializer.
type Serializer struct {
	// perByte is a byte's time in picoseconds, 0 if it is not whole; perFrame is the time of the bytes that a frame
	// counts for beyond its length.
	perByte, perFrame uint32
	rate              unit.BitRate
	// slow are the spans during which the link is slow, nil for none; perByte is 0 with it.
	slow       *[]fabric.Slow
	accounting wire.Accounting
	// header is the most that counts of a frame, 0 for all of it.
	header uint16
}

// exactBytes is the length up to which a Serializer's time must be exact. Frames are not longer: lengths on the wire
// are 16 bits.
const exactBytes unit.Bytes = 1 << 19

// NewSerializer returns the serializer of a direction of the given rate, above 0.
//
// A byte's time counts as whole if exactBytes of them take exactBytes times as
// long. A test over fewer bytes passes rates whose byte is a little shorter than
// a whole number: at 998.627 Mb/s, over 1000 bytes, it makes frames of 1090 bytes
// and more 1 ps too long.
func NewSerializer(accounting wire.Accounting, rate unit.BitRate) Serializer {
	s := Serializer{rate: rate, accounting: accounting}
	perFrame := wire.Full.BytesOf(0, nil) // Full looks at no frame
	if per := rate.SerialTime(1); accounting == wire.Full && per <= math.MaxUint32/unit.Duration(perFrame) &&
		rate.SerialTime(exactBytes) == per*unit.Duration(exactBytes) {
		s.perByte, s.perFrame = uint32(per), uint32(per)*uint32(perFrame)
	}
	return s
}

// WhenSlow returns the serializer of a direction that has lower rates at times, as TimeAt knows then.
func (s Serializer) WhenSlow(slow []fabric.Slow) Serializer {
	if len(slow) > 0 {
		s.slow, s.perByte, s.perFrame = &slow, 0, 0
	}
	return s
}

// NewHeaderSerializer returns a serializer whose Time is the time of a frame's header, the shortest frame, after which
// a switch may cut the frame through. MAC control frames, which a switch itself obeys, have their whole time.
func NewHeaderSerializer(accounting wire.Accounting, rate unit.BitRate) Serializer {
	return Serializer{rate: rate, accounting: accounting, header: uint16(accounting.ShortestFrame())}
}

// TimeAt returns how long a frame that starts at start, and whose length is frame.Len(), occupies the wire. If a byte's
// time is whole, the frame is not touched.
func (s *Serializer) TimeAt(start unit.Time, length unit.Bytes, frame *wire.Frame) unit.Duration {
	if s.perByte != 0 {
		return unit.Duration(s.perFrame) + unit.Duration(s.perByte)*unit.Duration(length)
	}
	return s.divide(s.RateAt(start), length, frame)
}

// Time is TimeAt of a link that is not slow.
func (s *Serializer) Time(length unit.Bytes, frame *wire.Frame) unit.Duration {
	if s.perByte != 0 {
		return unit.Duration(s.perFrame) + unit.Duration(s.perByte)*unit.Duration(length)
	}
	return s.divide(s.rate, length, frame)
}

// StartOf returns the start of a frame whose time on the wire ends at end. Of two starts with the same end, in a span
// during which the link is slow and after it, it returns the earlier one.
func (s *Serializer) StartOf(end unit.Time, length unit.Bytes, frame *wire.Frame) unit.Time {
	if s.slow != nil {
		for i := range *s.slow {
			slow := &(*s.slow)[i]
			if start := end.Add(-s.divide(slow.Rate, length, frame)); slow.From <= start && start < slow.To {
				return start
			}
		}
	}
	return end.Add(-s.Time(length, frame))
}

func (s *Serializer) divide(rate unit.BitRate, length unit.Bytes, frame *wire.Frame) unit.Duration {
	counted := s.accounting.BytesOf(length, frame)
	if s.header > 0 && !frame.IsPFC() {
		counted = min(counted, unit.Bytes(s.header))
	}
	return s.accounting.SerialTimeOf(counted, rate)
}

// TimeOf returns how long a number of bytes, counted by the accounting, occupy
// the wire of a link that is not slow.
func (s *Serializer) TimeOf(counted unit.Bytes) unit.Duration {
	return s.accounting.SerialTimeOf(counted, s.rate)
}

// IsSlow reports whether the direction has lower rates at times.
func (s *Serializer) IsSlow() bool { return s.slow != nil }

// Rate returns the rate of the direction, RateAt that of frames that start at an instant.
func (s *Serializer) Rate() unit.BitRate { return s.rate }

func (s *Serializer) RateAt(start unit.Time) unit.BitRate {
	if s.slow != nil {
		return fabric.RateAt(start, s.rate, *s.slow)
	}
	return s.rate
}

// Accounting returns the rule for counting the time.
func (s *Serializer) Accounting() wire.Accounting { return s.accounting }

// PauseTime returns how long a pause of the given quanta lasts on a link of
// the given rate: 512 bit times each (IEEE 802.3, 31B.2, and 802.1Q, 36.1).
func PauseTime(quanta uint16, rate unit.BitRate) unit.Duration {
	const quantum unit.Bytes = 512 / 8
	return rate.SerialTime(unit.Bytes(quanta) * quantum)
}
