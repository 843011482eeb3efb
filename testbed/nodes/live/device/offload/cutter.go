package offload

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Bits of the flags of a TCP header, at byte 13 (RFC 9293, section 3.1).
const (
	flagFIN = 0x01
	flagPSH = 0x08
	flagCWR = 0x80
)

// Cutter makes frames of a super-frame. The zero Cutter has none.
type Cutter struct {
	frame []byte
	place
	// payload is the offset of the payload, at the offset of the next frame's payload.
	payload, at int
	segment     int
	// cwrOnce is set if only the first frame has CWR: a sender of RFC 3168 sets it once. One of Accurate ECN counts
	// with the bit, which then is every frame's.
	cwrOnce bool
	// seed is the sum that the stack left, without the length.
	seed uint64
	made int
}

// Begin starts to cut a super-frame, which must not change until Next is done. It reports whether the frame matches its
// header: if not, there is nothing to cut.
func (c *Cutter) Begin(frame []byte, h Header) bool {
	p, ok := parse(frame)
	if !ok || !h.NeedsChecksum() || int(h.Start) != p.transport || h.SegmentSize == 0 || !p.ends(frame) {
		return false
	}
	var protocol uint8
	header, field := 0, 0
	switch h.Type &^ unix.VIRTIO_NET_HDR_GSO_ECN {
	case unix.VIRTIO_NET_HDR_GSO_TCPV4, unix.VIRTIO_NET_HDR_GSO_TCPV6:
		if len(frame) < p.transport+tcpLen {
			return false
		}
		protocol, field = protocolTCP, 16
		header = int(frame[p.transport+12]>>4) * 4
		if header < tcpLen {
			return false
		}
	case unix.VIRTIO_NET_HDR_GSO_UDP_L4:
		protocol, header, field = protocolUDP, udpLen, 6
	}
	payload := p.transport + header
	if protocol == 0 || p.protocol != protocol || int(h.Offset) != field || len(frame) <= payload {
		return false
	}
	*c = Cutter{
		frame:   frame,
		place:   p,
		payload: payload,
		at:      payload,
		segment: int(h.SegmentSize),
		cwrOnce: h.Type&unix.VIRTIO_NET_HDR_GSO_ECN != 0,
	}
	left := binary.BigEndian.Uint16(frame[p.transport+field:])
	c.seed = uint64(left) + uint64(^uint16(len(frame)-p.transport))
	return true
}

// ends reports whether the IP packet ends with the frame, as all that is cut does.
func (p place) ends(frame []byte) bool {
	length := int(binary.BigEndian.Uint16(frame[p.network+2:]))
	if p.six {
		length = ipv6Len + int(binary.BigEndian.Uint16(frame[p.network+4:]))
	}
	return length == len(frame)-p.network
}

// Next writes the next frame, whole and with its checksums, into b and returns it,
// or nil after the last. It is nil too if b is too short, and then nothing comes after.
func (c *Cutter) Next(b []byte) []byte {
	size := min(c.segment, len(c.frame)-c.at)
	if size <= 0 {
		return nil
	}
	if len(b) < c.payload+size {
		c.at = len(c.frame)
		return nil
	}
	n := copy(b, c.frame[:c.payload])
	n += copy(b[n:], c.frame[c.at:c.at+size])
	b = b[:n:n]
	c.finishNetwork(b)
	c.finishTransport(b)
	c.at += size
	c.made++
	return b
}

func (c *Cutter) finishNetwork(b []byte) {
	ip := b[c.network:]
	if c.six {
		binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-ipv6Len))
		return
	}
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
	binary.BigEndian.PutUint16(ip[4:], binary.BigEndian.Uint16(ip[4:])+uint16(c.made))
	clear(ip[10:12])
	binary.BigEndian.PutUint16(ip[10:], ^fold(sum(ip[:c.transport-c.network], 0)))
}

func (c *Cutter) finishTransport(b []byte) {
	packet := b[c.transport:]
	field := packet[6:8]
	if c.protocol == protocolTCP {
		field = packet[16:18]
		done := uint32(c.at - c.payload)
		binary.BigEndian.PutUint32(packet[4:], binary.BigEndian.Uint32(packet[4:])+done)
		if c.at+c.segment < len(c.frame) {
			packet[13] &^= flagFIN | flagPSH
		}
		if c.made > 0 && c.cwrOnce {
			packet[13] &^= flagCWR
		}
	} else {
		binary.BigEndian.PutUint16(packet[4:], uint16(len(packet)))
	}
	clear(field)
	binary.BigEndian.PutUint16(field, complement(sum(packet, c.seed+uint64(len(packet)))))
}
