package notification

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	magic   = 0x5052
	version = 1

	maxPriority = 7
	maxQP       = 1<<24 - 1
	// maxTime is the last nanosecond that a unit.Time reaches.
	maxTime = math.MaxInt64 / uint64(unit.Nanosecond)
)

var be = binary.BigEndian

// The kinds of refusal. A DecodeError wraps one of them.
var (
	// ErrLength: not 60 bytes and 24 for each flow.
	ErrLength = errors.New("wrong length")
	// ErrMagic: no notification at all.
	ErrMagic = errors.New("wrong magic number")
	// ErrVersion: another version than 1.
	ErrVersion = errors.New("unknown version")
	// ErrType: none of the four types.
	ErrType = errors.New("unknown type")
	// ErrCount: more than eight flows.
	ErrCount = errors.New("too many flows")
	// ErrReserved: bits that must be 0 are not, above a priority or a QP.
	ErrReserved = errors.New("reserved bits set")
	// ErrTime: a time after the last that unit.Time holds.
	ErrTime = errors.New("time out of range")
)

// DecodeError reports a message that Decode refused, with the position of the fault.
type DecodeError struct {
	// Kind is one of the Err variables of this package.
	Kind error
	// Offset is the byte of the message with the fault.
	Offset int
	// Detail describes the value found and the allowed ones.
	Detail string
}

// Error names kind, offset and finding in one line.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("notification: %s at byte %d: %s", e.Kind, e.Offset, e.Detail)
}

// Unwrap returns the kind, for errors.Is.
func (e *DecodeError) Unwrap() error { return e.Kind }

func refuse(kind error, offset int, format string, args ...any) error {
	return &DecodeError{Kind: kind, Offset: offset, Detail: fmt.Sprintf(format, args...)}
}

// AppendTo appends the message's bytes to b and returns the extended slice. It
// allocates only if b has too little room. Times and rates are rounded down to
// the field's unit; a value outside a field's range becomes the nearest end of
// it, and no more than eight flows are written. A Type that is none of the four
// is written as it is, and Decode refuses it.
func (m *Message) AppendTo(b []byte) []byte {
	start, n := len(b), m.Len()
	b = slices.Grow(b, n)[:start+n]
	p := b[start:]
	be.PutUint16(p, magic)
	p[2], p[3] = version, uint8(m.Type)
	be.PutUint32(p[4:], m.Origin)
	be.PutUint32(p[8:], m.Sequence)
	be.PutUint64(p[12:], uint64(max(m.Time.Nanoseconds(), 0)))
	be.PutUint16(p[20:], m.Port)
	p[22], p[23] = min(m.Priority, maxPriority), min(m.Count, MaxFlows)
	be.PutUint32(p[24:], clamp32(int64(m.Depth)))
	be.PutUint32(p[28:], clamp32(int64(m.Before)))
	be.PutUint32(p[32:], clamp32(m.Elapsed.Nanoseconds()))
	be.PutUint32(p[36:], clamp32(int64(m.Rate/unit.Mbps)))
	be.PutUint16(p[40:], m.Usage)
	be.PutUint16(p[42:], m.Degree)
	be.PutUint32(p[44:], clamp32(int64(m.Threshold)))
	be.PutUint32(p[48:], clamp32(int64(m.Kmax)))
	be.PutUint32(p[52:], clamp32(int64(m.Lifetime/unit.Microsecond)))
	be.PutUint16(p[56:], m.Live)
	be.PutUint16(p[58:], m.Level)
	for i := range m.Flows[:p[23]] {
		m.Flows[i].put(p[HeaderLen+FlowLen*i:])
	}
	return b
}

// clamp32 brings v into the range of a field of 32 bits.
func clamp32(v int64) uint32 { return uint32(min(max(v, 0), math.MaxUint32)) }

func (f *Flow) put(p []byte) {
	be.PutUint32(p, f.SrcIP)
	be.PutUint32(p[4:], f.DstIP)
	be.PutUint32(p[8:], min(f.DstQP, maxQP))
	be.PutUint32(p[12:], min(f.SrcQP, maxQP))
	be.PutUint32(p[16:], clamp32(int64(f.Bytes)))
	be.PutUint16(p[20:], f.SrcPort)
	be.PutUint16(p[22:], f.Share)
}

// Decode decodes b, which must hold exactly one message, into message, overwriting all of it. It refuses with a
// DecodeError any bytes that AppendTo would not reproduce; message is then undefined. It never panics and does not keep
// b.
func Decode(b []byte, message *Message) error {
	*message = Message{}
	if len(b) < HeaderLen {
		return refuse(ErrLength, len(b), "%d bytes, want at least %d", len(b), HeaderLen)
	}
	if v := be.Uint16(b); v != magic {
		return refuse(ErrMagic, 0, "0x%04x, want 0x%04x", v, magic)
	}
	if b[2] != version {
		return refuse(ErrVersion, 2, "%d, allowed is %d", b[2], version)
	}
	if message.Type = Type(b[3]); message.Type < Congestion || message.Type > Release {
		return refuse(ErrType, 3, "%d, allowed are %d to %d", b[3], Congestion, Release)
	}
	if message.Count = b[23]; message.Count > MaxFlows {
		return refuse(ErrCount, 23, "%d, allowed are up to %d", message.Count, MaxFlows)
	}
	if len(b) != message.Len() {
		return refuse(ErrLength, min(len(b), message.Len()), "%d bytes, %d flows need %d",
			len(b), message.Count, message.Len())
	}
	if message.Priority = b[22]; message.Priority > maxPriority {
		return refuse(ErrReserved, 22, "priority %d, allowed are up to %d", message.Priority, maxPriority)
	}
	ns := be.Uint64(b[12:])
	if ns > maxTime {
		return refuse(ErrTime, 12, "%d ns, allowed are up to %d ns", ns, maxTime)
	}
	message.Time = unit.Time(ns) * unit.Time(unit.Nanosecond)
	message.Origin, message.Sequence, message.Port = be.Uint32(b[4:]), be.Uint32(b[8:]), be.Uint16(b[20:])
	message.Depth, message.Before = unit.Bytes(be.Uint32(b[24:])), unit.Bytes(be.Uint32(b[28:]))
	message.Elapsed = unit.Duration(be.Uint32(b[32:])) * unit.Nanosecond
	message.Rate = unit.BitRate(be.Uint32(b[36:])) * unit.Mbps
	message.Usage, message.Degree = be.Uint16(b[40:]), be.Uint16(b[42:])
	message.Threshold, message.Kmax = unit.Bytes(be.Uint32(b[44:])), unit.Bytes(be.Uint32(b[48:]))
	message.Lifetime = unit.Duration(be.Uint32(b[52:])) * unit.Microsecond
	message.Live, message.Level = be.Uint16(b[56:]), be.Uint16(b[58:])
	for i := range message.Flows[:message.Count] {
		if err := message.Flows[i].get(b, HeaderLen+FlowLen*i); err != nil {
			return err
		}
	}
	return nil
}

// get reads the flow at byte at of the message b.
func (f *Flow) get(b []byte, at int) error {
	p := b[at : at+FlowLen]
	f.SrcIP, f.DstIP = be.Uint32(p), be.Uint32(p[4:])
	f.DstQP, f.SrcQP = be.Uint32(p[8:]), be.Uint32(p[12:])
	for i, qp := range [...]uint32{f.DstQP, f.SrcQP} {
		if qp > maxQP {
			return refuse(ErrReserved, at+8+4*i, "QP 0x%08x, the high byte is 0", qp)
		}
	}
	f.Bytes = unit.Bytes(be.Uint32(p[16:]))
	f.SrcPort, f.Share = be.Uint16(p[20:]), be.Uint16(p[22:])
	return nil
}
