package wire

import "github.com/rocelab/rocelab/plugins/cc/inband"

// ExtType is the number of a kind of extension: a header of rocelab's own between the last standard header and the
// payload, covered by the ICRC and announced in the BTH's seven reserved bits, so that a decoder does not need state.
type ExtType uint8

// Flags of the extension.
const (
	// ExtRetransmission marks a resent packet in ExtOneWayData and ExtTimestamp.
	ExtRetransmission uint8 = 0x01
	// ExtCE is the flag of ExtECNEcho for a packet that arrived marked CE.
	ExtCE uint8 = 0x01
)

// Extension returns the kind of the frame's extension, ExtNone for none.
func (f *Frame) Extension() ExtType { return ExtType(f.AckExt & ExtMask) }

// SetExtension stores the kind of the extension in the BTH's reserved bits,
// leaving AckReq as it is.
func (f *Frame) SetExtension(number ExtType) {
	f.AckExt = f.AckExt&AckReq | uint8(number)
	f.size = 0
}

// putExtension writes the extension and returns its length.
func (f *Frame) putExtension(p []byte) int {
	t := f.Extension()
	if t == ExtNone {
		return 0
	}
	n := f.extLen()
	p[0], p[1], p[2], p[3] = uint8(t), uint8(n/4), f.ExtFlags, 0
	at := extHeader
	for _, w := range kinds[t].Words {
		switch w {
		case WordTime:
			be.PutUint64(p[at:], f.ExtTime)
			at += 8
		case WordA:
			be.PutUint32(p[at:], f.ExtA)
			at += 4
		case WordB:
			be.PutUint32(p[at:], f.ExtB)
			at += 4
		case WordINT:
			putINT(p[at:], &f.Rare.INT)
		case WordOwn:
			copy(p[at:n], f.Rare.Own[:])
		}
	}
	return n
}

func putINT(p []byte, stack *inband.Stack) {
	p[0], p[1] = stack.Hops, stack.Max
	be.PutUint16(p[2:], stack.Path)
	for i, r := range stack.Record[:stack.Max] {
		be.PutUint64(p[intHeader+8*i:], uint64(r))
	}
}

// getExtension reads the extension, which must end by stop, and returns the offset of its end.
func (f *Frame) getExtension(b []byte, at, stop int) (int, error) {
	const header = "extension"
	if stop-at < extHeader {
		return 0, refuse(ErrLength, header, at, "type %d announced, %d bytes are there", f.Extension(), stop-at)
	}
	number, n := ExtType(b[at]), 4*int(b[at+1])
	if number != f.Extension() || b[at+3] != 0 {
		return 0, refuse(ErrUnsupported, header, at, "type %d and reserved byte 0x%02x, want type %d and 0",
			number, b[at+3], f.Extension())
	}
	if n < extHeader || n > stop-at {
		return 0, refuse(ErrLength, header, at+1, "%d bytes, allowed are 4 to %d", n, stop-at)
	}
	kind := &kinds[number]
	if kind.Name == "" {
		return 0, refuse(ErrUnsupported, header, at, "type %d, allowed are 1 to %d", number, lastKind)
	}
	want := max(n, kind.least) // of a stack, which itself says how much it is
	if !kind.stack {
		want = min(want, kind.most)
	}
	if n != want {
		return 0, refuse(ErrLength, header, at+1, "%d bytes, type %d has %d", n, number, want)
	}
	f.ExtFlags = b[at+2]
	return at + n, f.getWords(kind, b[at:at+n], at)
}

// getWords reads the body of the extension p, which is at byte start of the
// frame.
func (f *Frame) getWords(kind *ExtKind, p []byte, start int) error {
	at := extHeader
	for _, w := range kind.Words {
		switch w {
		case WordTime:
			f.ExtTime = be.Uint64(p[at:])
			at += 8
		case WordA:
			f.ExtA = be.Uint32(p[at:])
			at += 4
		case WordB:
			f.ExtB = be.Uint32(p[at:])
			at += 4
		case WordINT:
			return f.getINT(p, at, start)
		case WordOwn:
			r := f.rare()
			r.OwnLen = uint8(copy(r.Own[:], p[at:]))
		}
	}
	return nil
}

// getINT reads the telemetry stack at the given byte of the extension p, which is
// at byte start of the frame.
func (f *Frame) getINT(p []byte, at, start int) error {
	s := &f.rare().INT
	s.Hops, s.Max, s.Path = p[at], p[at+1], be.Uint16(p[at+2:])
	if int(s.Max) > len(s.Record) {
		return refuse(ErrUnsupported, "extension", start+at+1, "INT stack of %d records, allowed are up to %d",
			s.Max, len(s.Record))
	}
	if n := at + intHeader + 8*int(s.Max); n != len(p) {
		return refuse(ErrLength, "extension", start+1, "%d bytes, %d INT records need %d", len(p), s.Max, n)
	}
	for i := range s.Max {
		s.Record[i] = inband.Record(be.Uint64(p[at+intHeader+8*int(i):]))
	}
	return nil
}
