package layers

import (
	"fmt"

	"github.com/gopacket/gopacket"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// Extension is rocelab's algorithm extension; see wire.ExtType's constants for the content of Time, A and B by kind.
type Extension struct {
	header
	Type wire.ExtType
	// Flags and Reserved are the third and fourth of the common bytes.
	Flags, Reserved uint8
	// Time, A and B are the words of the kinds that have them.
	Time uint64
	A, B uint32
	// INT and Own are the body of the kinds that have them.
	INT inband.Stack
	Own []byte
}

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
	least, most := e.Type.Kind().Bounds()
	if n < 4 || least == most && n != least {
		return fmt.Errorf("extension: length %d, type %d has %d", n, e.Type, least)
	}
	if err := e.split("extension", data, n, df); err != nil {
		return err
	}
	if !e.Type.Known() {
		numbers := wire.Kinds()
		return fmt.Errorf("extension: type %d, allowed are 1 to %d", e.Type, numbers[len(numbers)-1])
	}
	body := data[4:n]
	for _, w := range e.Type.Kind().Words {
		switch w {
		case wire.WordTime:
			e.Time, body = be.Uint64(body), body[8:]
		case wire.WordA:
			e.A, body = be.Uint32(body), body[4:]
		case wire.WordB:
			e.B, body = be.Uint32(body), body[4:]
		case wire.WordINT:
			return e.decodeINT(body)
		case wire.WordOwn:
			if len(body) > len(wire.Rare{}.Own) {
				return fmt.Errorf("extension: body of %d bytes, type %d has up to %d", len(body), e.Type, len(wire.Rare{}.Own))
			}
			e.Own = body
		}
	}
	return nil
}

func (e *Extension) decodeINT(body []byte) error {
	if len(body) < 4 {
		return fmt.Errorf("extension: INT stack of %d bytes, want at least 4", len(body))
	}
	e.INT.Hops, e.INT.Max, e.INT.Path = body[0], body[1], be.Uint16(body[2:])
	if int(e.INT.Max) > len(e.INT.Record) || len(body) != 4+8*int(e.INT.Max) {
		return fmt.Errorf("extension: INT stack of %d bytes for %d records, allowed are up to %d",
			len(body), e.INT.Max, len(e.INT.Record))
	}
	for i := range int(e.INT.Max) {
		e.INT.Record[i] = inband.Record(be.Uint64(body[4+8*i:]))
	}
	return nil
}

// SerializeTo prepends the extension; its length follows from Type, INT and
// Own. It fails for a type that is none and an INT stack or body that is too
// long or no multiple of four.
func (e *Extension) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	n, ok := e.length()
	if !ok {
		return fmt.Errorf("extension: type %d with %d INT records and a body of %d bytes cannot be written",
			e.Type, e.INT.Max, len(e.Own))
	}
	p, err := buf.PrependBytes(n)
	if err != nil {
		return err
	}
	p[0], p[1], p[2], p[3] = uint8(e.Type), uint8(n/4), e.Flags, e.Reserved
	body := p[4:]
	for _, w := range e.Type.Kind().Words {
		switch w {
		case wire.WordTime:
			be.PutUint64(body, e.Time)
			body = body[8:]
		case wire.WordA:
			be.PutUint32(body, e.A)
			body = body[4:]
		case wire.WordB:
			be.PutUint32(body, e.B)
			body = body[4:]
		case wire.WordINT:
			e.encodeINT(body)
		case wire.WordOwn:
			copy(body, e.Own)
		}
	}
	return nil
}

// length returns the extension's bytes, and whether it can be written.
func (e *Extension) length() (n int, ok bool) {
	kind := e.Type.Kind()
	n, most := kind.Bounds()
	for _, w := range kind.Words {
		switch w {
		case wire.WordINT:
			n += 8 * int(e.INT.Max)
		case wire.WordOwn:
			n += len(e.Own)
		}
	}
	return n, e.Type.Known() && n <= most && n%4 == 0
}

func (e *Extension) encodeINT(body []byte) {
	body[0], body[1] = e.INT.Hops, e.INT.Max
	be.PutUint16(body[2:], e.INT.Path)
	for i, r := range e.INT.Record[:e.INT.Max] {
		be.PutUint64(body[4+8*i:], uint64(r))
	}
}
