package wire

// Sizes of the headers in bytes.
const (
	ethernetLen = 14
	vlanLen     = 4
	ipv4Len     = 20
	ipv6Len     = 40
	udpLen      = 8
	bthLen      = 12
	rethLen     = 16
	aethLen     = 4
	immLen      = 4
	atomicLen   = 28
	atomicAck   = 8
	dethLen     = 8
	cnpLen      = 16
	icrcLen     = 4
	minFrameLen = 60
)

// MaxPayload is the largest payload of a frame in bytes: the largest path MTU
// of IBA volume 1, 9.5.
const MaxPayload = 4096

// MaxFrameLen bounds the bytes of every frame, for buffers: tagged, IPv6, the
// longest transport headers, the longest extension, MaxPayload.
const MaxFrameLen = ethernetLen + vlanLen + ipv6Len + udpLen + bthLen + atomicLen + 48 + MaxPayload + icrcLen

// headers says which extended transport headers follow the BTH.
type headers uint8

const (
	hasRETH headers = 1 << iota
	hasAETH
	hasImm
	hasAtomic
	hasAtomicAck
	hasDETH
	hasReserved // the 16 reserved bytes of a CNP
	hasPayload
)

// headersOf is the table of IBA volume 1, 9.2.1; an opcode that is not in it
// is unknown to the codec. UC shares RC's operations.
var headersOf = func() (t [256]headers) {
	rc := map[Opcode]headers{
		SendFirst: hasPayload, SendMiddle: hasPayload, SendLast: hasPayload, SendOnly: hasPayload,
		SendLastImm: hasImm | hasPayload, SendOnlyImm: hasImm | hasPayload,
		WriteFirst: hasRETH | hasPayload, WriteMiddle: hasPayload, WriteLast: hasPayload, WriteOnly: hasRETH | hasPayload,
		WriteLastImm: hasImm | hasPayload, WriteOnlyImm: hasRETH | hasImm | hasPayload,
	}
	const uc = 0x20
	for op, h := range rc {
		t[op], t[op+uc] = h, h
	}
	t[ReadRequest] = hasRETH
	t[ReadFirst], t[ReadMiddle] = hasAETH|hasPayload, hasPayload
	t[ReadLast], t[ReadOnly] = hasAETH|hasPayload, hasAETH|hasPayload
	t[Acknowledge], t[AtomicAcknowledge] = hasAETH, hasAETH|hasAtomicAck
	t[CompareSwap], t[FetchAdd] = hasAtomic, hasAtomic
	t[UDSendOnly], t[UDSendOnlyImm] = hasDETH|hasPayload, hasDETH|hasImm|hasPayload
	t[CNP] = hasReserved
	return t
}()

// headerBytes is the sum of the extended transport headers of each opcode.
var headerBytes = func() (t [256]uint8) {
	size := map[headers]uint8{hasRETH: rethLen, hasAETH: aethLen, hasImm: immLen, hasAtomic: atomicLen,
		hasAtomicAck: atomicAck, hasDETH: dethLen, hasReserved: cnpLen}
	for op, h := range headersOf {
		for bit, n := range size {
			if h&bit != 0 {
				t[op] += n
			}
		}
	}
	return t
}()

// length returns the frame's bytes without FCS, padded to the Ethernet
// minimum.
func (f *Frame) length() int { return max(f.packetEnd(), minFrameLen) }

// packetEnd returns the byte after the ICRC, where Ethernet padding begins.
func (f *Frame) packetEnd() int {
	n := ethernetLen
	if f.Tagged {
		n += vlanLen
	}
	switch f.EtherType {
	case EtherTypeMACControl:
		return minFrameLen
	case EtherTypeIPv6:
		n += ipv6Len
	default:
		n += ipv4Len
	}
	payload := int(f.PayloadLen)
	return n + udpLen + bthLen + int(headerBytes[f.Opcode]) + f.extLen() + (payload+3)&^3 + icrcLen
}
