package fabric

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Gray says which frames a failure is about that strikes some and spares the others, as no detection of links sees:
// those of some flows, or long ones.
type Gray struct {
	// Buckets are the flows: those whose hash, modulo Of, is one of them; nil for all. The hash is wire.FlowHash with
	// GraySeed. A frame that is not IPv4 is of no flow. Range: below Of.
	Buckets []uint32 `json:",omitempty"`
	Of      uint32   `json:",omitzero"`
	// Longer is the length above which frames are concerned, in bytes without FCS, preamble and gap; 0 for all.
	Longer unit.Bytes `json:",omitzero"`
}

// GraySeed is the seed of the hash of Buckets: that of no switch, whose ports would have some buckets only.
const GraySeed = 0x67726179

// Include reports whether a frame is one of them. nil is all frames.
func (g *Gray) Include(frame *wire.Frame) bool {
	switch {
	case g == nil:
		return true
	case frame.Len() <= g.Longer:
		return false
	case g.Buckets == nil:
		return true
	}
	return frame.EtherType == wire.EtherTypeIPv4 && slices.Contains(g.Buckets, wire.FlowHash(frame, GraySeed)%g.Of)
}
