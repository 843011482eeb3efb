package wire

import "encoding/binary"

const (
	protocolUDP   = 17
	pfcOpcode     = 0x0101
	pfcLen        = 2 + 2 + 8*2
	flowLabelMask = 1<<20 - 1
	// fragmentMask is more-fragments and the fragment offset.
	fragmentMask = 0x3FFF
)

// Decode reads the frame that b holds, without FCS, into frame, overwriting all of it. It refuses with a DecodeError
// any bytes that AppendTo would not reproduce; frame is then undefined. It never panics.
//
// A frame whose IP packet ends before byte 60 may be padded with zeros to
// exactly 60 bytes, as on a wire, or not at all, as a host captures its own
// frames; the latter sets Rare.Unpadded.
//
// A payload that is the pattern of the frame's QP and PSN is not stored. Any
// other, and a datagram's, is not copied: Rare.Payload then aliases b. Decode
// allocates only a Rare, and only for frames that need one.
func Decode(b []byte, frame *Frame) error { return decode(b, frame, false) }

// decode is Decode; verified is set if the ICRC is known to be right.
func decode(b []byte, frame *Frame, verified bool) error {
	*frame = Frame{}
	at, err := frame.getEthernet(b)
	if err != nil {
		return err
	}
	var udp, end int
	switch frame.EtherType {
	case EtherTypeIPv4:
		udp, end, err = frame.getIPv4(b, at)
	case EtherTypeIPv6:
		udp, end, err = frame.getIPv6(b, at)
	case EtherTypeMACControl:
		return frame.getPFC(b, at)
	default:
		return refuse(ErrUnsupported, "Ethernet", at-2, "EtherType 0x%04x, allowed are IPv4, IPv6 and MAC control",
			uint16(frame.EtherType))
	}
	if err != nil {
		return err
	}
	if err := frame.checkPadding(b, end); err != nil {
		return err
	}
	if end-udp >= udpLen && be.Uint16(b[udp+2:]) == NotificationPort {
		return frame.getDatagram(b, udp, end)
	}
	if err := frame.getUDP(b, udp, end); err != nil {
		return err
	}
	icrc := end - icrcLen
	if verified {
		// nothing to compute again
	} else if got, want := binary.LittleEndian.Uint32(b[icrc:]), ICRC(b[at:icrc]); got != want {
		return refuse(ErrICRC, "ICRC", icrc, "0x%08x, want 0x%08x", got, want)
	}
	at = udp + udpLen
	if err := frame.getBTH(b, at); err != nil {
		return err
	}
	at += bthLen
	if n := int(headerBytes[frame.Opcode]); icrc-at < n {
		return refuse(ErrLength, "BTH", at, "%s needs %d bytes of headers, %d are there", frame.Opcode, n, icrc-at)
	}
	if at, err = frame.getTransport(b, at); err != nil {
		return err
	}
	if frame.Extension() != ExtNone {
		if at, err = frame.getExtension(b, at, icrc); err != nil {
			return err
		}
	}
	if err := frame.getPayload(b, at, icrc); err != nil {
		return err
	}
	frame.size = uint16(max(end, minFrameLen))
	return nil
}

func (f *Frame) rare() *Rare {
	if f.Rare == nil {
		f.Rare = new(Rare)
	}
	return f.Rare
}

func (f *Frame) getEthernet(b []byte) (int, error) {
	if len(b) < ethernetLen {
		return 0, refuse(ErrTruncated, "Ethernet", len(b), "want %d bytes", ethernetLen)
	}
	copy(f.Dst[:], b)
	copy(f.Src[:], b[6:])
	f.EtherType = EtherType(be.Uint16(b[12:]))
	if f.EtherType != EtherTypeVLAN {
		return ethernetLen, nil
	}
	const n = ethernetLen + vlanLen
	if len(b) < n {
		return 0, refuse(ErrTruncated, "802.1Q", len(b), "want %d bytes", n)
	}
	f.Tagged = true
	f.TCI = be.Uint16(b[14:])
	f.EtherType = EtherType(be.Uint16(b[16:]))
	return n, nil
}

func (f *Frame) getPFC(b []byte, at int) error {
	if f.Tagged {
		return refuse(ErrUnsupported, "802.1Q", 12, "a MAC control frame is never tagged")
	}
	if len(b) < minFrameLen {
		return refuse(ErrTruncated, "PFC", len(b), "want %d bytes", minFrameLen)
	}
	if len(b) > minFrameLen {
		return refuse(ErrLength, "PFC", minFrameLen, "%d bytes follow the frame", len(b)-minFrameLen)
	}
	if op := be.Uint16(b[at:]); op != pfcOpcode {
		return refuse(ErrUnsupported, "MAC control", at, "opcode 0x%04x, allowed is 0x%04x", op, pfcOpcode)
	}
	if b[at+2] != 0 {
		return refuse(ErrUnsupported, "PFC", at+2, "the high byte of the class-enable vector is 0x%02x, allowed is 0",
			b[at+2])
	}
	f.ClassEnable = b[at+3]
	for i := range f.Pause {
		f.Pause[i] = be.Uint16(b[at+4+2*i:])
	}
	if i, ok := nonZero(b, at+pfcLen, minFrameLen); ok {
		return refuse(ErrUnsupported, "PFC", i, "padding is not zero")
	}
	f.size = minFrameLen
	return nil
}

// getIPv4 reads the header at at and returns where UDP starts and the packet
// ends.
func (f *Frame) getIPv4(b []byte, at int) (udp, end int, err error) {
	if len(b) < at+ipv4Len {
		return 0, 0, refuse(ErrTruncated, "IPv4", len(b), "want %d bytes", at+ipv4Len)
	}
	p := b[at : at+ipv4Len]
	if p[0] != 0x45 {
		return 0, 0, refuse(ErrUnsupported, "IPv4", at, "version and IHL 0x%02x, allowed is 0x45 (no options)", p[0])
	}
	if got, want := be.Uint16(p[10:]), ipv4Checksum(p); got != want {
		return 0, 0, refuse(ErrChecksum, "IPv4", at+10, "0x%04x, want 0x%04x", got, want)
	}
	if p[9] != protocolUDP {
		return 0, 0, refuse(ErrUnsupported, "IPv4", at+9, "protocol %d, allowed is 17 (UDP)", p[9])
	}
	f.TOS, f.TTL = p[1], p[8]
	f.ID, f.Fragment = be.Uint16(p[4:]), be.Uint16(p[6:])
	if f.Fragment&fragmentMask != 0 {
		return 0, 0, refuse(ErrUnsupported, "IPv4", at+6, "flags and offset 0x%04x: fragments are not reassembled",
			f.Fragment)
	}
	f.SrcIP, f.DstIP = be.Uint32(p[12:]), be.Uint32(p[16:])
	return at + ipv4Len, at + int(be.Uint16(p[2:])), nil
}

// getIPv6 is getIPv4 for IPv6.
func (f *Frame) getIPv6(b []byte, at int) (udp, end int, err error) {
	if len(b) < at+ipv6Len {
		return 0, 0, refuse(ErrTruncated, "IPv6", len(b), "want %d bytes", at+ipv6Len)
	}
	p := b[at : at+ipv6Len]
	word := be.Uint32(p)
	if word>>28 != 6 {
		return 0, 0, refuse(ErrUnsupported, "IPv6", at, "version %d, allowed is 6", word>>28)
	}
	if p[6] != protocolUDP {
		return 0, 0, refuse(ErrUnsupported, "IPv6", at+6, "next header %d, allowed is 17 (UDP)", p[6])
	}
	f.TOS, f.TTL = uint8(word>>20), p[7]
	r := f.rare()
	r.FlowLabel = word & flowLabelMask
	copy(r.SrcIP6[:], p[8:])
	copy(r.DstIP6[:], p[24:])
	udp = at + ipv6Len
	return udp, udp + int(be.Uint16(p[4:])), nil
}

// checkPadding checks what follows the IP packet, which ends at end: nothing, or
// Ethernet padding.
func (f *Frame) checkPadding(b []byte, end int) error {
	switch {
	case len(b) < end:
		return refuse(ErrTruncated, "IP", len(b), "want %d bytes", end)
	case len(b) == end:
		if end < minFrameLen {
			f.rare().Unpadded = true
		}
		return nil
	case len(b) != minFrameLen:
		return refuse(ErrLength, "Ethernet", end, "%d bytes follow the IP packet", len(b)-end)
	}
	if i, ok := nonZero(b, end, minFrameLen); ok {
		return refuse(ErrUnsupported, "Ethernet", i, "padding is not zero")
	}
	return nil
}

func nonZero(b []byte, from, to int) (int, bool) {
	for i := from; i < to; i++ {
		if b[i] != 0 {
			return i, true
		}
	}
	return 0, false
}

func (f *Frame) getUDP(b []byte, at, end int) error {
	if least := udpLen + bthLen + icrcLen; end-at < least {
		return refuse(ErrLength, "IP", at, "%d bytes of payload, UDP, BTH and ICRC need %d", end-at, least)
	}
	p := b[at : at+udpLen]
	if port := be.Uint16(p[2:]); port != UDPPort {
		return refuse(ErrUnsupported, "UDP", at+2, "destination port %d, allowed are %d and %d", port,
			UDPPort, NotificationPort)
	}
	if n := int(be.Uint16(p[4:])); n != end-at {
		return refuse(ErrLength, "UDP", at+4, "length %d, but %d in the IP header", n, end-at)
	}
	f.SrcPort, f.UDPChecksum = be.Uint16(p), be.Uint16(p[6:])
	return nil
}

func (f *Frame) getBTH(b []byte, at int) error {
	p := b[at : at+bthLen]
	f.Opcode, f.Flags, f.PKey = Opcode(p[0]), p[1], be.Uint16(p[2:])
	f.Notify, f.DestQP = p[4], be.Uint32(p[4:])&PSNMask
	f.AckExt, f.PSN = p[8], be.Uint32(p[8:])&PSNMask
	if headersOf[f.Opcode] == 0 {
		return refuse(ErrUnsupported, "BTH", at, "%s", f.Opcode)
	}
	return nil
}

// getTransport reads the extended transport headers, whose length the caller has checked, and returns the offset of
// their end.
func (f *Frame) getTransport(b []byte, at int) (int, error) {
	headers := headersOf[f.Opcode]
	if headers&HasDETH != 0 {
		if b[at+4] != 0 {
			return 0, refuse(ErrUnsupported, "DETH", at+4, "reserved byte 0x%02x, allowed is 0", b[at+4])
		}
		r := f.rare()
		r.QKey, r.SrcQP = be.Uint32(b[at:]), be.Uint32(b[at+4:])
		at += dethLen
	}
	if headers&(HasRETH|HasAtomic) != 0 {
		f.VA, f.RKey = be.Uint64(b[at:]), be.Uint32(b[at+8:])
		at += 12
	}
	if headers&HasRETH != 0 {
		f.DMALen = be.Uint32(b[at:])
		at += 4
	}
	if headers&HasAtomic != 0 {
		r := f.rare()
		r.SwapAdd, r.Compare = be.Uint64(b[at:]), be.Uint64(b[at+8:])
		at += 16
	}
	if headers&HasAETH != 0 {
		f.Syndrome, f.MSN = b[at], be.Uint32(b[at:])&PSNMask
		at += aethLen
	}
	if headers&HasAtomicAck != 0 {
		f.rare().Original = be.Uint64(b[at:])
		at += atomicAck
	}
	if headers&HasImm != 0 {
		f.rare().Immediate = be.Uint32(b[at:])
		at += immLen
	}
	if headers&HasReserved != 0 {
		if _, ok := nonZero(b, at, at+cnpLen); ok {
			copy(f.rare().Reserved[:], b[at:])
		}
		at += cnpLen
	}
	return at, nil
}

// getPayload reads payload and pad, b[at:stop].
func (f *Frame) getPayload(b []byte, at, stop int) error {
	n, pad := stop-at, int(f.Flags&padMask>>PadShift)
	if headersOf[f.Opcode]&HasPayload == 0 && (n != 0 || pad != 0) {
		return refuse(ErrLength, "payload", at, "%s has none, %d bytes and PadCnt %d are there", f.Opcode, n, pad)
	}
	if n%4 != 0 || n < pad {
		return refuse(ErrLength, "payload", at, "%d bytes with PadCnt %d, want a multiple of 4", n, pad)
	}
	if n > MaxPayload {
		return refuse(ErrUnsupported, "payload", at, "%d bytes, allowed are up to %d", n, MaxPayload)
	}
	n -= pad
	if i, ok := nonZero(b, at+n, stop); ok {
		return refuse(ErrUnsupported, "pad", i, "not zero")
	}
	f.PayloadLen = uint16(n)
	if p := b[at : at+n]; !isPattern(f.DestQP, f.PSN, p) {
		f.rare().Payload = p
	}
	return nil
}
