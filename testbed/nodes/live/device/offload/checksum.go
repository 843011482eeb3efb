package offload

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// What Internet protocols call themselves in the header before.
const (
	protocolTCP  = 6
	protocolUDP  = 17
	protocolSCTP = 132
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Finish completes the checksum of a frame in place: the field holds the sum of the
// pseudo-header, as the stack left it, and gets that of all bytes from Header.Start on.
// It reports whether the frame has such a field; otherwise nothing is changed.
func Finish(frame []byte, h Header) bool {
	start := int(h.Start)
	field := start + int(h.Offset)
	if start < ethernetLen || field+2 > len(frame) {
		return false
	}
	if p, ok := parse(frame); ok && p.protocol == protocolSCTP && p.transport == start {
		return finishSCTP(frame[start:])
	}
	binary.BigEndian.PutUint16(frame[field:], complement(sum(frame[start:], 0)))
	return true
}

// finishSCTP writes the CRC32c that SCTP has for a checksum (RFC 9260, section 6.8).
func finishSCTP(packet []byte) bool {
	if len(packet) < 12 {
		return false
	}
	clear(packet[8:12])
	binary.LittleEndian.PutUint32(packet[8:], crc32.Checksum(packet, castagnoli))
	return true
}

// sum adds the 16-bit words of b in one's complement to an earlier sum (RFC 1071), not folded. An odd last byte is the
// upper half of a word.
func sum(b []byte, before uint64) uint64 {
	total, carry := before, uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		total, carry = bits.Add64(total, binary.BigEndian.Uint64(b), carry)
	}
	if len(b) > 0 {
		var rest [8]byte
		copy(rest[:], b)
		total, carry = bits.Add64(total, binary.BigEndian.Uint64(rest[:]), carry)
	}
	total, carry = bits.Add64(total, 0, carry)
	return total + carry
}

// fold is the 16-bit one's complement sum of what sum returned.
func fold(total uint64) uint16 {
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}

// complement is the checksum of a sum. Zero is written as 0xffff: it is the same number,
// and to UDP zero means that there is none.
func complement(total uint64) uint16 {
	if folded := fold(total); folded != 0xffff {
		return ^folded
	}
	return 0xffff
}
