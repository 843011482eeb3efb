package profile

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// DCI has a switch's settings for each of its DCI ports: the ports that lead over a long-haul path to another switch.
// Such a port holds rate times delay, more than a shared buffer has, so it has its own packet memory.
//
// Without PFC that memory holds what goes out by the port and what came in by it,
// up to Buffer; what comes beyond is dropped, and every class is lossy there: no
// pause is sent to the fibre or obeyed from it, and none goes to the leaves. With PFC
// it holds what came in by the port, and what goes out by it is held in the
// shared buffer as anywhere else, so that pauses go on hop by hop.
type DCI struct {
	// Buffer is the memory of each DCI port, beside the switch's shared buffer. 0 computes it: 2.5 x RTT x rate, or, if
	// that is more, the need of PFC and 0.25 x RTT x rate and four of the largest frames for the lossy classes. The
	// shares of the RTT, here and for Kmin and Kmax, are those of published tests over 50 to 500 km.
	Buffer unit.Bytes
	ECN    DCIECN
	PFC    DCIPFC
}

// DCIECN is the marking profile of a DCI port's egress queues, in place of the profile of each class that is marked at
// all. It never drops a frame that is not ECN-capable in a class that PFC protects elsewhere: such a class is lossy
// here only by a full memory.
type DCIECN struct {
	// Enabled marks at DCI ports. Default true.
	Enabled bool
	// Kmin and Kmax are queue lengths in bytes of frames, for any rate of the port. 0 computes them: 0.75 and 1.5 x RTT
	// x rate.
	Kmin, Kmax unit.Bytes
	// Pmax is the probability at Kmax. Range [0, 1]. Default 0.2.
	Pmax float64
}

// DCIPFC is PFC across the fibre, for the classes that PFC protects elsewhere.
// Its thresholds are fixed, for each class of each DCI port.
type DCIPFC struct {
	// Enabled sends and honours pauses at DCI ports. Default false.
	Enabled bool
	// Headroom is the memory for what still arrives after XOFF. 0 computes it
	// from the link and the path, as HeadroomFor.
	Headroom unit.Bytes
	// XON is the amount held at which a pause ends. After XON nothing arrives for an RTT, so 0 computes rate x RTT: the
	// amount that the port can drain meanwhile.
	XON unit.Bytes
}

// xoffFrames is the number of largest frames by which XOFF lies above XON.
const xoffFrames = 4

// DCIPort has the settings of a DCI port, computed if the profile leaves them open.
type DCIPort struct {
	// BDP is rate x RTT, both ways of the path at their longest.
	BDP unit.Bytes
	// Buffer, Kmin and Kmax are as in the profile.
	Buffer, Kmin, Kmax unit.Bytes
	// XON, XOFF and Headroom are for each of Classes lossless classes; 0 without PFC.
	XON, XOFF, Headroom unit.Bytes
	Classes             int
}

// Guaranteed is the memory that the lossless classes of the port may need.
func (d *DCIPort) Guaranteed() unit.Bytes { return unit.Bytes(d.Classes) * (d.XOFF + d.Headroom) }

// Fits reports whether the port's memory has room for that.
func (d *DCIPort) Fits() bool { return d.Guaranteed() <= d.Buffer }

// DCIFor returns what a DCI port with the given attachment has. maxFrame is the
// largest frame on the fabric.
func (s *Switch) DCIFor(link *fabric.Attachment, maxFrame unit.Bytes) DCIPort {
	or := func(set, computed unit.Bytes) unit.Bytes {
		if set > 0 {
			return set
		}
		return computed
	}
	port := DCIPort{BDP: link.Rx.Rate.BytesIn(link.RoundTrip())}
	out := link.Tx.Rate.BytesIn(link.RoundTrip())
	port.Kmin = or(s.DCI.ECN.Kmin, out.Scale(3, 4))
	port.Kmax = or(s.DCI.ECN.Kmax, out.Scale(3, 2))
	if s.DCI.PFC.Enabled && s.PFC.Enabled {
		for _, on := range s.PFC.Lossless {
			if on {
				port.Classes++
			}
		}
	}
	if port.Classes > 0 {
		own := *s
		own.Headroom = s.DCI.PFC.Headroom
		port.XON = or(s.DCI.PFC.XON, port.BDP)
		port.XOFF = port.XON + xoffFrames*maxFrame
		port.Headroom = own.HeadroomFor(link, maxFrame)
	}
	computed := port.BDP.Scale(5, 2)
	if port.Classes > 0 {
		computed = max(computed, port.Guaranteed()+port.BDP/4+xoffFrames*maxFrame)
	}
	port.Buffer = or(s.DCI.Buffer, computed)
	return port
}
