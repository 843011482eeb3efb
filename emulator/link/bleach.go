package link

import "github.com/rocelab/rocelab/emulator/wire"

// Bleach is the harm of a link that clears the ECN bits: packets arrive as Not-ECT, without their mark, and as if their
// ends did not react to one. So the congestion of queues before the link is not reported, and a WRED queue of a lossy
// class behind it drops instead of marking (RFC 3168, sections 5 and 18.1).
var Bleach = newHarm("bleach", func(frame *wire.Frame) { frame.TOS &^= wire.ECNMask })
