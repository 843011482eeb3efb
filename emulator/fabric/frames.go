package fabric

import "github.com/rocelab/rocelab/emulator/wire"

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
