package wire

import (
	"unsafe"

	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// MAC is an Ethernet address.
type MAC [6]byte

// Frame is one frame as it is on the wire, decoded: the two views, this
// struct and its bytes, hold exactly the same. It has no field that is not on
// the wire and no value finer than the wire's (whole nanoseconds, kb/s, 24-bit
// PSNs), or a model would see more in process than on a veth pair.
//
// The struct covers every frame of RoCEv2 and PFC that rocelab knows; any other is opaque: see SetOpaque. The fields
// that the engine moves by the million are in the first 64 bytes, the rest of the usual fields in the next, and rare
// ones behind one pointer.
//
// Lengths, checksums and the ICRC are not stored: AppendTo computes them and
// Decode verifies them.
type Frame struct {
	// SrcIP and DstIP are the IPv4 addresses, most significant byte first.
	// With EtherTypeIPv6 they are 0 and Rare holds the addresses.
	SrcIP, DstIP uint32
	// DestQP and PSN are the BTH's 24-bit numbers.
	DestQP, PSN uint32
	// Opcode is the BTH opcode.
	Opcode Opcode
	// Flags is BTH byte 1: SE, MigReq, PadCnt, TVer. PadCnt follows from the
	// payload length and is kept right by SetPayload and by Decode.
	Flags uint8
	// Notify is BTH byte 4: FECN, BECN and six reserved bits.
	Notify uint8
	// AckExt is BTH byte 8: AckReq in bit 7, the type of the algorithm
	// extension (0 none) in bits 6 to 0.
	AckExt uint8
	// PKey is the BTH partition key, customarily 0xFFFF.
	PKey uint16
	// SrcPort is the UDP source port, RoCE's only entropy. The destination port is 4791 unless Rare.DstPort is set: see
	// DstPort.
	SrcPort uint16
	// EtherType distinguishes IPv4, IPv6 and MAC control (PFC); 0 is an opaque frame known by its Ethernet addresses
	// only.
	EtherType EtherType
	// TOS is the IPv4 TOS byte or the IPv6 traffic class: DSCP << 2 | ECN.
	TOS uint8
	// TTL is the IPv4 TTL or the IPv6 hop limit.
	TTL uint8
	// PayloadLen is the user payload in bytes, extension and pad excluded.
	PayloadLen uint16
	size       uint16 // Len(), once computed; a cache of what follows from the rest
	// ExtTime, ExtA and ExtB are the words of the algorithm extension; see ExtType's constants for their content by
	// kind.
	ExtTime    uint64
	ExtA, ExtB uint32
	// MSN and Syndrome are the AETH's fields.
	MSN      uint32
	Syndrome uint8
	// ExtFlags is the flags byte of the algorithm extension.
	ExtFlags uint8
	// Tagged is set if an 802.1Q tag with the given TCI is present.
	Tagged bool
	// ClassEnable is the PFC class-enable vector, bit i for class i.
	ClassEnable uint8
	// Rare holds what few frames carry; nil on the engine's usual frames.
	Rare *Rare

	// VA, RKey and DMALen are the RETH's fields.
	VA     uint64
	RKey   uint32
	DMALen uint32
	// Dst and Src are the Ethernet addresses.
	Dst, Src MAC
	// TCI is the 802.1Q tag control information: PCP 3 bits, DEI 1, VID 12.
	TCI uint16
	// ID is the IPv4 identification, Fragment the IPv4 flags and offset word
	// (customarily 0x4000, don't fragment).
	ID, Fragment uint16
	// UDPChecksum is the UDP checksum as sent; 0 is customary in RoCEv2. It
	// is carried, not verified: the ICRC protects the same bytes. A datagram
	// has it computed and verified instead, and here 0.
	UDPChecksum uint16
	// Pause holds the PFC times of the eight classes, in quanta of 512 bit
	// times of the link; 0 resumes the class.
	Pause [8]uint16

	_ [8]byte // to 128 bytes: no frame shares a cache line with another
}

// Rare holds the parts of a frame that the usual RC WRITE traffic of the
// engine does not have. Only the parts that the opcode and extension type
// call for are on the wire.
type Rare struct {
	// SrcIP6, DstIP6 and FlowLabel are the IPv6 header's.
	SrcIP6, DstIP6 [16]byte
	FlowLabel      uint32
	// Immediate is the ImmDt header.
	Immediate uint32
	// QKey and SrcQP are the DETH's.
	QKey, SrcQP uint32
	// SwapAdd and Compare are the AtomicETH's operands (its VA and RKey are
	// the Frame's); Original is the AtomicAckETH's.
	SwapAdd, Compare, Original uint64
	// Reserved is the 16 reserved bytes of a CNP, if not zero.
	Reserved [16]byte
	// INT is a telemetry stack: see WordINT.
	INT inband.Stack
	// Own is opaque bytes, OwnLen of them (0 to 32, a multiple of 4): see
	// WordOwn.
	Own    [32]byte
	OwnLen uint8
	// Payload is the payload if it differs from the pattern that Pattern gives for the frame's QP and PSN, else nil. A
	// datagram's payload is always here, nil if it is empty.
	Payload []byte
	// Unpadded is set for a frame whose IP packet ends before byte 60 without Ethernet padding, as when a host captures
	// its own frames. Len still counts the padding: a wire carries it.
	Unpadded bool
	// DstPort is the UDP destination port where it is not 4791, 0 for RoCEv2.
	// The frame then is a plain datagram: see IsDatagram. Decode knows
	// NotificationPort and refuses others.
	DstPort uint16
	// Raw has all bytes of an opaque frame, at least 60, without FCS; see SetOpaque. The frame owns them. TOS and TTL
	// in them may be older than the frame's until the next AppendTo or Digest.
	Raw []byte
}

// EtherType is the Ethernet type field, inside the 802.1Q tag if there is one.
type EtherType uint16

// The types that the codec knows; Decode refuses any other.
const (
	EtherTypeIPv4       EtherType = 0x0800
	EtherTypeIPv6       EtherType = 0x86DD
	EtherTypeVLAN       EtherType = 0x8100
	EtherTypeMACControl EtherType = 0x8808
)

// Opcode is the BTH opcode: transport in the top three bits, operation in the
// low five (InfiniBand Architecture Specification, volume 1, 9.2.1).
type Opcode uint8

// The opcodes of reliable connections, and the others that the codec knows.
const (
	SendFirst         Opcode = 0x00
	SendMiddle        Opcode = 0x01
	SendLast          Opcode = 0x02
	SendLastImm       Opcode = 0x03
	SendOnly          Opcode = 0x04
	SendOnlyImm       Opcode = 0x05
	WriteFirst        Opcode = 0x06
	WriteMiddle       Opcode = 0x07
	WriteLast         Opcode = 0x08
	WriteLastImm      Opcode = 0x09
	WriteOnly         Opcode = 0x0A
	WriteOnlyImm      Opcode = 0x0B
	ReadRequest       Opcode = 0x0C
	ReadFirst         Opcode = 0x0D
	ReadMiddle        Opcode = 0x0E
	ReadLast          Opcode = 0x0F
	ReadOnly          Opcode = 0x10
	Acknowledge       Opcode = 0x11
	AtomicAcknowledge Opcode = 0x12
	CompareSwap       Opcode = 0x13
	FetchAdd          Opcode = 0x14
	UDSendOnly        Opcode = 0x64
	UDSendOnlyImm     Opcode = 0x65
	CNP               Opcode = 0x81
)

// Bits of Frame.Flags, Frame.Notify, Frame.AckExt and of the TOS byte.
const (
	FlagSolicited uint8 = 0x80
	FlagMigReq    uint8 = 0x40
	PadShift            = 4
	FECN          uint8 = 0x80
	BECN          uint8 = 0x40
	AckReq        uint8 = 0x80
	ExtMask       uint8 = 0x7F

	ECNMask uint8 = 0x03
	NotECT  uint8 = 0x00
	ECT1    uint8 = 0x01
	ECT0    uint8 = 0x02
	CE      uint8 = 0x03
)

// Port and syndrome values of the standards.
const (
	UDPPort     = 4791
	DefaultPKey = 0xFFFF
	// SyndromeACK acknowledges with unlimited credit; SyndromeRNR, with a timer code in the bits of
	// RNRTimerMask, reports a receiver that is not ready, SyndromeNAKSequence a PSN sequence error; the
	// others refuse a request for good: invalid, no access to that memory, failed at the receiver.
	SyndromeACK            uint8 = 0x1F
	SyndromeRNR            uint8 = 0x20
	RNRTimerMask           uint8 = 0x1F
	SyndromeNAKSequence    uint8 = 0x60
	SyndromeNAKInvalid     uint8 = 0x61
	SyndromeNAKAccess      uint8 = 0x62
	SyndromeNAKOperational uint8 = 0x63
	// DontFragment is the customary Fragment word of RoCEv2.
	DontFragment uint16 = 0x4000
)

// PFCDst is the link-local group address of MAC control frames (IEEE 802.1Q
// annex 36, 802.3 annex 31B).
var PFCDst = MAC{0x01, 0x80, 0xC2, 0x00, 0x00, 0x01}

// DSCP returns the differentiated-services code point, 0 to 63.
func (f *Frame) DSCP() uint8 { return f.TOS >> 2 }

// ECN returns the two ECN bits.
func (f *Frame) ECN() uint8 { return f.TOS & ECNMask }

// IsPFC reports whether f is a MAC control frame.
func (f *Frame) IsPFC() bool { return f.EtherType == EtherTypeMACControl }

// IsData reports whether f carries a request or a read response: everything
// on the RoCE port that is neither an acknowledgement nor a CNP. An opaque frame does not.
func (f *Frame) IsData() bool {
	return f.EtherType != EtherTypeMACControl && f.Opcode != CNP && f.Opcode != Acknowledge &&
		f.Opcode != AtomicAcknowledge && f.Opcode != NoOpcode && !f.IsDatagram()
}

// Len returns the frame's bytes on the wire without preamble, FCS and gap:
// what a capture shows, at least 60.
func (f *Frame) Len() unit.Bytes {
	if f.size == 0 {
		f.size = uint16(f.length())
	}
	return unit.Bytes(f.size)
}

// Digest returns a 64-bit digest of what the engine's frames use, bytes 0 to
// 55 of the struct: seven words in the machine's byte order, which is little
// endian wherever rocelab runs, each multiplied by its own odd constant so
// that they are independent until the sum. It is taken at every hop, and
// gathering the fields one by one took 71 instructions, 5 % of a hop.
func (f *Frame) Digest() uint64 {
	f.Len() // one of the words holds it
	w := (*[7]uint64)(unsafe.Pointer(f))
	d := w[0]*0x165667b19e3779f9 + w[1]*0x9e3779b97f4a7c15 + w[2]*0xc2b2ae3d27d4eb4f + w[3]*0x2545f4914f6cdd1d +
		w[4]*0xd6e8feb86659fd93 + w[5]*0xff51afd7ed558ccd + w[6]*0xc4ceb9fe1a85ec53
	if f.Rare != nil {
		d += f.Rare.digest(f)
	}
	if f.EtherType == EtherTypeMACControl {
		for i, q := range f.Pause {
			d = d*0x100000001b3 + uint64(q)<<8 + uint64(i)
		}
	}
	return d
}

// digest covers what an algorithm or a switch reads of the rare parts of a frame: the
// longer extensions, the reserved bytes of a CNP, a datagram, and all of an opaque frame.
func (r *Rare) digest(frame *Frame) (sum uint64) {
	if frame.IsOpaque() {
		frame.settle()
		return digestOf(r.Raw)
	}
	if frame.IsDatagram() {
		sum = uint64(r.DstPort)
		for _, v := range r.Payload {
			sum = (sum ^ uint64(v)) * 0x100000001b3
		}
		return sum * 0x9e3779b97f4a7c15
	}
	if frame.Opcode == CNP {
		return be.Uint64(r.Reserved[:])*0x9e3779b97f4a7c15 + be.Uint64(r.Reserved[8:])*0xc2b2ae3d27d4eb4f
	}
	kind := &kinds[frame.Extension()]
	if kind.stack {
		sum = uint64(r.INT.Hops)<<24 | uint64(r.INT.Max)<<16 | uint64(r.INT.Path)
		for _, v := range r.INT.Record[:r.INT.Max] {
			sum = (sum ^ uint64(v)) * 0x9e3779b97f4a7c15
		}
	}
	if kind.own {
		for _, v := range r.Own[:r.OwnLen] {
			sum = (sum ^ uint64(v)) * 0x100000001b3
		}
	}
	return sum
}
