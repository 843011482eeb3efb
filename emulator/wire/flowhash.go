package wire

import "math/bits"

// FlowHash is MurmurHash3 x86_32 (A. Appleby, 2011) over 12 bytes: source and
// destination address, source and destination port, each word in little-endian
// order, as the public RDMA simulator has it. All frames of a flow in one direction have the same.
func FlowHash(frame *Frame, seed uint32) uint32 {
	h := murmurMix(seed, frame.SrcIP)
	h = murmurMix(h, frame.DstIP)
	h = murmurMix(h, uint32(frame.SrcPort)|uint32(frame.DstPort())<<16)
	return murmurFinish(h, 12)
}

func murmurMix(h, k uint32) uint32 {
	k = bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}

func murmurFinish(h, length uint32) uint32 {
	h ^= length
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
