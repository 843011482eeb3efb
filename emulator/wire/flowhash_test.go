package wire

import (
	"fmt"
	"testing"
)

// A datagram is another flow than RoCEv2 between the same hosts and source port, and each seed has another hash.
func TestFlowHashCoversTheDestinationPort(t *testing.T) {
	f := &Frame{EtherType: EtherTypeIPv4, SrcIP: 10<<24 | 1, DstIP: 10<<24 | 2, SrcPort: 0xC000}
	of := func(port uint32) uint32 {
		return murmurFinish(murmurMix(murmurMix(murmurMix(1, f.SrcIP), f.DstIP), uint32(f.SrcPort)|port<<16), 12)
	}
	if got, want := FlowHash(f, 1), of(4791); got != want {
		t.Errorf("RoCEv2: hash 0x%08x, want 0x%08x", got, want)
	}
	if FlowHash(f, 1) == FlowHash(f, 2) {
		t.Error("two seeds have the same hash")
	}
	f.SetDatagram(nil)
	if got, want := FlowHash(f, 1), of(49911); got != want {
		t.Errorf("datagram: hash 0x%08x, want 0x%08x", got, want)
	}
}

// TestMurmurVectors: the reference's values for "test".
func TestMurmurVectors(t *testing.T) {
	const test = 't' | 'e'<<8 | 's'<<16 | 't'<<24
	for seed, want := range map[uint32]uint32{0: 0xba6bd213, 0x9747b28c: 0x704b81dc} {
		t.Run(fmt.Sprintf("seed=%v", seed), func(t *testing.T) {
			if got := murmurFinish(murmurMix(seed, test), 4); got != want {
				t.Errorf("seed %#x: %#x, want %#x", seed, got, want)
			}
		})
	}
}
