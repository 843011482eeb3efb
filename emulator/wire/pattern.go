package wire

import "encoding/binary"

// patternStep separates successive words of the pattern: 2^64 divided by the
// golden ratio.
const patternStep = 0x9e3779b97f4a7c15

func patternSeed(qp, psn uint32) uint64 {
	x := (uint64(qp)<<32 | uint64(psn)) * 0xff51afd7ed558ccd
	return x ^ x>>32
}

// Pattern fills dst with the payload that the engine's packets carry: a function of destination QP and PSN only, so
// that no payload has to be stored or moved, and a packet delivered in the wrong place shows.
func Pattern(qp, psn uint32, dst []byte) {
	x := patternSeed(qp, psn)
	for len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, x)
		x += patternStep
		dst = dst[8:]
	}
	for i := range dst {
		dst[i] = byte(x >> (8 * i))
	}
}

func isPattern(qp, psn uint32, b []byte) bool {
	x := patternSeed(qp, psn)
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b) != x {
			return false
		}
		x += patternStep
		b = b[8:]
	}
	for i := range b {
		if b[i] != byte(x>>(8*i)) {
			return false
		}
	}
	return true
}
