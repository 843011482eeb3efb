package wire

const padMask uint8 = 0x30

// PadCnt returns the pad bytes that bring n payload bytes to a multiple of
// four, 0 to 3.
func PadCnt(n int) uint8 { return uint8(-n & 3) }

// SetPayload sets the payload length to n bytes and PadCnt accordingly. Range:
// 0 to MaxPayload.
func (f *Frame) SetPayload(n int) {
	f.PayloadLen = uint16(n)
	f.Flags = f.Flags&^padMask | PadCnt(n)<<PadShift
	f.size = 0
}

// MarkCE sets the ECN bits to congestion experienced (RFC 3168, section 5).
// The ICRC does not cover them, the IPv4 header checksum does.
func (f *Frame) MarkCE() { f.TOS |= CE }

// SetPFC makes f a PFC frame from src that pauses the given class (0 to 7) for quanta of 512 bit times of the link, or
// resumes it with 0, without touching the other classes.
func (f *Frame) SetPFC(src MAC, class int, quanta uint16) {
	*f = Frame{EtherType: EtherTypeMACControl, Dst: PFCDst, Src: src, ClassEnable: 1 << class}
	f.Pause[class] = quanta
}
