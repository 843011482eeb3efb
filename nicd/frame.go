package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
)

// newFrame returns a copy of a frame that the caller may change, with a Rare of
// its own where the frame has one: the usual frames have none, and those that
// have one bring it along from use to use.
func newFrame(out *fabric.Outbox, template *wire.Frame) *wire.Frame {
	f := out.New()
	rare := f.Rare
	*f = *template
	if template.Rare == nil {
		return f
	}
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.INT, rare.OwnLen, rare.Payload, rare.Unpadded = template.Rare.INT, template.Rare.OwnLen, nil, false
	f.Rare = rare
	return f
}
