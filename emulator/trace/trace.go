package trace

import (
	"hash/fnv"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/unit"
)

// Kind says what a record is about.
type Kind uint8

// The outward events of a node.
const (
	Sent      Kind = 1 // a frame's first bit left
	Dropped   Kind = 2 // a frame was dropped, with a reason
	Completed Kind = 3 // a flow's last byte was acknowledged
)

// Hash is the running fingerprint of one node. The zero value is a fresh one.
type Hash uint64

// Fold adds a record: what happened, when, at which port, and a digest of the
// rest.
func (h *Hash) Fold(kind Kind, at unit.Time, port int, digest uint64) {
	x := uint64(at)*0x9e3779b97f4a7c15 + digest + uint64(kind)<<56 + uint64(port)<<40
	v := (uint64(*h) ^ x) * 0xff51afd7ed558ccd
	*h = Hash(v ^ bits.RotateLeft64(v, 31))
}

// Sum folds the hashes of all nodes, which the caller gives in the order of
// the nodes' names, into the run's.
func Sum(names []string, hashes []Hash) uint64 {
	sum := fnv.New64a()
	var b [8]byte
	for i, name := range names {
		sum.Write([]byte(name))
		for j := range b {
			b[j] = byte(hashes[i] >> (8 * j))
		}
		sum.Write(b[:])
	}
	return sum.Sum64()
}
