package wire

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Accounting is the rule for counting a frame's time on the wire. The frame's bytes and captures are the same under
// every rule; base RTT, BDP, ideal completion times and pacing gaps follow the rule, and a result names it. Queues and
// buffers count frames, or by the rule if a switch is asked to.
type Accounting uint8

const (
	// Full counts what occupies a real link: frame, FCS 4, preamble and SFD
	// 8, inter-frame gap 12; time exact in picoseconds. The default.
	Full Accounting = iota
	// Bare48 counts as the simulators behind several published figures do:
	// data are payload + 48 bytes (+ 42 with INT, + 8 with timestamps), an ACK
	// 60 bytes (88 with INT), NAK and CNP as an ACK; time is rounded down to
	// whole nanoseconds. PFC frames and datagrams, which they do not have,
	// count as under Full. Only for comparison with such figures.
	Bare48
)

// overhead is FCS + preamble + SFD + inter-frame gap (IEEE 802.3, clause 4).
const overhead unit.Bytes = 24

// String returns the name used in scenarios and results.
func (a Accounting) String() string {
	if a == Bare48 {
		return "bare48"
	}
	return "full"
}

// Bytes returns what a frame counts for on a wire under a.
func (a Accounting) Bytes(frame *Frame) unit.Bytes { return a.BytesOf(frame.Len(), frame) }

// BytesOf is Bytes of a frame whose length is known already: under Full the
// frame itself is not touched.
func (a Accounting) BytesOf(length unit.Bytes, frame *Frame) unit.Bytes {
	if a == Full || frame.IsPFC() {
		return length + overhead
	}
	if !frame.IsData() {
		if frame.IsDatagram() {
			return length + overhead
		}
		return 60 + kinds[frame.Extension()].Bare48
	}
	return unit.Bytes(frame.PayloadLen) + 48 + kinds[frame.Extension()].Bare48
}

// QueuedOf returns what a frame of the given length counts for in queues that follow a: under
// Bare48 what it counts for on a wire, and its length under Full, for nothing of the overhead is
// ever in a buffer. What Bare48 has no rule for, datagrams and opaque frames, counts its length.
func (a Accounting) QueuedOf(length unit.Bytes, frame *Frame) unit.Bytes {
	if a == Full || frame.IsPFC() || frame.IsOpaque() || frame.IsDatagram() {
		return length
	}
	return a.BytesOf(length, frame)
}

// SerialTime returns how long a frame occupies a wire of the given rate under a.
func (a Accounting) SerialTime(frame *Frame, rate unit.BitRate) unit.Duration {
	return a.SerialTimeOf(a.Bytes(frame), rate)
}

// SerialTimeOf returns how long a number of bytes, as a counts them, occupy a
// wire of the given rate.
func (a Accounting) SerialTimeOf(counted unit.Bytes, rate unit.BitRate) unit.Duration {
	d := rate.SerialTime(counted)
	if a == Bare48 {
		d -= d % unit.Nanosecond
	}
	return d
}

// ShortestFrame is the least that any frame counts for under a, the basis of the engine's lookahead: a minimum Ethernet
// frame under Full, a packet without payload under Bare48.
func (a Accounting) ShortestFrame() unit.Bytes {
	if a == Bare48 {
		return 48
	}
	return minFrameLen + overhead
}
