package fabric

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Frames selects the frames that a fault affects.
type Frames uint8

// The kinds.
const (
	// AllFrames are all, pauses among them.
	AllFrames Frames = iota
	// DataFrames are packets of messages.
	DataFrames
	// AckFrames are acknowledgements, NAKs among them.
	AckFrames
)

// FramesNames are the kinds' names, by kind.
var FramesNames = []string{AllFrames: "all", DataFrames: "data", AckFrames: "acks"}

// Include reports whether a frame is one of them.
func (k Frames) Include(frame *wire.Frame) bool {
	switch k {
	case DataFrames:
		return frame.IsData()
	case AckFrames:
		return frame.Opcode == wire.Acknowledge
	default:
		return true
	}
}

// Gray selects the frames of a failure that hits some and spares others, and that no detection of links sees: the
// frames of some flows, or long ones.
type Gray struct {
	// Buckets select the flows whose hash, modulo Of, is in the list; nil for all. The hash is wire.FlowHash with
	// GraySeed. A frame that is not IPv4 does not belong to a flow. Range: below Of.
	Buckets []uint32 `json:",omitempty"`
	Of      uint32   `json:",omitzero"`
	// Longer is the length above which frames are concerned, in bytes without FCS, preamble and gap; 0 for all.
	Longer unit.Bytes `json:",omitzero"`
}

// GraySeed is the seed of the hash of Buckets. No switch uses it: the ports of one that did would have some buckets
// only.
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
