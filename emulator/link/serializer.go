package link

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Serializer knows how long frames occupy one direction of a link: the time
// that wire.Accounting gives them at the link's rate, without a division where a
// byte takes a whole number of picoseconds. Make one with NewSerializer.
type Serializer struct {
	// perByte is a byte's time, 0 where it is not whole; perFrame is the time of
	// what a frame counts for beyond its length.
	perByte, perFrame unit.Duration
	rate              unit.BitRate
	accounting        wire.Accounting
	// header is the most that counts of a frame, 0 for all of it.
	header uint16
}

// exactBytes is the length up to which a Serializer's time must be exact. No
// frame is longer: lengths on the wire are 16 bits.
const exactBytes unit.Bytes = 1 << 19

// NewSerializer returns the serializer of a direction of the given rate, above 0.
//
// A byte's time counts as whole if exactBytes of them take exactBytes times as
// long. A test over fewer bytes passes rates whose byte is a little shorter than
// a whole number: at 998.627 Mb/s, over 1000 bytes, it makes frames of 1090 bytes
// and more 1 ps too long.
func NewSerializer(accounting wire.Accounting, rate unit.BitRate) Serializer {
	s := Serializer{rate: rate, accounting: accounting}
	if per := rate.SerialTime(1); accounting == wire.Full && rate.SerialTime(exactBytes) == per*unit.Duration(exactBytes) {
		s.perByte = per
		s.perFrame = per * unit.Duration(wire.Full.BytesOf(0, nil)) // Full looks at no frame
	}
	return s
}

// NewHeaderSerializer returns a serializer whose Time is that of a frame's header, after which a switch may cut the
// frame through: fabric.Header. MAC control frames, which a switch itself obeys, have their whole time.
func NewHeaderSerializer(accounting wire.Accounting, rate unit.BitRate) Serializer {
	return Serializer{rate: rate, accounting: accounting, header: uint16(accounting.ShortestFrame())}
}

// Time returns how long a frame, whose length is frame.Len(), occupies the wire. Where
// bytes are whole the frame is not touched.
func (s *Serializer) Time(length unit.Bytes, frame *wire.Frame) unit.Duration {
	if s.perByte != 0 {
		return s.perFrame + s.perByte*unit.Duration(length)
	}
	return s.divide(length, frame)
}

func (s *Serializer) divide(length unit.Bytes, frame *wire.Frame) unit.Duration {
	counted := s.accounting.BytesOf(length, frame)
	if s.header > 0 && !frame.IsPFC() {
		counted = min(counted, unit.Bytes(s.header))
	}
	return s.TimeOf(counted)
}

// TimeOf returns how long a number of bytes, counted by the accounting, occupy
// the wire.
func (s *Serializer) TimeOf(counted unit.Bytes) unit.Duration {
	return s.accounting.SerialTimeOf(counted, s.rate)
}

// Rate returns the rate of the direction.
func (s *Serializer) Rate() unit.BitRate { return s.rate }

// Accounting returns the rule by which the time is counted.
func (s *Serializer) Accounting() wire.Accounting { return s.accounting }

// PauseTime returns how long a pause of the given quanta lasts on a link of
// the given rate: 512 bit times each (IEEE 802.3, 31B.2, and 802.1Q, 36.1).
func PauseTime(quanta uint16, rate unit.BitRate) unit.Duration {
	const quantum unit.Bytes = 512 / 8
	return rate.SerialTime(unit.Bytes(quanta) * quantum)
}
