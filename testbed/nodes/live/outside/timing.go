package outside

import (
	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
)

// Timing sets in t what its edge's port, device and model counted. What the interface
// itself dropped is not among it.
func (c *Counters) Timing(t *result.EdgeTiming, interfaceHad *device.Counters, modelHad *edge.Counters) {
	t.Received, t.Sent = c.Received, interfaceHad.Sent
	t.Lateness, t.Taken = c.Lateness, c.Taken
	t.Moved, t.MovedMost = modelHad.Moved, modelHad.MovedMax
	t.Unfit = interfaceHad.Malformed
	t.Lost[result.RingFull] = interfaceHad.RingFull
	t.Lost[result.Truncated] = interfaceHad.Truncated + interfaceHad.WrongLength
	t.Lost[result.NoBuffers] = interfaceHad.NoBuffer + interfaceHad.Refused
	t.Lost[result.TooLong] = interfaceHad.TooLong
	t.Lost[result.InterfaceDown] = interfaceHad.WhileDown
}
