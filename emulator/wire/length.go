package wire

import "github.com/rocelab/rocelab/plugins/cc/unit"

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

// PFCLen is the length of every PFC frame, the least that Ethernet has.
const PFCLen unit.Bytes = minFrameLen

// MaxPayload is the largest payload of a frame in bytes. The largest path MTU of IBA
// volume 1, 9.5, is 4096; testers send twice that.
const MaxPayload = 8192

// maxExtension is the longest that an extension may be: a full telemetry stack.
const maxExtension = 48

// MaxFrameLen bounds the bytes of every frame that Decode takes: tagged, IPv6, the
// longest transport headers, the longest extension, MaxPayload.
const MaxFrameLen = ethernetLen + vlanLen + ipv6Len + udpLen + bthLen + atomicLen + maxExtension + MaxPayload +
	icrcLen

// Headers is the set of extended transport headers that follow the BTH, and whether a payload follows. The order on the
// wire is DETH, RETH or AtomicETH, AETH, AtomicAckETH, ImmDt, algorithm extension, payload.
type Headers uint8

// The bits of Headers.
const (
	HasRETH Headers = 1 << iota
	HasAETH
	HasImm
	HasAtomic
	HasAtomicAck
	HasDETH
	HasReserved // the 16 reserved bytes of a CNP
	HasPayload
)

// Headers returns what follows the BTH of opcode o; 0 for an opcode that the
// codec does not know.
func (o Opcode) Headers() Headers { return headersOf[o] }

// headersOf is the table of IBA volume 1, 9.2.1; an opcode that is not in it
// is unknown to the codec. UC shares RC's operations.
var headersOf = func() (t [256]Headers) {
	rc := map[Opcode]Headers{
		SendFirst:    HasPayload,
		SendMiddle:   HasPayload,
		SendLast:     HasPayload,
		SendOnly:     HasPayload,
		SendLastImm:  HasImm | HasPayload,
		SendOnlyImm:  HasImm | HasPayload,
		WriteFirst:   HasRETH | HasPayload,
		WriteMiddle:  HasPayload,
		WriteLast:    HasPayload,
		WriteOnly:    HasRETH | HasPayload,
		WriteLastImm: HasImm | HasPayload,
		WriteOnlyImm: HasRETH | HasImm | HasPayload,
	}
	const uc = 0x20
	for op, h := range rc {
		t[op], t[op+uc] = h, h
	}
	t[ReadRequest] = HasRETH
	t[ReadFirst], t[ReadMiddle] = HasAETH|HasPayload, HasPayload
	t[ReadLast], t[ReadOnly] = HasAETH|HasPayload, HasAETH|HasPayload
	t[Acknowledge], t[AtomicAcknowledge] = HasAETH, HasAETH|HasAtomicAck
	t[CompareSwap], t[FetchAdd] = HasAtomic, HasAtomic
	t[UDSendOnly], t[UDSendOnlyImm] = HasDETH|HasPayload, HasDETH|HasImm|HasPayload
	t[CNP] = HasReserved
	return t
}()

// headerBytes is the sum of the extended transport headers of each opcode.
var headerBytes = func() (t [256]uint8) {
	size := map[Headers]uint8{
		HasRETH:      rethLen,
		HasAETH:      aethLen,
		HasImm:       immLen,
		HasAtomic:    atomicLen,
		HasAtomicAck: atomicAck,
		HasDETH:      dethLen,
		HasReserved:  cnpLen,
	}
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
func (f *Frame) length() int {
	if f.IsOpaque() {
		return len(f.Rare.Raw)
	}
	return max(f.packetEnd(), minFrameLen)
}

// packetEnd returns the byte after the IP packet, at which Ethernet padding begins.
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
	if f.IsDatagram() {
		return n + udpLen + payload
	}
	return n + udpLen + bthLen + int(headerBytes[f.Opcode]) + f.extLen() + (payload+3)&^3 + icrcLen
}
