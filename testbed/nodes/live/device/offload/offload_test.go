package offload

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// bytesOf is a frame written as hexadecimal words.
func bytesOf(t *testing.T, words ...string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(strings.Join(words, ""), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Frames as a host with all offloads on handed them over, and as it sent the same with none
// on, both captured on a veth pair.
func TestCapturedFramesAreFinished(t *testing.T) {
	for _, test := range captured {
		t.Run(test.name, func(t *testing.T) {
			frame := bytesOf(t, test.left)
			if !Finish(frame, test.header) {
				t.Fatal("left as it was")
			}
			if want := bytesOf(t, test.want); !bytes.Equal(frame, want) {
				t.Errorf("got  %x\nwant %x", frame, want)
			}
		})
	}
}

// samples are all shapes of what can be cut: every network and transport, tags, options.
func samples(payload []byte, segment int) (all []sample) {
	for _, tags := range [][]uint16{nil, {typeTag}, {typeQinQ, typeTag}, {typeOld, typeTag, typeTag}} {
		for _, six := range []bool{false, true} {
			for _, options := range []int{0, 8, 24} {
				for _, udp := range []bool{false, true} {
					all = append(all, sample{
						tags:     tags,
						six:      six,
						options:  options,
						udp:      udp,
						tcpExtra: 12,
						flags:    0x18 | flagFIN | flagCWR,
						ecn:      true,
						segment:  segment,
						payload:  payload,
					})
				}
			}
		}
	}
	return all
}

func random(length int, chance *rand.Rand) []byte {
	b := make([]byte, length)
	for i := range b {
		b[i] = uint8(chance.Uint32())
	}
	return b
}

// The pieces, put together again, are the super-frame; each piece is as long as it may be, and its checksums and
// numbers are right.
func TestPiecesAreTheSuperFrame(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 65600)
	for range 12 {
		length := 1 + chance.IntN(60000)
		segment := 1 + chance.IntN(9000) + length/50
		for _, s := range samples(random(length, chance), segment) {
			super, h := s.super()
			before := bytes.Clone(super)
			var c Cutter
			if !c.Begin(super, h) {
				t.Fatalf("%v: not cut", s)
			}
			var payload []byte
			pieces := (length + segment - 1) / segment
			for i := range pieces {
				piece := c.Next(b)
				if piece == nil {
					t.Fatalf("%v: %d pieces, want %d", s, i, pieces)
				}
				payload = append(payload, checkPiece(t, s, super, piece, i, pieces)...)
			}
			if c.Next(b) != nil {
				t.Fatalf("%v: more than %d pieces", s, pieces)
			}
			if !bytes.Equal(payload, s.payload) {
				t.Fatalf("%v: other payload", s)
			}
			if !bytes.Equal(super, before) {
				t.Fatalf("%v: the super-frame was changed", s)
			}
		}
	}
}

// checkPiece asks of a piece what a receiver would, without the code that made it, and
// returns its payload.
func checkPiece(t *testing.T, s sample, super, piece []byte, i, pieces int) []byte {
	t.Helper()
	network := ethernetLen + tagLen*len(s.tags)
	transport := network + ipv4Len + s.options
	pseudo, protocol := piece[network+12:network+20], uint32(protocolTCP)
	if s.six {
		transport = network + ipv6Len + s.options
		pseudo = piece[network+8 : network+40]
	}
	packet := piece[transport:]
	if s.udp {
		protocol = protocolUDP
	}
	if !bytes.Equal(piece[:network], super[:network]) {
		t.Fatalf("%v: piece %d begins with %x", s, i, piece[:network])
	}
	if s.six {
		if got := int(binary.BigEndian.Uint16(piece[network+4:])); got != len(piece)-network-ipv6Len {
			t.Fatalf("%v: piece %d says %d B", s, i, got)
		}
	} else {
		ip := piece[network:transport]
		id := binary.BigEndian.Uint16(ip[4:])
		if int(binary.BigEndian.Uint16(ip[2:])) != len(piece)-network || slowSum(ip, 0) != 0xffff ||
			id != uint16(0xfffe+i) {
			t.Fatalf("%v: IPv4 header of piece %d: %x", s, i, ip)
		}
	}
	if got := slowSum(packet, uint32(slowSum(pseudo, protocol+uint32(len(packet))))); got != 0xffff {
		t.Fatalf("%v: checksum of piece %d: sum %#x", s, i, got)
	}
	if s.udp {
		if int(binary.BigEndian.Uint16(packet[4:])) != len(packet) {
			t.Fatalf("%v: piece %d says %x", s, i, packet[:8])
		}
		packet = packet[udpLen:]
	} else {
		want := s.flags
		if i < pieces-1 {
			want &^= flagFIN | flagPSH
		}
		if i > 0 && s.ecn {
			want &^= flagCWR
		}
		at := uint32(i*s.segment) + 0xffffff00
		if packet[13] != want || binary.BigEndian.Uint32(packet[4:]) != at {
			t.Fatalf("%v: TCP header of piece %d: %x", s, i, packet[:20])
		}
		packet = packet[tcpLen+s.tcpExtra:]
	}
	if i < pieces-1 && len(packet) != s.segment || len(packet) == 0 || len(packet) > s.segment {
		t.Fatalf("%v: piece %d has %d B", s, i, len(packet))
	}
	return packet
}

// Accurate ECN counts with CWR, so every frame has it.
func TestCWRStaysWhereItIsACounter(t *testing.T) {
	s := sample{flags: 0x10 | flagCWR, segment: 100, payload: make([]byte, 250)}
	super, h := s.super()
	var c Cutter
	if !c.Begin(super, h) {
		t.Fatal("not cut")
	}
	b := make([]byte, 1500)
	for i := range 3 {
		checkPiece(t, s, super, c.Next(b), i, 3)
	}
}

// A checksum that comes out as zero is written as 0xffff: to UDP zero means that
// there is none.
func TestAChecksumIsNeverZero(t *testing.T) {
	s := sample{udp: true, payload: []byte{0, 0}}
	frame, h := s.super()
	at := int(h.Start)
	copy(frame[at+udpLen:], []byte{0, 0})
	rest := slowSum(frame[at:], 0)
	binary.BigEndian.PutUint16(frame[at+udpLen:], ^rest) // now the sum is 0xffff
	if !Finish(frame, h) {
		t.Fatal("left as it was")
	}
	if got := binary.BigEndian.Uint16(frame[at+6:]); got != 0xffff {
		t.Errorf("checksum %#x, want 0xffff", got)
	}
}

// A frame that does not fit its header stays as it is, for any cut or overwritten bytes.
func TestMalformedFramesAreLeft(t *testing.T) {
	for _, s := range samples(make([]byte, 3000), 1000) {
		super, h := s.super()
		var c Cutter
		for n := range super {
			if c.Begin(super[:n], h) {
				t.Fatalf("%v: cut, though its last %d bytes are missing", s, len(super)-n)
			}
		}
		for name, spoil := range map[string]func(b []byte, h *Header){
			"no checksum begun":    func(_ []byte, h *Header) { h.Flags = 0 },
			"a kind of its own":    func(_ []byte, h *Header) { h.Type = 0x42 },
			"UFO":                  func(_ []byte, h *Header) { h.Type = unix.VIRTIO_NET_HDR_GSO_UDP },
			"pieces of no size":    func(_ []byte, h *Header) { h.SegmentSize = 0 },
			"a start elsewhere":    func(_ []byte, h *Header) { h.Start += 2 },
			"a start far away":     func(_ []byte, h *Header) { h.Start = 65535 },
			"a field elsewhere":    func(_ []byte, h *Header) { h.Offset -= 2 },
			"another Ethernet":     func(b []byte, _ *Header) { b[12+4*len(s.tags)] ^= 1 },
			"another version":      func(b []byte, h *Header) { b[14+4*len(s.tags)] ^= 0x30 },
			"a length of a packet": func(b []byte, _ *Header) { b[14+4*len(s.tags)+map[bool]int{true: 5, false: 3}[s.six]]++ },
		} {
			frame, header := bytes.Clone(super), h
			if spoil(frame, &header); c.Begin(frame, header) {
				t.Errorf("%v: cut in spite of %s", s, name)
			}
		}
	}
	s := sample{udp: true, payload: make([]byte, 100)}
	frame, h := s.super()
	before := bytes.Clone(frame)
	for _, spoiled := range []Header{
		{Flags: h.Flags, Start: 65535, Offset: 65535}, {Flags: h.Flags, Start: h.Start, Offset: 200},
		{Flags: h.Flags, Start: 4, Offset: 6}, {Flags: h.Flags, Start: uint16(len(frame) - 1)},
	} {
		if Finish(frame, spoiled) || !bytes.Equal(frame, before) {
			t.Errorf("finished with %+v", spoiled)
		}
	}
}

// No bytes and no header make Finish or a Cutter panic, and the pieces are as long as the super-frame was. Tier:
// -short.
func FuzzOffload(f *testing.F) {
	for _, s := range samples(make([]byte, 300), 100) {
		super, h := s.super()
		f.Add(super, h.Flags, h.Type, h.SegmentSize, h.Start, h.Offset)
	}
	f.Add([]byte{}, uint8(1), uint8(1), uint16(1), uint16(0), uint16(0))
	room := make([]byte, 70000)
	f.Fuzz(func(t *testing.T, frame []byte, flags, kind uint8, segment, start, offset uint16) {
		h := Header{
			Flags:       flags,
			Type:        kind,
			SegmentSize: segment,
			Start:       start,
			Offset:      offset,
		}
		before := bytes.Clone(frame)
		var c Cutter
		if c.Begin(frame, h) {
			headers := c.payload
			left := len(frame) - headers
			for piece := c.Next(room); piece != nil; piece = c.Next(room) {
				left -= len(piece) - headers
				if len(piece) > headers+int(segment) {
					t.Fatalf("a piece of %d bytes", len(piece))
				}
			}
			if left != 0 {
				t.Fatalf("%d bytes are missing", left)
			}
		}
		if !bytes.Equal(frame, before) {
			t.Fatal("cutting changed the super-frame")
		}
		if !Finish(frame, h) && !bytes.Equal(frame, before) {
			t.Fatal("changed, and said that it was not")
		}
	})
}
