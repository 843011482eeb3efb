package proximal

// Flow names a flow as packets on their way to the receiver do.
type Flow struct{ SrcIP, DstIP, DstQP uint32 }

// Point is where a flow met congestion: a port and class of a device.
type Point struct {
	// Device numbers the switch.
	Device uint32
	Port   uint16
	Class  uint8
}

// cacheSlots is the size of the tables that are looked into before a map. Two
// flows that share a slot cost time and nothing else.
const cacheSlots = 1 << cacheBits

const cacheBits = 8

// slot returns the flow's slot in such a table.
func (f Flow) slot() uint32 { return cacheSlot(f.SrcIP, f.DstIP, f.DstQP) }

// cacheSlot spreads three words over the slots by multiplication with odd
// constants (Knuth, TAOCP volume 3, section 6.4).
func cacheSlot(a, b, c uint32) uint32 {
	return (a*0x9e3779b1 + b*0x85ebca6b + c*0xc2b2ae35) >> (32 - cacheBits)
}
