package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const (
	mac1    = "020000000001"
	mac2    = "020000000002"
	zeros16 = "00000000000000000000000000000000"
	bytes8  = "0001020304050607"
	// notice is a notification of one flow: see the vectors of package
	// notification.
	notice = "50520101000000030000002a000000003b9aca07000503010001e2" +
		"4000018a8800002710000186a0400080000001900000064000000003e800040000" +
		"ac100001ac11000200000012000000110000c350c001ffff"
)

func mustHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

var (
	node1, node2 = MAC{2, 0, 0, 0, 0, 1}, MAC{2, 0, 0, 0, 0, 2}
	payload8     = []byte{0, 1, 2, 3, 4, 5, 6, 7}
)

const ip1, ip2 = 0x0a000001, 0x0a000002

// usual returns what the frames of the vectors have in common.
func usual(f Frame) Frame {
	f.Dst, f.Src, f.EtherType = node2, node1, EtherTypeIPv4
	f.Fragment, f.TTL, f.SrcPort, f.PKey = DontFragment, 64, 0xC000, 0xFFFF
	f.Flags |= FlagMigReq
	return f
}

// vectors are frames bit by bit: worked out from the standards, except the
// last, a CNP of a ConnectX-4 Lx from a published capture.
var vectors = []struct {
	name, bytes string
	frame       Frame
}{
	{"RC SEND Only", mac2 + mac1 + "0800 456a0034000140004011264c0a0000010a000002 c00012b700200000 " +
		"0440ffff0000001280000001" + bytes8 + "c4b7c394",
		usual(Frame{
			SrcIP:      ip1,
			DstIP:      ip2,
			TOS:        0x6A,
			ID:         1,
			Opcode:     SendOnly,
			DestQP:     0x12,
			PSN:        1,
			AckExt:     AckReq,
			PayloadLen: 8,
			Rare:       &Rare{Payload: payload8},
		})},
	{"RC ACK", mac2 + mac1 + "0800 456a0030000240004011264f0a0000020a000001 c00012b7001c0000 1140ffff0000001100000001 " +
		"1f000001 379432ca",
		usual(Frame{
			SrcIP:    ip2,
			DstIP:    ip1,
			TOS:      0x6A,
			ID:       2,
			Opcode:   Acknowledge,
			DestQP:   0x11,
			PSN:      1,
			Syndrome: SyndromeACK,
			MSN:      1,
		})},
	{"NAK", mac2 + mac1 + "0800 456a0030000740004011264a0a0000020a000001 c00012b7001c0000 1140ffff0000001100000005 " +
		"60000003 5dc03c4d",
		usual(Frame{
			SrcIP:    ip2,
			DstIP:    ip1,
			TOS:      0x6A,
			ID:       7,
			Opcode:   Acknowledge,
			DestQP:   0x11,
			PSN:      5,
			Syndrome: SyndromeNAKSequence,
			MSN:      3,
		})},
	{"CNP", mac2 + mac1 + "0800 45c0003c00034000401125ec0a0000020a000001 c00012b700280000 8140ffff4000001100000000" +
		zeros16 + "badc7eb8",
		usual(Frame{
			SrcIP:  ip2,
			DstIP:  ip1,
			TOS:    0xC0,
			ID:     3,
			Opcode: CNP,
			DestQP: 0x11,
			Notify: BECN,
		})},
	{"VLAN SEND Middle", mac2 + mac1 + "8100 6064 0800 456a003c000840004011263d0a0000010a000002 c00012b700280000 " +
		"0140ffff0000001200000006" + zeros16 + "3a7ef265",
		usual(Frame{
			SrcIP:      ip1,
			DstIP:      ip2,
			TOS:        0x6A,
			ID:         8,
			Opcode:     SendMiddle,
			DestQP:     0x12,
			PSN:        6,
			Tagged:     true,
			TCI:        3<<13 | 100,
			PayloadLen: 16,
			Rare:       &Rare{Payload: make([]byte, 16)},
		})},
	{"PC4 data", mac2 + mac1 + "0800 456a0044000140004011263c0a0000010a000002 c00012b700300000 0440ffff0000001281000001" +
		"01040000 17979cfe362a0000 0000087f" + bytes8 + "e4b0cde6",
		usual(Frame{
			SrcIP:      ip1,
			DstIP:      ip2,
			TOS:        0x6A,
			ID:         1,
			Opcode:     SendOnly,
			DestQP:     0x12,
			PSN:        1,
			AckExt:     AckReq | uint8(ExtOneWayData),
			ExtTime:    1.7e18,
			ExtA:       2175,
			PayloadLen: 8,
			Rare:       &Rare{Payload: payload8},
		})},
	{"PC4 ACK", mac2 + mac1 +
		"0800 456a004400044000401126390a0000020a000001 c00012b700300000 1140ffff0000001102000002 1f000002" +
		"02050000 00004e20 ffffff77 17979cfe362a0000 80cca591",
		usual(Frame{
			SrcIP:    ip2,
			DstIP:    ip1,
			TOS:      0x6A,
			ID:       4,
			Opcode:   Acknowledge,
			DestQP:   0x11,
			PSN:      2,
			AckExt:   uint8(ExtOneWayAck),
			Syndrome: SyndromeACK,
			MSN:      2,
			ExtTime:  1.7e18,
			ExtA:     20000,
			ExtB:     0xFFFFFF77,
		})},
	{"notification", mac2 + mac1 + "0800 45c00070000940004011e18fac100003ac100001 c001c2f7005c3fe3" + notice,
		Frame{
			Dst:        node2,
			Src:        node1,
			EtherType:  EtherTypeIPv4,
			SrcIP:      0xac100003,
			DstIP:      0xac100001,
			TOS:        0xC0,
			TTL:        64,
			ID:         9,
			Fragment:   DontFragment,
			SrcPort:    0xC001,
			PayloadLen: 84,
			Rare:       &Rare{DstPort: NotificationPort, Payload: mustHex(notice)},
		}},
	{"PFC class 3", "0180c2000001" + mac1 + "8808 0101 0008 0000 0000 0000 ffff 0000 0000 0000 0000" +
		strings.Repeat("00", 26),
		Frame{
			Dst:         PFCDst,
			Src:         node1,
			EtherType:   EtherTypeMACControl,
			ClassEnable: 8,
			Pause:       [8]uint16{3: 0xFFFF},
		}},
	{"CNP with a rate", mac2 + mac1 + "0800 45c0003c00034000401125ec0a0000020a000001 c00012b700280000 " +
		"8140ffff4000001100000000 01000000 0000206c 0000000000000000" + "4b3c1ce3",
		usual(Frame{
			SrcIP:  ip2,
			DstIP:  ip1,
			TOS:    0xC0,
			ID:     3,
			Opcode: CNP,
			DestQP: 0x11,
			Notify: BECN,
			Rare:   &Rare{Reserved: [16]byte{0: 1, 6: 0x20, 7: 0x6C}},
		})},
	{"ConnectX-4 Lx CNP", "e41d2dab2bc27cfe90643b320800 45c2003c718c4000401191610a0011010a001201 000012b700280000 " +
		"8100ffff4000011800000000" + zeros16 + "82fd002a",
		Frame{
			Dst:       MAC{0xE4, 0x1D, 0x2D, 0xAB, 0x2B, 0xC2},
			Src:       MAC{0x7C, 0xFE, 0x90, 0x64, 0x3B, 0x32},
			EtherType: EtherTypeIPv4,
			SrcIP:     0x0a001101,
			DstIP:     0x0a001201,
			TOS:       0xC2,
			TTL:       64,
			ID:        0x718C,
			Fragment:  DontFragment,
			Opcode:    CNP,
			PKey:      0xFFFF,
			Notify:    BECN,
			DestQP:    0x118,
		}},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.bytes)
			f := v.frame
			if got := f.AppendTo(nil); !bytes.Equal(got, want) {
				t.Errorf("AppendTo\n got %x\nwant %x", got, want)
			}
			if int(f.Len()) != len(want) {
				t.Errorf("Len %d, want %d", f.Len(), len(want))
			}
			var got Frame
			if err := Decode(want, &got); err != nil {
				t.Fatal(err)
			}
			wantSame(t, &got, &f)
		})
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			b := unhex(t, v.bytes)
			for n := range b {
				var f Frame
				if err := Decode(b[:n:n], &f); !errors.Is(err, ErrTruncated) {
					t.Errorf("%s cut to %d bytes: %v", v.name, n, err)
				}
			}
		})
	}
}

// TestEveryBitCounts flips each bit of each vector: the codec may accept the
// frame only if it then gives back the flipped bytes.
func TestEveryBitCounts(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			b := unhex(t, v.bytes)
			accepted := 0
			for i := range 8 * len(b) {
				b[i/8] ^= 1 << (i % 8)
				var f Frame
				if Decode(b, &f) == nil {
					accepted++
					if got := f.AppendTo(nil); !bytes.Equal(got, b) {
						t.Errorf("%s, bit %d\n got %x\nwant %x", v.name, i, got, b)
					}
				}
				b[i/8] ^= 1 << (i % 8)
			}
			// Addresses of Ethernet 96 bits; TCI 16 with the tag; UDP checksum 16
			// and BTH byte 4 8; PFC: source, destination, enable, times.
			want := 96 + 16 + 8
			if v.frame.Tagged {
				want += 16
			}
			if v.frame.IsPFC() {
				want = 96 + 8 + 128
			}
			if v.frame.IsDatagram() { // the checksums cover everything from IP on
				want = 96
			}
			if accepted != want {
				t.Errorf("%s: %d single-bit changes accepted, want %d", v.name, accepted, want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	base := unhex(t, vectors[0].bytes)
	tests := []struct {
		name   string
		change func(b []byte) []byte
		kind   error
		text   string
	}{
		{"empty", func(b []byte) []byte { return nil }, ErrTruncated, "Ethernet at byte 0"},
		{"ARP", func(b []byte) []byte { b[13] = 6; return b }, ErrUnsupported, "EtherType 0x0806"},
		{"IP options", func(b []byte) []byte { b[14] = 0x46; return b }, ErrUnsupported, "IPv4 at byte 14"},
		{"checksum", func(b []byte) []byte { b[24]++; return b }, ErrChecksum, "IPv4 at byte 24"},
		{"TCP", func(b []byte) []byte { b[23] = 6; return fixIPv4(b) }, ErrUnsupported, "protocol 6"},
		{"fragment", func(b []byte) []byte { b[21] = 1; return fixIPv4(b) }, ErrUnsupported, "IPv4 at byte 20"},
		{"port", func(b []byte) []byte { b[37]++; return b }, ErrUnsupported, "UDP at byte 36"},
		{"UDP length", func(b []byte) []byte { b[39]++; return b }, ErrLength, "UDP at byte 38"},
		{"trailing bytes", func(b []byte) []byte { return append(b, 0) }, ErrLength, "Ethernet at byte 66"},
		{"payload", func(b []byte) []byte { b[54]++; return b }, ErrICRC, "ICRC at byte 62"},
		{"opcode", func(b []byte) []byte { b[42] = 0x1F; return fixICRC(b) }, ErrUnsupported, "BTH at byte 42"},
		{"opcode with more headers", func(b []byte) []byte { b[42] = uint8(WriteOnly); return fixICRC(b) }, ErrLength,
			"BTH at byte 54"},
		{"opcode without payload", func(b []byte) []byte { b[42] = uint8(Acknowledge); return fixICRC(b) }, ErrLength,
			"payload at byte 58"},
		{"extension type", func(b []byte) []byte {
			b[50], b[54], b[55], b[57] = uint8(lastKind)+1, uint8(lastKind)+1, 1, 0
			return fixICRC(b)
		}, ErrUnsupported, fmt.Sprintf("allowed are 1 to %d", lastKind)},
		{"extension of another type", func(b []byte) []byte { b[50] = 7; return fixICRC(b) }, ErrUnsupported, "want type 7"},
		{"extension too long", func(b []byte) []byte { b[50], b[54], b[55], b[57] = 7, 7, 3, 0; return fixICRC(b) },
			ErrLength, "extension at byte 55"},
		{"extension of wrong length", func(b []byte) []byte { b[50], b[54], b[55], b[57] = 7, 7, 2, 0; return fixICRC(b) },
			ErrLength, "type 7 has 4"},
		{"pad", func(b []byte) []byte { b[43] |= 0x10; return fixICRC(b) }, ErrUnsupported, "pad at byte 61"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f Frame
			err := Decode(test.change(bytes.Clone(base)), &f)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s: %v, want %q and %q", test.name, err, test.kind, test.text)
			}
		})
	}
}

// fixIPv4 repairs the header checksum of an untagged frame, fixICRC the ICRC
// of any.
func fixIPv4(b []byte) []byte {
	be.PutUint16(b[24:], ipv4Checksum(b[14:]))
	return b
}

func fixICRC(b []byte) []byte {
	packet, version := b[14:], b[14]>>4
	if be.Uint16(b[12:]) == uint16(EtherTypeVLAN) {
		packet, version = b[18:], b[18]>>4
	}
	n := int(be.Uint16(packet[2:]))
	if version == 6 {
		n = int(be.Uint16(packet[4:])) + ipv6Len
	}
	if n < icrcLen || n > len(packet) {
		return b
	}
	binary.LittleEndian.PutUint32(packet[n-icrcLen:], ICRC(packet[:n-icrcLen]))
	return b
}
