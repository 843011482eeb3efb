package wire

import (
	"bytes"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// ethernet returns a frame of one host to another: type or tags, then the rest.
func ethernet(rest ...[]byte) []byte {
	b := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	return append(b, slices.Concat(rest...)...)
}

// ipv4 returns a packet from 10.0.0.1 to 10.0.0.2 with a right header checksum; options are a multiple of
// four bytes.
func ipv4(tos, ttl, protocol uint8, fragment uint16, options, payload []byte) []byte {
	n := ipv4Len + len(options)
	p := make([]byte, n, n+len(payload))
	p[0], p[1], p[8], p[9] = 0x40|byte(n/4), tos, ttl, protocol
	be.PutUint16(p[2:], uint16(n+len(payload)))
	be.PutUint16(p[6:], fragment)
	be.PutUint32(p[12:], 0x0A000001)
	be.PutUint32(p[16:], 0x0A000002)
	copy(p[20:], options)
	be.PutUint16(p[10:], ^sum16(p))
	return append(p, payload...)
}

var (
	typeIPv4 = []byte{8, 0}
	typeIPv6 = []byte{0x86, 0xDD}
	tag5     = []byte{0x81, 0, 0x60, 5}
	ports    = []byte{0x1F, 0x90, 0x30, 0x39} // 8080, 12345
)

// ipv6 is a packet of ICMPv6 with traffic class 2.
func ipv6() []byte {
	p := make([]byte, ipv6Len+32)
	p[0], p[1], p[5], p[6], p[7] = 0x60, 0x2C, 32, 58, 255
	p[1] = 0x20 | 0xC
	return p
}

// oddFrames are frames of foreign hosts, each with the fields that the struct mirrors.
var oddFrames = []struct {
	name  string
	bytes []byte
	want  Frame
	dst   uint16
}{
	{"ARP", ethernet([]byte{8, 6}, make([]byte, 28)), Frame{}, 0},
	{"priority tag", ethernet([]byte{0x81, 0, 0xE0, 0, 8, 6}, make([]byte, 60)), Frame{Tagged: true, TCI: 0xE000}, 0},
	{"QinQ", ethernet([]byte{0x88, 0xA8, 0, 5}, tag5, typeIPv4, ipv4(0, 9, 6, 0, nil, make([]byte, 40))), Frame{}, 0},
	{"two 802.1Q tags", ethernet(tag5, tag5, typeIPv4, ipv4(0, 9, 6, 0, nil, make([]byte, 40))),
		Frame{Tagged: true, TCI: 0x6005}, 0},
	{"TCP", ethernet(typeIPv4, ipv4(2, 64, 6, DontFragment, nil, append(ports, make([]byte, 60)...))),
		Frame{
			EtherType: EtherTypeIPv4,
			TOS:       2,
			TTL:       64,
			Fragment:  DontFragment,
			SrcPort:   8080,
		}, 12345},
	{"TCP behind a tag", ethernet(tag5, typeIPv4, ipv4(2, 64, 6, 0, nil, append(ports, make([]byte, 60)...))),
		Frame{
			EtherType: EtherTypeIPv4,
			TOS:       2,
			TTL:       64,
			SrcPort:   8080,
			Tagged:    true,
			TCI:       0x6005,
		}, 12345},
	{"IP options", ethernet(typeIPv4, ipv4(1, 1, 17, 0, make([]byte, 40), append(ports, make([]byte, 60)...))),
		Frame{EtherType: EtherTypeIPv4, TOS: 1, TTL: 1, SrcPort: 8080}, 12345},
	{"first fragment", ethernet(typeIPv4, ipv4(1, 9, 17, 0x2000, nil, append(ports, make([]byte, 60)...))),
		Frame{EtherType: EtherTypeIPv4, TOS: 1, TTL: 9, Fragment: 0x2000}, 0},
	{"ICMP", ethernet(typeIPv4, ipv4(0, 64, 1, 0, nil, append(ports, make([]byte, 60)...))),
		Frame{EtherType: EtherTypeIPv4, TTL: 64}, 0},
	{"garbage to port 4791", ethernet(typeIPv4, ipv4(0, 64, 17, 0, nil,
		append([]byte{0x1F, 0x90, 0x12, 0xB7, 0, 60, 0, 0}, make([]byte, 52)...))),
		Frame{EtherType: EtherTypeIPv4, TTL: 64, SrcPort: 8080}, UDPPort},
	{"jumbo", ethernet(typeIPv4, ipv4(0, 64, 6, 0, nil, make([]byte, 8980))),
		Frame{EtherType: EtherTypeIPv4, TTL: 64}, 0},
	{"IPv4 with a wrong checksum", ethernet(typeIPv4, make([]byte, 10), []byte{1, 2}, make([]byte, 60)), Frame{}, 0},
	{"IPv4 that is cut", ethernet(typeIPv4, ipv4(0, 64, 6, 0, nil, make([]byte, 100))[:90]), Frame{}, 0},
	{"IPv6", ethernet(typeIPv6, ipv6()), Frame{EtherType: EtherTypeIPv6, TOS: 2}, 0},
	{"802.3x pause", append([]byte{1, 0x80, 0xC2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, 0, 1, 0xFF, 0xFF},
		make([]byte, 42)...), Frame{}, 0},
	{"LLDP", append([]byte{1, 0x80, 0xC2, 0, 0, 0x0E, 2, 0, 0, 0, 0, 1, 0x88, 0xCC}, make([]byte, 50)...), Frame{}, 0},
	{"802.3 length", ethernet([]byte{0, 40}, make([]byte, 60)), Frame{}, 0},
	{"runt", []byte{1, 2, 3}, Frame{}, 0},
	{"nothing", nil, Frame{}, 0},
}

// Every odd frame is opaque, with what a switch acts on in the struct, and comes out byte for byte. It is none of
// what models ask for.
func TestOpaqueMirrorsWhatSwitchesActOn(t *testing.T) {
	for _, c := range oddFrames {
		t.Run(c.name, func(t *testing.T) {
			var f Frame
			if !DecodeAny(c.bytes, &f) || !f.IsOpaque() {
				t.Errorf("%s: %v is not opaque", c.name, &f)
				return
			}
			if f.IsData() || f.IsPFC() || f.IsDatagram() {
				t.Errorf("%s: data %v, PFC %v, datagram %v", c.name, f.IsData(), f.IsPFC(), f.IsDatagram())
			}
			want := slices.Concat(c.bytes, make([]byte, max(0, 60-len(c.bytes))))
			if got := f.AppendTo(nil); !bytes.Equal(got, want) || int(f.Len()) != len(want) {
				t.Errorf("%s: %d B\n got %x\nwant %x", c.name, f.Len(), got, want)
			}
			got := Frame{
				EtherType: f.EtherType,
				TOS:       f.TOS,
				TTL:       f.TTL,
				SrcPort:   f.SrcPort,
				Fragment:  f.Fragment,
				Tagged:    f.Tagged,
				TCI:       f.TCI,
			}
			if got != c.want || f.DstPort() != c.dst {
				t.Errorf("%s: mirrors %+v to port %d\nwant %+v to port %d", c.name, got, f.DstPort(), c.want, c.dst)
			}
			if c.want.EtherType == EtherTypeIPv4 && (f.SrcIP != 0x0A000001 || f.DstIP != 0x0A000002) {
				t.Errorf("%s: addresses %x, %x", c.name, f.SrcIP, f.DstIP)
			}
			if f.String() == "" {
				t.Errorf("%s: no text", c.name)
			}
		})
	}
}

// A change of TOS and TTL reaches the bytes with a right checksum, and nothing else changes. The digest is
// that of the frame that the bytes decode to: in process and on a wire are the same.
func TestOpaqueTakesTOSAndTTL(t *testing.T) {
	for _, c := range oddFrames {
		t.Run(c.name, func(t *testing.T) {
			var f, before, back Frame
			DecodeAny(c.bytes, &f)
			DecodeAny(c.bytes, &before)
			if before.EtherType == 0 {
				return
			}
			f.MarkCE()
			f.TTL--
			digest := f.Digest()
			got := f.AppendTo(nil)
			DecodeAny(got, &back)
			wantTTL := before.TTL - 1
			if f.EtherType == EtherTypeIPv6 {
				wantTTL = 0 // left alone
			}
			if back.TOS != before.TOS|CE || back.TTL != wantTTL || back.EtherType != before.EtherType {
				t.Errorf("%s: TOS %d, TTL %d, type %x came out", c.name, back.TOS, back.TTL, back.EtherType)
			}
			if f.EtherType == EtherTypeIPv4 && digest != back.Digest() {
				t.Errorf("%s: digest %x, on the wire %x", c.name, digest, back.Digest())
			}
			if digest == before.Digest() {
				t.Errorf("%s: the digest is blind for the mark", c.name)
			}
			changed := 0
			for i, v := range before.AppendTo(nil) {
				if v != got[i] {
					changed++
				}
			}
			if most := 4; changed > most {
				t.Errorf("%s: %d bytes changed, at most TOS, TTL and checksum may", c.name, changed)
			}
		})
	}
}

// Every byte of an opaque frame is in its digest.
func TestOpaqueDigestSeesEveryByte(t *testing.T) {
	var f, other Frame
	for _, c := range oddFrames {
		t.Run(c.name, func(t *testing.T) {
			DecodeAny(c.bytes, &f)
			b := f.AppendTo(nil)
			for i := range b {
				b[i] ^= 0x80
				if DecodeAny(b, &other); other.Digest() == f.Digest() {
					t.Errorf("%s: byte %d is not in the digest", c.name, i)
				}
				b[i] ^= 0x80
			}
		})
	}
}

// Frames of soft-RoCE and all that the codec can hold stay what they are.
func TestDecodeAnyKnowsRoCE(t *testing.T) {
	frames := goldenFrames(t)
	stream := chance.New(7, "opaque")
	for range 3000 {
		f := randomFrame(stream)
		frames = append(frames, f.AppendTo(nil))
	}
	for i, b := range frames {
		var f, want Frame
		if !DecodeAny(b, &f) || f.IsOpaque() {
			t.Fatalf("frame %d is opaque: %x", i, b)
		}
		if err := Decode(b, &want); err != nil {
			t.Fatal(err)
		}
		wantSame(t, &f, &want)
	}
	other := Frame{EtherType: EtherTypeIPv4, Opcode: WriteOnly, PayloadLen: 4, Rare: &Rare{Payload: []byte("mine")}}
	b := other.AppendTo(nil)
	var f Frame
	DecodeAny(b, &f)
	if clear(b); f.Rare == nil || string(f.Rare.Payload) != "mine" {
		t.Errorf("%v refers to what it was decoded from", &f)
	}
}

// wantWhole wants b to come through the codec byte for byte.
func wantWhole(t *testing.T, b []byte, f *Frame) {
	t.Helper()
	if !DecodeAny(b, f) {
		if len(b) <= MaxOpaque {
			t.Fatalf("%d bytes are refused", len(b))
		}
		return
	}
	want := b
	if f.IsOpaque() || f.Rare == nil || !f.Rare.Unpadded {
		want = slices.Concat(b, make([]byte, max(0, minFrameLen-len(b))))
	}
	if got := f.AppendTo(nil); !bytes.Equal(got, want) {
		t.Fatalf("\n got %x\nwant %x", got, want)
	}
	if f.IsOpaque() && (f.IsData() || f.IsPFC() || f.IsDatagram() || int(f.Len()) != len(want)) {
		t.Fatalf("%d B read as %v", len(b), f)
	}
	f.Digest()
	f.TTL, f.TOS = f.TTL-1, f.TOS|CE
	b = f.AppendTo(nil)
	digest := f.Digest()
	var back Frame
	if DecodeAny(b, &back); f.EtherType == EtherTypeIPv4 && back.Digest() != digest {
		t.Fatalf("changed, %v has digest %x, on the wire %x: %x", f, digest, back.Digest(), b)
	}
}

// Any frame with a few bytes wrong crosses as it is.
func TestDecodeAnyCarriesEverything(t *testing.T) {
	stream := chance.New(8, "opaque")
	var f Frame // one for all, as its room is used again
	for range 3000 {
		random := randomFrame(stream)
		b := random.AppendTo(nil)
		for range stream.Below(4) {
			b[stream.Below(min(uint64(len(b)), 70))] = byte(stream.Uint64())
		}
		wantWhole(t, b[:uint64(len(b))-stream.Below(3)*stream.Below(uint64(len(b)))/2], &f)
	}
	for _, c := range oddFrames {
		t.Run(c.name, func(t *testing.T) {
			wantWhole(t, c.bytes, &f)
		})
	}
	wantWhole(t, make([]byte, MaxOpaque), &f)
	if DecodeAny(make([]byte, MaxOpaque+1), &f) {
		t.Error("65536 bytes fit")
	}
}

// A frame without the padding that makes it known is known at once: what it is does not change on its way.
func TestPaddingMakesKnown(t *testing.T) {
	var pause Frame
	pause.SetPFC(MAC{2, 0, 0, 0, 0, 1}, 3, 77)
	request := Frame{EtherType: EtherTypeIPv4, Opcode: SendOnly, Rare: &Rare{Unpadded: true}}
	for _, known := range []*Frame{&pause, &request} {
		whole := known.AppendTo(nil)
		for n := 34; n <= len(whole); n++ {
			var f, again Frame
			DecodeAny(whole[:n], &f)
			DecodeAny(f.AppendTo(nil), &again)
			if f.IsOpaque() != again.IsOpaque() || f.Digest() != again.Digest() {
				t.Errorf("%d of the %d bytes of %v are %v, and %v at the next hop", n, len(whole), known, &f, &again)
			}
		}
	}
	var f Frame
	if DecodeAny(pause.AppendTo(nil)[:34], &f); !f.IsPFC() {
		t.Errorf("a pause without padding is %v", &f)
	}
}

// A stream of foreign frames does not allocate, garbage on RoCE's port included.
func TestOpaqueAllocatesNothing(t *testing.T) {
	var f Frame
	DecodeAny(make([]byte, 9018), &f)
	for _, c := range oddFrames {
		t.Run(c.name, func(t *testing.T) {
			out := make([]byte, 0, 9100)
			if n := testing.AllocsPerRun(100, func() { DecodeAny(c.bytes, &f); f.AppendTo(out) }); n != 0 {
				t.Errorf("%s: %v allocations a frame", c.name, n)
			}
		})
	}
}

// A copy has bytes of its own.
func TestCopy(t *testing.T) {
	var f, copied Frame
	DecodeAny(oddFrames[4].bytes, &f)
	f.MarkCE()
	copied.Copy(&f)
	if !bytes.Equal(f.AppendTo(nil), copied.AppendTo(nil)) {
		t.Errorf("%v is copied as %v", &f, &copied)
	}
	copied.TTL--
	before := f.Digest()
	if copied.Digest() == before || !bytes.Equal(f.AppendTo(nil), func() []byte { f.Digest(); return f.Rare.Raw }()) {
		t.Error("the copy shares bytes with the frame")
	}
	if f.Digest() != before {
		t.Error("a change of the copy changed the frame")
	}
	var known Frame
	known.SetDatagram([]byte("of a switch"))
	copied.Copy(&known)
	wantSame(t, &copied, &known)
	if copied.Rare.Payload[0] = 0; known.Rare.Payload[0] == 0 {
		t.Error("the copy of a datagram shares its payload")
	}
}

// FuzzDecodeAny feeds the codec any bytes.
func FuzzDecodeAny(f *testing.F) {
	for _, c := range oddFrames {
		f.Add(c.bytes)
	}
	for _, b := range goldenFrames(f)[:20] {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var frame Frame
		wantWhole(t, b, &frame)
	})
}

func BenchmarkDecodeAnyGarbage(b *testing.B) {
	var f Frame
	garbage := oddFrames[9].bytes
	b.ReportAllocs()
	for b.Loop() {
		DecodeAny(garbage, &f)
	}
}

func BenchmarkDecodeAnyTCP(b *testing.B) {
	var f Frame
	frame := ethernet(typeIPv4, ipv4(2, 64, 6, DontFragment, nil, append(ports, make([]byte, 1476)...)))
	b.ReportAllocs()
	for b.Loop() {
		DecodeAny(frame, &f)
	}
}
