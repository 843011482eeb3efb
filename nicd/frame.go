package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
)

// newFrame returns a copy of a frame that the caller may change, with its own Rare if the frame has one. The usual
// frames have none; the others keep it from use to use.
func newFrame(out *fabric.Outbox, template *wire.Frame) *wire.Frame {
	frame := out.New()
	rare := frame.Rare
	*frame = *template
	if template.Rare == nil {
		return frame
	}
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.INT, rare.OwnLen, rare.Payload, rare.Unpadded = template.Rare.INT, template.Rare.OwnLen, nil, false
	rare.DstPort = 0
	frame.Rare = rare
	return frame
}
