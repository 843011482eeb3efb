package verbs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Initial returns what our region holds before the run: wire.Pattern of its key and PSN 0.
func Initial(r peer.Region) []byte {
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
