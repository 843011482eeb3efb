package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// An opaque frame is any Ethernet frame that the codec does not decode: one of a foreign host. It is carried as bytes.
// The fields that switches act on are mirrored in the struct, and two bytes, TOS and TTL, are written back.

// NoOpcode is the opcode of an opaque frame. No RoCEv2 frame has it: the codec does not know it.
const NoOpcode Opcode = 0xFF

// MaxOpaque is the most bytes that an opaque frame may have.
const MaxOpaque = 1<<16 - 1

// IsOpaque reports whether f is carried as the bytes in Rare.Raw. IsData, IsPFC and IsDatagram are
// false for it.
func (f *Frame) IsOpaque() bool { return f.Opcode == NoOpcode }

// DecodeAny reads any Ethernet frame, without FCS, into f, overwriting all of it: RoCEv2, PFC and
// notifications as Decode does, all else as an opaque frame. It copies what it keeps. An opaque
// frame that f was before lends its room. It reports false, and f is undefined, for more
// than MaxOpaque bytes.
//
// AppendTo reproduces b byte for byte. Only a frame shorter than the Ethernet minimum of 60 bytes gets the padding that
// a wire gives it, unless Decode takes it without.
func DecodeAny(b []byte, f *Frame) bool { return DecodeKnown(b, f) || f.SetOpaque(b) }

// DecodeKnown is DecodeAny for the frames that Decode takes. It reports false for all others, almost always at once and
// without changing f; f is then not an opaque frame, unless it was one.
func DecodeKnown(b []byte, f *Frame) bool {
	if seemsKnown(b) && decode(b, f, true) == nil {
		if f.Rare != nil {
			f.Rare.Payload = slices.Clone(f.Rare.Payload)
		}
		return true
	}
	if len(b) >= minFrameLen {
		return false
	}
	if _, kind := locate(b); kind == foreign {
		return false
	}
	padded := make([]byte, minFrameLen) // as a wire carries it, it may be known
	copy(padded, b)
	return seemsKnown(padded) && decode(padded, f, true) == nil
}

// SetOpaque makes f an opaque frame of the bytes b, which it copies, with zeros up to 60 bytes. An opaque
// frame that f was before lends its room. It reports false for more than MaxOpaque bytes.
//
// Dst and Src are mirrored for every frame, Tagged and TCI for one that begins with an 802.1Q tag. For IPv4 with a
// right header, perhaps behind that tag, EtherType is EtherTypeIPv4 and SrcIP, DstIP, TOS and TTL are the header's;
// SrcPort and Rare.DstPort are the ports of TCP and UDP, 0 for fragments and other protocols. For IPv6 EtherType is
// EtherTypeIPv6 and TOS the traffic class. For anything else EtherType is 0. Of all these, AppendTo writes TOS and TTL
// back, TTL for IPv4 only.
func (f *Frame) SetOpaque(b []byte) bool {
	if len(b) > MaxOpaque {
		return false
	}
	rare := f.Rare
	if rare == nil || !f.IsOpaque() { // an opaque frame's Rare is its alone
		rare = new(Rare)
	}
	raw := append(rare.Raw[:0], b...)
	if short := minFrameLen - len(raw); short > 0 {
		raw = append(raw, make([]byte, minFrameLen)[:short]...)
	}
	rare.Raw, rare.DstPort = raw, 0
	*f = Frame{Opcode: NoOpcode, Rare: rare, size: uint16(len(raw))}
	f.mirror(raw)
	return true
}

// Copy makes f a copy of a frame that shares nothing with it. An opaque frame that f was before lends its
// room to another.
func (f *Frame) Copy(from *Frame) {
	if from.IsOpaque() {
		from.settle()
		f.SetOpaque(from.Rare.Raw)
		return
	}
	*f = *from
	if from.Rare != nil {
		rare := *from.Rare
		rare.Payload, rare.Raw = slices.Clone(rare.Payload), nil
		f.Rare = &rare
	}
}

// mirror sets the fields that follow from the bytes of an opaque frame.
func (f *Frame) mirror(b []byte) {
	copy(f.Dst[:], b)
	copy(f.Src[:], b[6:])
	at, kind := ethernetLen, EtherType(be.Uint16(b[12:]))
	if kind == EtherTypeVLAN {
		f.Tagged, f.TCI = true, be.Uint16(b[14:])
		at, kind = at+vlanLen, EtherType(be.Uint16(b[16:]))
	}
	packet := b[at:]
	switch kind {
	case EtherTypeIPv4:
		f.mirrorIPv4(packet)
	case EtherTypeIPv6:
		if len(packet) >= ipv6Len && packet[0]>>4 == 6 {
			f.EtherType, f.TOS = EtherTypeIPv6, packet[0]<<4|packet[1]>>4
		}
	}
}

// mirrorIPv4 sets what follows from an IPv4 packet, unless its header is wrong.
func (f *Frame) mirrorIPv4(packet []byte) {
	header := int(packet[0]&0xF) * 4
	if packet[0]>>4 != 4 || header < ipv4Len || len(packet) < header {
		return
	}
	total := int(be.Uint16(packet[2:]))
	if total < header || total > len(packet) || sum16(packet[:header]) != 0xFFFF {
		return
	}
	f.EtherType, f.TOS, f.TTL = EtherTypeIPv4, packet[1], packet[8]
	f.SrcIP, f.DstIP = be.Uint32(packet[12:]), be.Uint32(packet[16:])
	f.ID, f.Fragment = be.Uint16(packet[4:]), be.Uint16(packet[6:])
	protocol := packet[9]
	if hasPorts := protocol == protocolTCP || protocol == protocolUDP; hasPorts && f.Fragment&fragmentMask == 0 &&
		total >= header+4 {
		f.SrcPort, f.Rare.DstPort = be.Uint16(packet[header:]), be.Uint16(packet[header+2:])
	}
}

const protocolTCP = 6

// settle writes TOS and TTL into the bytes of an opaque frame.
func (f *Frame) settle() {
	at := ethernetLen
	if f.Tagged {
		at += vlanLen
	}
	switch f.EtherType {
	case EtherTypeIPv4:
		p := f.Rare.Raw[at : at+ipv4Len]
		if p[1] != f.TOS {
			replace(p, 0, uint16(p[0])<<8|uint16(f.TOS))
		}
		if p[8] != f.TTL {
			replace(p, 8, uint16(f.TTL)<<8|uint16(p[9]))
		}
	case EtherTypeIPv6:
		p := f.Rare.Raw[at : at+2]
		p[0], p[1] = p[0]&0xF0|f.TOS>>4, f.TOS<<4|p[1]&0xF
	}
}

// replace changes a word of an IPv4 header and updates its checksum: RFC 1624, section 3, equation 3.
func replace(header []byte, at int, word uint16) {
	sum := uint32(^be.Uint16(header[10:])) + uint32(^be.Uint16(header[at:])) + uint32(word)
	sum = sum>>16 + sum&0xFFFF
	be.PutUint16(header[at:], word)
	be.PutUint16(header[10:], ^uint16(sum>>16+sum))
}

// sum16 returns the ones' complement sum of the words of p, whose length is even.
func sum16(p []byte) uint16 {
	sum := uint32(0)
	for ; len(p) >= 2; p = p[2:] {
		sum += uint32(be.Uint16(p))
	}
	sum = sum>>16 + sum&0xFFFF
	return uint16(sum>>16 + sum)
}

// digestOf folds all bytes of an opaque frame, in four lanes that a processor works on
// at once.
func digestOf(b []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	fold := func(sum, word uint64) uint64 { return bits.RotateLeft64((sum^word)*odd, 29) }
	w, x, y, z := uint64(1), uint64(2), uint64(3), uint64(4)
	for ; len(b) >= 32; b = b[32:] {
		w = fold(w, binary.LittleEndian.Uint64(b))
		x = fold(x, binary.LittleEndian.Uint64(b[8:]))
		y = fold(y, binary.LittleEndian.Uint64(b[16:]))
		z = fold(z, binary.LittleEndian.Uint64(b[24:]))
	}
	for ; len(b) >= 8; b = b[8:] {
		w = fold(w, binary.LittleEndian.Uint64(b))
	}
	for _, v := range b {
		w = fold(w, uint64(v))
	}
	return fold(fold(fold(w, x), y), z) * odd
}

// content is the kind of frame that its headers claim.
type content uint8

const (
	foreign content = iota
	macControl
	udpIPv4 // to a port that the codec knows
	udpIPv6
)

// locate returns what a frame claims to be, and what follows its Ethernet header.
func locate(b []byte) (packet []byte, claim content) {
	if len(b) < ethernetLen+vlanLen {
		return nil, foreign
	}
	at, kind := ethernetLen, EtherType(be.Uint16(b[12:]))
	if kind == EtherTypeMACControl {
		return b[at:], macControl
	}
	if kind == EtherTypeVLAN {
		at, kind = at+vlanLen, EtherType(be.Uint16(b[16:]))
	}
	packet = b[at:]
	udp := ipv4Len
	switch {
	case kind == EtherTypeIPv4 && len(packet) >= ipv4Len+udpLen && packet[0] == 0x45 && packet[9] == protocolUDP &&
		be.Uint16(packet[6:])&fragmentMask == 0:
		claim = udpIPv4
	case kind == EtherTypeIPv6 && len(packet) >= ipv6Len+udpLen && packet[0]>>4 == 6 && packet[6] == protocolUDP:
		claim, udp = udpIPv6, ipv6Len
	default:
		return packet, foreign
	}
	if port := be.Uint16(packet[udp+2:]); port != UDPPort && port != NotificationPort {
		return packet, foreign
	}
	return packet, claim
}

// seemsKnown reports whether b may be a frame that Decode takes, and rejects almost all others, so that a stream of
// foreign frames does not cost errors: a PFC frame, or a packet whose lengths agree, of an opcode that the codec knows
// and with a right ICRC, or a notification with a right checksum.
func seemsKnown(b []byte) bool {
	packet, claim := locate(b)
	switch claim {
	case macControl:
		return len(b) == minFrameLen && be.Uint16(packet) == pfcOpcode
	case udpIPv4:
		return seemsKnownUDP(packet, ipv4Len, int(be.Uint16(packet[2:])))
	case udpIPv6:
		return seemsKnownUDP(packet, ipv6Len, ipv6Len+int(be.Uint16(packet[4:])))
	}
	return false
}

// seemsKnownUDP is seemsKnown for an IP packet that ends at end with UDP beginning at udp.
func seemsKnownUDP(packet []byte, udp, end int) bool {
	if end < udp+udpLen || end > len(packet) || int(be.Uint16(packet[udp+4:])) != end-udp {
		return false
	}
	packet = packet[:end]
	if be.Uint16(packet[udp+2:]) == NotificationPort {
		return udp == ipv4Len && end-udp <= udpLen+MaxDatagram && be.Uint16(packet[udp+6:]) ==
			udpChecksum(be.Uint32(packet[12:]), be.Uint32(packet[16:]), packet[udp:])
	}
	icrc := end - icrcLen
	return icrc >= udp+udpLen+bthLen && headersOf[packet[udp+udpLen]] != 0 &&
		binary.LittleEndian.Uint32(packet[icrc:]) == ICRC(packet[:icrc])
}
