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
