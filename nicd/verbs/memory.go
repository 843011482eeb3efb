package verbs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/wire"
)

// MaxLength is the most that a region may hold, in bytes: 64 MiB.
const MaxLength = 64 << 20

// Region is a piece of registered memory as the far end addresses it.
type Region struct {
	// RKey is the key that requests must carry.
	RKey uint32
	// VA is the address of its first byte, Length its size in bytes, 0 to MaxLength.
	VA, Length uint64
}

// holds reports whether an access of n bytes at address va with a key is allowed (IBA volume 1, 9.7.4.1.5).
// One of no bytes touches nothing and is allowed with any key.
func (r *Region) holds(rkey uint32, va, n uint64) bool {
	if n == 0 {
		return true
	}
	end, beyond := bits.Add64(va, n, 0)
	return rkey == r.RKey && beyond == 0 && va >= r.VA && end <= r.VA+r.Length
}

// Initial returns what our region holds before the run: wire.Pattern of its key and PSN 0.
func Initial(r Region) []byte {
	b := make([]byte, r.Length)
	wire.Pattern(r.RKey, 0, b)
	return b
}

// payloadOf returns the payload of a frame. The slice is only valid until the next call with the same scratch.
func payloadOf(f *wire.Frame, scratch *[]byte) []byte {
	if f.Rare != nil && f.Rare.Payload != nil {
		return f.Rare.Payload
	}
	n := int(f.PayloadLen)
	if cap(*scratch) < n {
		*scratch = make([]byte, wire.MaxPayload)
	}
	b := (*scratch)[:n]
	wire.Pattern(f.DestQP, f.PSN, b)
	return b
}

// chain is a digest of messages in their order: SHA-256 of, for each, its length and its immediate data (0 without)
// as 32 bits, least significant byte first, and its bytes.
type chain struct {
	sum      hash.Hash
	messages uint64
}

func newChain() chain { return chain{sum: sha256.New()} }

func (c *chain) add(immediate uint32, b []byte) {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(b)))
	binary.LittleEndian.PutUint32(head[4:], immediate)
	c.sum.Write(head[:])
	c.sum.Write(b)
	c.messages++
}

func (c *chain) String() string { return fmt.Sprintf("%x", c.sum.Sum(nil)) }
