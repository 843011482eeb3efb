package wire

// A datagram is the second kind of IP frame that the codec knows: UDP with
// nothing of RoCE in it, no BTH, no extension, no ICRC. Switches send each other
// such messages. With no ICRC, the UDP checksum is all that protects the bytes,
// so it is computed and verified, and its absence is refused.

// NotificationPort is the UDP destination port of the notifications between
// switches (package notification): rocelab's own choice, in the range that RFC
// 6335, section 6, leaves to private use, 49152 to 65535. It is the one port
// beside UDPPort that Decode knows.
const NotificationPort = 49911

// MaxDatagram is the largest payload of a datagram in bytes.
const MaxDatagram = 1024

// IsDatagram reports whether f is a plain UDP datagram over IPv4 and no RoCEv2
// frame. The fields of the BTH and of all that follows it then mean nothing and
// are 0, which as an opcode would be SendFirst.
func (f *Frame) IsDatagram() bool {
	return f.Rare != nil && f.Rare.DstPort != 0 && f.EtherType == EtherTypeIPv4 && !f.IsOpaque()
}

// DstPort returns the UDP destination port: UDPPort unless f is a datagram, or opaque: then that of TCP or
// UDP, 0 if there is none.
func (f *Frame) DstPort() uint16 {
	if f.IsOpaque() || f.IsDatagram() {
		return f.Rare.DstPort
	}
	return UDPPort
}

// SetDatagram makes f a datagram over IPv4 to NotificationPort with the given
// payload, which f keeps and the caller may not change afterwards. Range: up to
// MaxDatagram bytes. Ethernet addresses, tag, IPv4 fields and SrcPort stay as
// they are, for the caller to assign; everything else is cleared.
func (f *Frame) SetDatagram(payload []byte) {
	rare := &Rare{DstPort: NotificationPort}
	if len(payload) > 0 {
		rare.Payload = payload
	}
	*f = Frame{
		Dst:        f.Dst,
		Src:        f.Src,
		EtherType:  EtherTypeIPv4,
		Tagged:     f.Tagged,
		TCI:        f.TCI,
		SrcIP:      f.SrcIP,
		DstIP:      f.DstIP,
		TOS:        f.TOS,
		TTL:        f.TTL,
		ID:         f.ID,
		Fragment:   f.Fragment,
		SrcPort:    f.SrcPort,
		PayloadLen: uint16(len(payload)),
		Rare:       rare,
	}
}

// putDatagram writes what follows the IPv4 header of packet.
func (f *Frame) putDatagram(packet []byte) {
	p := packet[ipv4Len:]
	be.PutUint16(p, f.SrcPort)
	be.PutUint16(p[2:], f.Rare.DstPort)
	be.PutUint16(p[4:], uint16(len(p)))
	n := copy(p[udpLen:], f.Rare.Payload)
	clear(p[udpLen+n:])
	be.PutUint16(p[6:], udpChecksum(f.SrcIP, f.DstIP, p))
}

// getDatagram reads the datagram to NotificationPort in b[at:end], which holds
// at least the UDP header.
func (f *Frame) getDatagram(b []byte, at, end int) error {
	p := b[at:end]
	if f.EtherType != EtherTypeIPv4 {
		return refuse(ErrUnsupported, "UDP", at+2, "destination port %d over IPv6, allowed is IPv4", NotificationPort)
	}
	if n := int(be.Uint16(p[4:])); n != len(p) {
		return refuse(ErrLength, "UDP", at+4, "length %d, but %d in the IP header", n, len(p))
	}
	if n := len(p) - udpLen; n > MaxDatagram {
		return refuse(ErrUnsupported, "UDP", at+4, "%d bytes of payload, allowed are up to %d", n, MaxDatagram)
	}
	got, want := be.Uint16(p[6:]), udpChecksum(f.SrcIP, f.DstIP, p)
	if got == 0 {
		return refuse(ErrUnsupported, "UDP", at+6, "no checksum, port %d has one", NotificationPort)
	}
	if got != want {
		return refuse(ErrChecksum, "UDP", at+6, "0x%04x, want 0x%04x", got, want)
	}
	f.SrcPort, f.PayloadLen = be.Uint16(p), uint16(len(p)-udpLen)
	r := f.rare()
	r.DstPort = NotificationPort
	if f.PayloadLen > 0 {
		r.Payload = p[udpLen:]
	}
	f.size = uint16(max(end, minFrameLen))
	return nil
}

// udpChecksum returns the checksum (RFC 768) of the datagram p between two IPv4
// addresses, its checksum field counted as zero: the complement of the ones'
// complement sum of the pseudo header (both addresses, protocol and length), the
// header, and the payload padded to an even length. A result of 0, which would
// say that there is none, is 0xFFFF.
func udpChecksum(src, dst uint32, p []byte) uint16 {
	sum := uint64(src) + uint64(dst) + protocolUDP + uint64(
		len(p)) + // modulo 2^16 - 1 a word of 32 bits is its halves' sum
		uint64(be.Uint32(p)) + uint64(be.Uint16(p[4:]))
	p = p[udpLen:]
	for ; len(p) >= 4; p = p[4:] {
		sum += uint64(be.Uint32(p))
	}
	for shift := 24; len(p) > 0; p, shift = p[1:], shift-8 {
		sum += uint64(p[0]) << shift
	}
	for sum > 0xFFFF {
		sum = sum>>16 + sum&0xFFFF
	}
	if sum == 0xFFFF {
		return 0xFFFF
	}
	return ^uint16(sum)
}
