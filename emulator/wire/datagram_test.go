package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// datagram returns a datagram with the given payload and the fields of the
// vectors.
func datagram(payload ...byte) Frame {
	f := Frame{
		Dst:      node2,
		Src:      node1,
		SrcIP:    0xac100003,
		DstIP:    0xac100001,
		TOS:      0xC0,
		TTL:      64,
		ID:       9,
		Fragment: DontFragment,
		SrcPort:  0xC001,
	}
	f.SetDatagram(payload)
	return f
}

// fixUDP repairs the UDP checksum of an untagged IPv4 frame.
func fixUDP(b []byte) []byte {
	n := int(be.Uint16(b[16:]))
	if n < ipv4Len+udpLen || ethernetLen+n > len(b) {
		return b
	}
	be.PutUint16(b[40:], udpChecksum(be.Uint32(b[26:]), be.Uint32(b[30:]), b[34:14+n]))
	return b
}

// TestDatagramChecksum holds headers and checksum to vectors worked out by hand
// from RFC 768, at each length modulo 4, and where the sum would come out as 0.
func TestDatagramChecksum(t *testing.T) {
	for _, c := range []struct {
		want    string
		payload []byte
	}{
		{"45c0001c000940004011e1e3ac100003ac100001 c001c2f7000824c0", nil},
		{"45c00024000940004011e1dbac100003ac100001 c001c2f7001018a0 0001020304050607", []byte{0, 1, 2, 3, 4, 5, 6, 7}},
		{"45c0001f000940004011e1e0ac100003ac100001 c001c2f7000b22b9 000102", []byte{0, 1, 2}},
		{"45c00023000940004011e1dcac100003ac100001 c001c2f7000f18a9 00010203040506", []byte{0, 1, 2, 3, 4, 5, 6}},
		{"45c0001e000940004011e1e1ac100003ac100001 c001c2f7000affff 24bc", []byte{0x24, 0xbc}},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			want := unhex(t, mac2+mac1+"0800"+c.want)
			for _, unpadded := range []bool{false, true} {
				f := datagram(c.payload...)
				f.Rare.Unpadded = unpadded
				want := want
				if !unpadded {
					want = append(bytes.Clone(want), make([]byte, 60-len(want))...)
				}
				if got := f.AppendTo(nil); !bytes.Equal(got, want) {
					t.Errorf("\n got %x\nwant %x", got, want)
				}
				var got Frame
				if err := Decode(want, &got); err != nil {
					t.Errorf("%x: %v", want, err)
					continue
				}
				wantSame(t, &got, &f)
				if got.Len() != 60 {
					t.Errorf("Len %d, a wire carries 60", got.Len())
				}
			}
		})
	}
}

// TestDatagramChecksumAgreesWithGopacket compares with another implementation
// over many payloads.
func TestDatagramChecksumAgreesWithGopacket(t *testing.T) {
	s := chance.New(6, "wire")
	for range 500 {
		f := randomDatagram(Frame{SrcIP: uint32(s.Uint64()), DstIP: uint32(s.Uint64()), TTL: 1}, s)
		p := gopacket.NewPacket(f.AppendTo(nil), layers.LayerTypeEthernet, gopacket.Default)
		ip, udp := p.Layer(layers.LayerTypeIPv4).(*layers.IPv4), *p.Layer(layers.LayerTypeUDP).(*layers.UDP)
		got := udp.Checksum
		if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
			t.Fatal(err)
		}
		buf := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{ComputeChecksums: true, FixLengths: true}, &udp,
			gopacket.Payload(f.Rare.Payload)); err != nil {
			t.Fatal(err)
		}
		if udp.Checksum != got {
			t.Errorf("%v: 0x%04x, gopacket has 0x%04x", &f, got, udp.Checksum)
		}
	}
}

func TestDatagramIsNoRoCE(t *testing.T) {
	f := datagram(1, 2, 3)
	if !f.IsDatagram() || f.IsData() || f.IsPFC() || f.DstPort() != 49911 || f.Extension() != ExtNone {
		t.Errorf("%v: datagram %t, data %t, PFC %t, port %d, extension %d", &f, f.IsDatagram(), f.IsData(), f.IsPFC(),
			f.DstPort(), f.Extension())
	}
	if Full.Bytes(&f) != 60+24 || Bare48.Bytes(&f) != 60+24 {
		t.Errorf("counts for %d and %d bytes", Full.Bytes(&f), Bare48.Bytes(&f))
	}
	if Full.QueuedOf(f.Len(), &f) != 60 || Bare48.QueuedOf(f.Len(), &f) != 60 {
		t.Errorf("counts for %d and %d bytes in queues", Full.QueuedOf(f.Len(), &f), Bare48.QueuedOf(f.Len(), &f))
	}
	send := Frame{EtherType: EtherTypeIPv4, Opcode: SendFirst, Rare: &Rare{}}
	if send.IsDatagram() || !send.IsData() || send.DstPort() != 4791 {
		t.Errorf("%v: datagram %t, data %t, port %d", &send, send.IsDatagram(), send.IsData(), send.DstPort())
	}
	var pfc Frame
	pfc.SetPFC(node1, 3, 1)
	pfc.Rare = &Rare{DstPort: NotificationPort}
	if pfc.IsDatagram() || !strings.HasPrefix(pfc.String(), "PFC") {
		t.Errorf("%v is a datagram", &pfc)
	}
	if f.MarkCE(); f.String() != "172.16.0.3 > 172.16.0.1 UDP 49911 3B CE" {
		t.Error(f.String())
	}
}

// TestSetDatagram: after any earlier use, a frame keeps only the values that the caller assigns for a datagram.
func TestSetDatagram(t *testing.T) {
	f := usual(Frame{
		SrcIP:       ip1,
		DstIP:       ip2,
		TOS:         0xC0,
		ID:          5,
		Opcode:      Acknowledge,
		DestQP:      1,
		PSN:         2,
		AckExt:      AckReq | uint8(ExtINT),
		ExtTime:     3,
		MSN:         4,
		Syndrome:    5,
		VA:          6,
		Tagged:      true,
		TCI:         7,
		UDPChecksum: 8,
		ClassEnable: 9,
		Notify:      BECN,
		Rare:        &Rare{Immediate: 1, Unpadded: true},
	})
	f.SetPayload(1000)
	f.Len()
	f.SetDatagram([]byte{1, 2, 3})
	want := Frame{
		Dst:        node2,
		Src:        node1,
		EtherType:  EtherTypeIPv4,
		SrcIP:      ip1,
		DstIP:      ip2,
		TOS:        0xC0,
		TTL:        64,
		ID:         5,
		Fragment:   DontFragment,
		SrcPort:    0xC000,
		Tagged:     true,
		TCI:        7,
		PayloadLen: 3,
		Rare:       &Rare{DstPort: NotificationPort, Payload: []byte{1, 2, 3}},
	}
	wantSame(t, &f, &want)
	if f.Len() != 60 {
		t.Errorf("Len %d", f.Len())
	}
	if f.SetDatagram(make([]byte, 100)); f.Len() != 14+4+20+8+100 {
		t.Errorf("Len %d", f.Len())
	}
	if f.SetDatagram([]byte{}); f.Rare.Payload != nil || f.PayloadLen != 0 {
		t.Errorf("an empty payload is stored: %+v", f.Rare)
	}
}

// TestDatagramOfZeros: a payload that is too short is filled with zeros.
func TestDatagramOfZeros(t *testing.T) {
	f := datagram(1, 2)
	f.PayloadLen = 100
	f.Rare.Payload = f.Rare.Payload[:1]
	dirty := bytes.Repeat([]byte{0xFF}, 200)
	var got Frame
	if err := Decode(f.AppendTo(dirty[:0]), &got); err != nil || !bytes.Equal(got.Rare.Payload,
		append([]byte{1}, make([]byte, 99)...)) {
		t.Errorf("%v: %+v", err, got.Rare)
	}
}

func TestDatagramDigest(t *testing.T) {
	digests := map[uint64]string{}
	add := func(what string, f Frame) {
		d := f.Digest()
		if other, ok := digests[d]; ok {
			t.Errorf("%s has the digest of %s", what, other)
		}
		digests[d] = what
	}
	payload := mustHex(notice)
	add("the notification", datagram(payload...))
	for i := range payload {
		changed := bytes.Clone(payload)
		changed[i] ^= 1
		add(fmt.Sprintf("a change of byte %d", i), datagram(changed...))
	}
	other := datagram(payload...)
	other.Rare.DstPort++
	add("another port", other)
	roce := datagram(payload...)
	roce.Rare.DstPort = 0
	add("RoCE", roce)
	add("one byte less", datagram(payload[:79]...))
	add("one zero more", datagram(append(bytes.Clone(payload), 0)...))
	later := datagram(payload...)
	later.TTL--
	add("a hop later", later)
}

// TestDatagramBits flips bits of datagrams behind the IPv4 header and repairs
// the UDP checksum, so that only the fields themselves can be refused.
func TestDatagramBits(t *testing.T) {
	s := chance.New(7, "wire")
	accepted := 0
	for range 300 {
		f := randomDatagram(Frame{SrcIP: uint32(s.Uint64()), DstIP: uint32(s.Uint64()), TTL: 1}, s)
		b := f.AppendTo(nil)
		for range 40 {
			flipped, bit := bytes.Clone(b), int(s.Below(uint64(8*min(len(b)-34, 30))))
			flipped[34+bit/8] ^= 1 << (bit % 8)
			fixUDP(flipped)
			var g Frame
			if Decode(flipped, &g) != nil {
				continue
			}
			accepted++
			if got := g.AppendTo(nil); !bytes.Equal(got, flipped) {
				t.Fatalf("%v, bit %d\n got %x\nwant %x", &f, bit, got, flipped)
			}
		}
	}
	if accepted < 1000 {
		t.Errorf("%d changes accepted", accepted)
	}
}

func TestDatagramRefusals(t *testing.T) {
	base := unhex(t, vectors[7].bytes)
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		kind   error
		text   string
	}{
		{"other port", func(b []byte) []byte { b[37]++; return fixUDP(b) }, ErrUnsupported,
			"port 49912, allowed are 4791 and 49911"},
		{"payload", func(b []byte) []byte { b[60]++; return b }, ErrChecksum, "UDP at byte 40"},
		{"address", func(b []byte) []byte { b[33]++; return fixIPv4(b) }, ErrChecksum, "UDP at byte 40"},
		{"no checksum", func(b []byte) []byte { b[40], b[41] = 0, 0; return b }, ErrUnsupported,
			"UDP at byte 40: no checksum"},
		{"UDP length", func(b []byte) []byte { b[39]--; return fixUDP(b) }, ErrLength, "UDP at byte 38"},
		{"no UDP header", func(b []byte) []byte { b[17] = 27; return fixIPv4(append(b[:41], make([]byte, 19)...)) },
			ErrLength, "IP at byte 34"},
		{"trailing byte", func(b []byte) []byte { return append(b, 0) }, ErrLength, "Ethernet at byte 126"},
		{"fragment", func(b []byte) []byte { b[20] = 0x20; return fixIPv4(b) }, ErrUnsupported, "IPv4 at byte 20"},
		{"padding", func([]byte) []byte { f := datagram(1); b := f.AppendTo(nil); b[59] = 1; return b }, ErrUnsupported,
			"Ethernet at byte 59"},
		{"1025 bytes", func([]byte) []byte { f := datagram(make([]byte, MaxDatagram+1)...); return f.AppendTo(nil) },
			ErrUnsupported, "1025 bytes of payload"},
		{"a port of ours that nobody knows", func([]byte) []byte {
			f := datagram(make([]byte, 20)...)
			f.Rare.DstPort = 53
			return f.AppendTo(nil)
		}, ErrUnsupported, "port 53"},
		{"IPv6", func([]byte) []byte {
			f := usual(Frame{Opcode: CNP, Rare: &Rare{}})
			f.EtherType = EtherTypeIPv6
			b := f.AppendTo(nil)
			be.PutUint16(b[56:], NotificationPort)
			return b
		}, ErrUnsupported, "over IPv6, allowed is IPv4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f Frame
			err := Decode(c.change(bytes.Clone(base)), &f)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%s: %v, want %q and %q", c.name, err, c.kind, c.text)
			}
		})
	}
	largest := datagram(make([]byte, MaxDatagram)...)
	if err := Decode(largest.AppendTo(nil), new(Frame)); err != nil || largest.Len() != unit.Bytes(42+MaxDatagram) {
		t.Errorf("%d bytes: %v", largest.Len(), err)
	}
}
