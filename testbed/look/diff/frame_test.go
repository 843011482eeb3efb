package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
)

// packet is a frame of a flow.
func packet(change func(*wire.Frame)) *Frame {
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Opcode:    wire.WriteMiddle,
		SrcIP:     0x0a000001,
		DstIP:     0x0a000002,
		DestQP:    0x11,
		PSN:       7,
		PKey:      wire.DefaultPKey,
		TOS:       26<<2 | wire.ECT0,
		TTL:       64,
		Fragment:  wire.DontFragment,
	}
	if change != nil {
		change(&f)
	}
	return &Frame{At: 5, Node: "s0", Port: 1, Bytes: f.AppendTo(nil)}
}

// What differs between two frames is named by its field, with both values.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		b    *Frame
		want string
	}{
		{packet(nil), "[]"},
		{packet(func(f *wire.Frame) { f.TOS |= wire.CE }), "[{ECN ECT(0) CE}]"},
		{packet(func(f *wire.Frame) { f.PSN++ }), "[{BTH PSN 7 8}]"},
		{packet(func(f *wire.Frame) { f.DestQP, f.TTL = 0x12, 63 }), "[{TTL 64 63} {BTH destination QP 0x11 0x12}]"},
		{packet(func(f *wire.Frame) { f.ID = 9 }), "[{byte 19 0x00 0x09}]"},
		{packet(func(f *wire.Frame) {
			*f = wire.Frame{EtherType: wire.EtherTypeMACControl, Dst: wire.PFCDst, ClassEnable: 8}
		}), "[{Ethernet destination "},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			if got := fmt.Sprint(changes(packet(nil), c.b)); !strings.HasPrefix(got, c.want) {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
	dropped := packet(nil)
	dropped.Dropped = "ttl"
	if got := fmt.Sprint(changes(packet(nil), dropped)); got != "[{dropped no ttl}]" {
		t.Error(got)
	}
	if got, want := dropped.String(), "10.0.0.1 > 10.0.0.2 RC RDMA WRITE Middle QP 0x11 PSN 7 0B, ECN ECT(0), 60 B, "+
		"dropped: ttl"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Any bytes can be described, even if another program claims that they are a frame.
func FuzzFrame(f *testing.F) {
	f.Add(packet(nil).Bytes, packet(func(f *wire.Frame) { f.TOS |= wire.CE }).Bytes)
	f.Add([]byte{}, []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := &Frame{Bytes: a}, &Frame{Bytes: b}
		if x.String() == "" || y.String() == "" {
			t.Error("a frame without words")
		}
		if list := changes(x, y); (len(list) == 0) != (string(a) == string(b)) {
			t.Errorf("%v between %x and %x", list, a, b)
		}
	})
}
