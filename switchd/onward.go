package switchd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Onward returns the ports through which the switch with a number sends a flow's frames on, among the ports on shortest
// paths: the one that ECMP chooses for the frame, or all of them if the switch spreads the frames of a flow.
func Onward(id uint32, mode profile.Forwarding, set []uint16, frame *wire.Frame) []uint16 {
	if mode != profile.ECMP || len(set) < 2 {
		return set
	}
	chosen := flowHash(frame, id) % uint32(len(set))
	return set[chosen : chosen+1]
}
