package layers

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Extension is rocelab's algorithm extension; see wire.ExtType for what Time,
// A and B hold in which type.
type Extension struct {
	header
	Type wire.ExtType
	// Flags and Reserved are the third and fourth of the common bytes.
	Flags, Reserved uint8
	// Time, A and B are the words of types 1, 2, 5 and 6.
	Time uint64
	A, B uint32
	// INT is the body of types 3 and 4, Own that of type 8.
	INT telemetry.Stack
	Own []byte
}

// extensionLen is the length of the types that have just one.
var extensionLen = map[wire.ExtType]int{wire.ExtOneWayData: 16, wire.ExtOneWayAck: 20, wire.ExtTimestamp: 16, wire.ExtTimestampAck: 20, wire.ExtECNEcho: 4}

// LayerType returns LayerTypeExtension.
func (e *Extension) LayerType() gopacket.LayerType { return LayerTypeExtension }

// CanDecode returns LayerTypeExtension.
func (e *Extension) CanDecode() gopacket.LayerClass { return LayerTypeExtension }

// DecodeFromBytes reads the four common bytes and the body that they announce.
func (e *Extension) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < 4 {
		df.SetTruncated()
		return fmt.Errorf("extension: %d bytes, want at least 4", len(data))
	}
	*e = Extension{header: e.header, Type: wire.ExtType(data[0]), Flags: data[2], Reserved: data[3]}
	n := 4 * int(data[1])
	if want, ok := extensionLen[e.Type]; n < 4 || ok && n != want {
		return fmt.Errorf("extension: length %d, type %d has %d", n, e.Type, max(want, 4))
	}
	if err := e.split("extension", data, n, df); err != nil {
		return err
	}
	body := data[4:n]
	switch e.Type {
	case wire.ExtOneWayData, wire.ExtTimestamp:
		e.Time, e.A = be.Uint64(body), be.Uint32(body[8:])
	case wire.ExtTimestampAck:
		e.Time, e.A, e.B = be.Uint64(body), be.Uint32(body[8:]), be.Uint32(body[12:])
	case wire.ExtOneWayAck:
		e.A, e.B, e.Time = be.Uint32(body), be.Uint32(body[4:]), be.Uint64(body[8:])
	case wire.ExtINT, wire.ExtINTEcho:
		return e.decodeINT(body)
	case wire.ExtECNEcho:
	case wire.ExtOwn:
		if len(body) > len(wire.Rare{}.Own) {
			return fmt.Errorf("extension: body of %d bytes, type %d has up to %d", len(body), e.Type, len(wire.Rare{}.Own))
		}
		e.Own = body
	default:
		return fmt.Errorf("extension: type %d, allowed are 1 to 8", e.Type)
	}
	return nil
}

func (e *Extension) decodeINT(body []byte) error {
	if len(body) < 4 {
		return fmt.Errorf("extension: INT stack of %d bytes, want at least 4", len(body))
	}
	e.INT.Hops, e.INT.Max, e.INT.Path = body[0], body[1], be.Uint16(body[2:])
	if int(e.INT.Max) > len(e.INT.Record) || len(body) != 4+8*int(e.INT.Max) {
		return fmt.Errorf("extension: INT stack of %d bytes for %d records, allowed are up to %d", len(body), e.INT.Max, len(e.INT.Record))
	}
	for i := range int(e.INT.Max) {
		e.INT.Record[i] = telemetry.Record(be.Uint64(body[4+8*i:]))
	}
	return nil
}

// SerializeTo prepends the extension; its length follows from Type, INT and
// Own. It fails for a type that is none and an INT stack or body that is too
// long or no multiple of four.
func (e *Extension) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	n, fixed := extensionLen[e.Type]
	switch {
	case fixed:
	case (e.Type == wire.ExtINT || e.Type == wire.ExtINTEcho) && int(e.INT.Max) <= len(e.INT.Record):
		n = 8 + 8*int(e.INT.Max)
	case e.Type == wire.ExtOwn && len(e.Own) <= len(wire.Rare{}.Own) && len(e.Own)%4 == 0:
		n = 4 + len(e.Own)
	default:
		return fmt.Errorf("extension: type %d with %d INT records and a body of %d bytes cannot be written", e.Type, e.INT.Max, len(e.Own))
	}
	p, err := b.PrependBytes(n)
	if err != nil {
		return err
	}
	p[0], p[1], p[2], p[3] = uint8(e.Type), uint8(n/4), e.Flags, e.Reserved
	body := p[4:]
	switch e.Type {
	case wire.ExtOneWayData, wire.ExtTimestamp, wire.ExtTimestampAck:
		be.PutUint64(body, e.Time)
		be.PutUint32(body[8:], e.A)
		if e.Type == wire.ExtTimestampAck {
			be.PutUint32(body[12:], e.B)
		}
	case wire.ExtOneWayAck:
		be.PutUint32(body, e.A)
		be.PutUint32(body[4:], e.B)
		be.PutUint64(body[8:], e.Time)
	case wire.ExtINT, wire.ExtINTEcho:
		body[0], body[1] = e.INT.Hops, e.INT.Max
		be.PutUint16(body[2:], e.INT.Path)
		for i, r := range e.INT.Record[:e.INT.Max] {
			be.PutUint64(body[4+8*i:], uint64(r))
		}
	case wire.ExtOwn:
		copy(body, e.Own)
	}
	return nil
}
