package wire

import (
	"encoding/binary"
	"slices"
)

var be = binary.BigEndian

// AppendTo appends the frame's bytes, without FCS, to b and returns the
// extended slice. It computes IP and UDP lengths, the IPv4 header checksum,
// PadCnt and the ICRC, or a datagram's UDP checksum, fills the payload by
// Pattern unless Rare.Payload is set (a datagram's with zeros), and pads with
// zeros to the Ethernet minimum of 60 bytes (but see Rare.Unpadded). It allocates only if b has too little room.
//
// What a struct can hold and the wire cannot is not encoded: fields of headers
// that the opcode, EtherType or extension type does not call for, and bits
// above a field's width. A frame survives AppendTo and Decode unchanged if it
// has none of these, PadCnt is right (SetPayload), PayloadLen is at most
// MaxPayload and 0 for opcodes without payload, Rare.Payload, if set, has
// PayloadLen bytes and is not the pattern, and Rare is nil unless something in
// it is not zero. A datagram survives if SetDatagram made it and its payload
// has at most MaxDatagram bytes. An opaque frame is the bytes that it keeps, see SetOpaque.
func (f *Frame) AppendTo(b []byte) []byte {
	if f.IsOpaque() {
		f.settle()
		return append(b, f.Rare.Raw...)
	}
	end := f.packetEnd()
	total := end
	if f.Rare == nil || !f.Rare.Unpadded {
		total = max(total, minFrameLen)
	}
	start := len(b)
	b = slices.Grow(b, total)[:start+total]
	p := b[start:]
	clear(p[end:])

	at := f.putEthernet(p)
	if f.EtherType == EtherTypeMACControl {
		f.putPFC(p[at:])
		return b
	}
	packet := p[at:end]
	udp := ipv4Len
	if f.EtherType == EtherTypeIPv6 {
		udp = ipv6Len
		f.putIPv6(packet)
	} else {
		f.putIPv4(packet)
		if f.IsDatagram() {
			f.putDatagram(packet)
			return b
		}
	}
	f.putUDP(packet[udp:])
	f.putBTH(packet[udp+udpLen:])
	rest := packet[udp+udpLen+bthLen:]
	rest = rest[f.putTransport(rest):]
	rest = rest[f.putExtension(rest):]
	f.putPayload(rest[:len(rest)-icrcLen])
	icrc := len(packet) - icrcLen
	binary.LittleEndian.PutUint32(packet[icrc:], ICRC(packet[:icrc]))
	return b
}

func (f *Frame) putEthernet(p []byte) int {
	copy(p, f.Dst[:])
	copy(p[6:], f.Src[:])
	if !f.Tagged {
		be.PutUint16(p[12:], uint16(f.EtherType))
		return ethernetLen
	}
	be.PutUint16(p[12:], uint16(EtherTypeVLAN))
	be.PutUint16(p[14:], f.TCI)
	be.PutUint16(p[16:], uint16(f.EtherType))
	return ethernetLen + vlanLen
}

func (f *Frame) putPFC(p []byte) {
	be.PutUint16(p, pfcOpcode)
	be.PutUint16(p[2:], uint16(f.ClassEnable))
	for i, q := range f.Pause {
		be.PutUint16(p[4+2*i:], q)
	}
	clear(p[pfcLen:])
}

func (f *Frame) putIPv4(p []byte) {
	p[0], p[1] = 0x45, f.TOS
	be.PutUint16(p[2:], uint16(len(p)))
	be.PutUint16(p[4:], f.ID)
	be.PutUint16(p[6:], f.Fragment)
	p[8], p[9] = f.TTL, protocolUDP
	be.PutUint16(p[10:], 0)
	be.PutUint32(p[12:], f.SrcIP)
	be.PutUint32(p[16:], f.DstIP)
	be.PutUint16(p[10:], ipv4Checksum(p))
}

func (f *Frame) putIPv6(p []byte) {
	be.PutUint32(p, 6<<28|uint32(f.TOS)<<20|f.Rare.FlowLabel&flowLabelMask)
	be.PutUint16(p[4:], uint16(len(p)-ipv6Len))
	p[6], p[7] = protocolUDP, f.TTL
	copy(p[8:], f.Rare.SrcIP6[:])
	copy(p[24:], f.Rare.DstIP6[:])
}

// ipv4Checksum returns the checksum (RFC 791, section 3.1) of a header of 20
// bytes whose checksum field counts as zero.
func ipv4Checksum(p []byte) uint16 {
	p = p[:ipv4Len]
	sum := uint64(be.Uint32(p)) + uint64(be.Uint32(p[4:])) + uint64(be.Uint16(p[8:]))<<16 +
		uint64(be.Uint32(p[12:])) + uint64(be.Uint32(p[16:]))
	sum = sum>>32 + sum&0xFFFFFFFF
	sum = sum>>16 + sum&0xFFFF
	sum = sum>>16 + sum&0xFFFF
	return ^uint16(sum>>16 + sum)
}

func (f *Frame) putUDP(p []byte) {
	be.PutUint16(p, f.SrcPort)
	be.PutUint16(p[2:], UDPPort)
	be.PutUint16(p[4:], uint16(len(p)))
	be.PutUint16(p[6:], f.UDPChecksum)
}

func (f *Frame) putBTH(p []byte) {
	p[0] = uint8(f.Opcode)
	p[1] = f.Flags&^padMask | PadCnt(int(f.PayloadLen))<<PadShift
	be.PutUint16(p[2:], f.PKey)
	be.PutUint32(p[4:], uint32(f.Notify)<<24|f.DestQP&PSNMask)
	be.PutUint32(p[8:], uint32(f.AckExt)<<24|f.PSN&PSNMask)
}

// putTransport writes the extended transport headers and returns their length.
func (f *Frame) putTransport(p []byte) int {
	headers, at := headersOf[f.Opcode], 0
	if headers&HasDETH != 0 {
		be.PutUint32(p[at:], f.Rare.QKey)
		be.PutUint32(p[at+4:], f.Rare.SrcQP&PSNMask)
		at += dethLen
	}
	if headers&(HasRETH|HasAtomic) != 0 {
		be.PutUint64(p[at:], f.VA)
		be.PutUint32(p[at+8:], f.RKey)
		at += 12
	}
	if headers&HasRETH != 0 {
		be.PutUint32(p[at:], f.DMALen)
		at += 4
	}
	if headers&HasAtomic != 0 {
		be.PutUint64(p[at:], f.Rare.SwapAdd)
		be.PutUint64(p[at+8:], f.Rare.Compare)
		at += 16
	}
	if headers&HasAETH != 0 {
		be.PutUint32(p[at:], uint32(f.Syndrome)<<24|f.MSN&PSNMask)
		at += aethLen
	}
	if headers&HasAtomicAck != 0 {
		be.PutUint64(p[at:], f.Rare.Original)
		at += atomicAck
	}
	if headers&HasImm != 0 {
		be.PutUint32(p[at:], f.Rare.Immediate)
		at += immLen
	}
	if headers&HasReserved != 0 {
		if f.Rare != nil {
			copy(p[at:], f.Rare.Reserved[:])
		} else {
			clear(p[at : at+cnpLen])
		}
		at += cnpLen
	}
	return at
}

// putPayload fills p, which is payload and pad.
func (f *Frame) putPayload(p []byte) {
	n := int(f.PayloadLen)
	if f.Rare != nil && f.Rare.Payload != nil {
		n = copy(p[:n], f.Rare.Payload)
	} else {
		Pattern(f.DestQP, f.PSN, p[:n])
	}
	clear(p[n:])
}
