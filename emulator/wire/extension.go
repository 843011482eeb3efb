package wire

// ExtType is the type of the algorithm extension: a header of rocelab's own
// between the last standard header and the payload, covered by the ICRC and
// announced in the BTH's seven reserved bits, so that a decoder needs no
// state.
type ExtType uint8

// The extension types and the words of Frame that hold them. Each starts on
// the wire with four bytes: type, length in 32-bit words, flags (ExtFlags), 0.
const (
	ExtNone ExtType = 0
	// ExtOneWayData: ExtTime = tx_time in ns, ExtA = baseline in ns. 16 bytes.
	ExtOneWayData ExtType = 1
	// ExtOneWayAck: ExtA = base_rate in kb/s, ExtB = one-way delay as a signed
	// 32-bit number of ns, ExtTime = tx_time echo. 20 bytes.
	ExtOneWayAck ExtType = 2
	// ExtINT and ExtINTEcho: Rare.INT, after the four bytes hops 1, most hops 1
	// and path 2. 8 + 8 x Max bytes.
	ExtINT     ExtType = 3
	ExtINTEcho ExtType = 4
	// ExtTimestamp: ExtTime = t1 in ns, ExtA = the sender's RTT estimate in ns
	// (24 bit, saturating, 0 none), its high byte kept for a hop count, which
	// the TTL tells too. 16 bytes.
	ExtTimestamp ExtType = 5
	// ExtTimestampAck: ExtTime = t1 echo, ExtA = remote delay in ns, ExtB =
	// hops << 24 | flags << 16. 20 bytes.
	ExtTimestampAck ExtType = 6
	// ExtECNEcho: nothing but the CE bit in ExtFlags. 4 bytes.
	ExtECNEcho ExtType = 7
	// ExtOwn: Rare.Own, opaque. 4 to 36 bytes.
	ExtOwn ExtType = 8
)

// Flags of the extension.
const (
	// ExtRetransmission marks a resent packet in types 1 and 5.
	ExtRetransmission uint8 = 0x01
	// ExtCE tells in type 7 that the packet arrived marked CE.
	ExtCE uint8 = 0x01
)

// SetExtension stores the type of the extension in the BTH's reserved bits,
// leaving AckReq as it is.
func (f *Frame) SetExtension(t ExtType) {
	f.AckExt = f.AckExt&AckReq | uint8(t)
	f.size = 0
}

// extLen returns the extension's bytes on the wire.
func (f *Frame) extLen() int {
	switch f.Extension() {
	case ExtNone:
		return 0
	case ExtOneWayData, ExtTimestamp:
		return 16
	case ExtOneWayAck, ExtTimestampAck:
		return 20
	case ExtINT, ExtINTEcho:
		return 8 + 8*int(f.Rare.INT.Max)
	case ExtECNEcho:
		return 4
	case ExtOwn:
		return 4 + int(f.Rare.OwnLen)
	}
	return 0
}
