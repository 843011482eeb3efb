package diff

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Frame is a frame that a node sent, or dropped.
type Frame struct {
	// At is the departure of its first bit, or the time at which it was dropped.
	At   unit.Time `json:"at_ps"`
	Node string    `json:"node"`
	Port int       `json:"port"`
	// Dropped is the reason why it was dropped, "" for one that was sent.
	Dropped string `json:"dropped,omitempty"`
	// Received is set if the port received it, as in captures; At is then the arrival of its last bit.
	Received bool `json:"received,omitempty"`
	// Bytes are the frame's, without FCS.
	Bytes []byte `json:"bytes"`
}

// same reports whether two nodes did the same.
func (f *Frame) same(other *Frame) bool {
	return f.At == other.At && f.Node == other.Node && f.Port == other.Port && f.Dropped == other.Dropped &&
		f.Received == other.Received && bytes.Equal(f.Bytes, other.Bytes)
}

// ecnNames are the code points of RFC 3168.
var ecnNames = [4]string{wire.NotECT: "not-ECT", wire.ECT1: "ECT(1)", wire.ECT0: "ECT(0)", wire.CE: "CE"}

// decoded is the frame that the bytes are, nil if they are none.
func (f *Frame) decoded() *wire.Frame {
	var d wire.Frame
	if !wire.DecodeAny(f.Bytes, &d) {
		return nil
	}
	return &d
}

// String is the frame in words: addresses, opcode, QP, PSN, payload, ECN, its length on the wire.
func (f *Frame) String() string {
	d := f.decoded()
	if d == nil {
		return fmt.Sprintf("%d bytes that are not a frame", len(f.Bytes))
	}
	text := strings.TrimSuffix(d.String(), " CE")
	if hasECN(d) {
		text += ", ECN " + ecnNames[d.ECN()]
	}
	text += fmt.Sprintf(", %d B", len(f.Bytes))
	if f.Dropped != "" {
		text += ", dropped: " + f.Dropped
	}
	if f.Received {
		text += ", received"
	}
	return text
}

// hasECN reports whether a frame has an IP header.
func hasECN(f *wire.Frame) bool {
	return f.EtherType == wire.EtherTypeIPv4 || f.EtherType == wire.EtherTypeIPv6
}

// field is a part of a frame, in words.
type field struct{ name, value string }

// fields returns the fields of a frame that people know by name.
func (f *Frame) fields() (list []field) {
	add := func(name, format string, args ...any) { list = append(list, field{name, fmt.Sprintf(format, args...)}) }
	defer func() {
		if f.Dropped != "" {
			add("dropped", "%s", f.Dropped)
		}
	}()
	d := f.decoded()
	if d == nil {
		return nil
	}
	add("Ethernet source", "%s", d.Src)
	add("Ethernet destination", "%s", d.Dst)
	if d.IsPFC() {
		add("PFC", "%s", d)
		return list
	}
	if hasECN(d) {
		add("IP source", "%s", wire.IPString(d.SrcIP))
		add("IP destination", "%s", wire.IPString(d.DstIP))
		add("DSCP", "%d", d.DSCP())
		add("ECN", "%s", ecnNames[d.ECN()])
		add("TTL", "%d", d.TTL)
	}
	if d.IsOpaque() || d.IsDatagram() {
		return list
	}
	add("UDP source port", "%d", d.SrcPort)
	add("BTH opcode", "%s", d.Opcode)
	add("BTH destination QP", "0x%x", d.DestQP)
	add("BTH PSN", "%d", d.PSN)
	add("BTH AckReq", "%v", d.AckExt&wire.AckReq != 0)
	add("BTH FECN, BECN", "0x%02x", d.Notify)
	add("AETH syndrome", "0x%02x", d.Syndrome)
	add("AETH MSN", "%d", d.MSN)
	add("payload", "%d B", d.PayloadLen)
	add("extension", "%d", d.Extension())
	add("extension's time", "%d", d.ExtTime)
	add("extension's words", "%d %d", d.ExtA, d.ExtB)
	return list
}

// change is a part of a frame with both values.
type change struct {
	Field string `json:"field"`
	A     string `json:"a"`
	B     string `json:"b"`
}

// changes returns the differences between two frames, by name; for bytes without a name, the offset from which on they
// differ.
func changes(a, b *Frame) (list []change) {
	fields := b.fields()
	for _, was := range a.fields() {
		for _, is := range fields {
			if is.name == was.name && is.value != was.value {
				list = append(list, change{was.name, was.value, is.value})
			}
		}
	}
	if (a.Dropped == "") != (b.Dropped == "") {
		list = append(list, change{"dropped", orNot(a.Dropped), orNot(b.Dropped)})
	}
	if len(a.Bytes) != len(b.Bytes) {
		list = append(list, change{"length", fmt.Sprintf("%d B", len(a.Bytes)), fmt.Sprintf("%d B", len(b.Bytes))})
	}
	if len(list) > 0 || bytes.Equal(a.Bytes, b.Bytes) {
		return list
	}
	for i := range a.Bytes {
		if a.Bytes[i] != b.Bytes[i] {
			return []change{{fmt.Sprintf("byte %d", i), fmt.Sprintf("0x%02x", a.Bytes[i]), fmt.Sprintf("0x%02x", b.Bytes[i])}}
		}
	}
	return nil
}

func orNot(reason string) string {
	if reason == "" {
		return "no"
	}
	return reason
}
