package wire

import "testing"

// Each bit of a frame that a wire carries is in its whole digest, known to the codec or not, and nothing
// else is: not whether a host has padded it.
func TestWholeDigestHasEveryBit(t *testing.T) {
	f := Frame{
		EtherType:   EtherTypeIPv4,
		Tagged:      true,
		TCI:         5,
		TTL:         64,
		Opcode:      WriteOnly,
		DMALen:      64,
		UDPChecksum: 7,
		Rare:        &Rare{Payload: make([]byte, 64)},
	}
	f.SetPayload(64)
	f.Rare.Payload[3] = 1
	var room []byte
	digest := func(f *Frame) (sum uint64) {
		sum, room = f.DigestWhole(room)
		return sum
	}
	whole := digest(&f)
	for what, change := range map[string]func(*Frame){
		"destination":  func(f *Frame) { f.Dst[5] ^= 1 },
		"source":       func(f *Frame) { f.Src[0] ^= 2 },
		"tag":          func(f *Frame) { f.TCI ^= 1 },
		"no tag":       func(f *Frame) { f.Tagged = false },
		"UDP checksum": func(f *Frame) { f.UDPChecksum ^= 1 << 15 },
		"RETH":         func(f *Frame) { f.VA ^= 1 },
		"payload":      func(f *Frame) { f.Rare.Payload[63] ^= 128 },
		"TTL":          func(f *Frame) { f.TTL-- },
	} {
		t.Run(what, func(t *testing.T) {
			var other Frame
			other.Copy(&f)
			plain := other.Digest()
			change(&other)
			if digest(&other) == whole {
				t.Errorf("%s: it is not in the digest", what)
			}
			if seen := other.Digest() != plain; seen != (what == "TTL" || what == "no tag") {
				t.Errorf("%s: what models read of it: %v", what, seen)
			}
		})
	}
	b := f.AppendTo(nil)
	var opaque Frame
	opaque.SetOpaque(b)
	if digest(&opaque) != whole {
		t.Error("a frame as bytes has another digest than the same one decoded")
	}
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		if opaque.SetOpaque(b); digest(&opaque) == whole {
			t.Errorf("bit %d is not in the digest", i)
		}
		b[i/8] ^= 1 << (i % 8)
	}
	short := Frame{EtherType: EtherTypeIPv4, TTL: 64, Opcode: SendOnly}
	padded := digest(&short)
	short.Rare = &Rare{Unpadded: true}
	if n := len(short.AppendTo(nil)); n >= minFrameLen || digest(&short) != padded {
		t.Errorf("a frame of %d bytes has another digest before it is padded", n)
	}
}

func BenchmarkDigestWhole(b *testing.B) {
	f := Frame{EtherType: EtherTypeIPv4, Opcode: WriteMiddle, Rare: &Rare{Payload: make([]byte, 1440)}}
	f.SetPayload(1440)
	var opaque Frame
	opaque.SetOpaque(f.AppendTo(nil))
	for name, frame := range map[string]*Frame{"known": &f, "opaque": &opaque} {
		b.Run(name, func(b *testing.B) {
			var room []byte
			for range b.N {
				_, room = frame.DigestWhole(room)
			}
		})
	}
}
