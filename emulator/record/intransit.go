package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// InTransit is the record of frames in flight in one direction of a long-haul path.
type InTransit struct {
	// Frames and Bytes are inside at the end of the run.
	Frames, Bytes uint64
	// Pauses counts the PFC frames among them.
	Pauses Pauses
	// BytesMax is the high-water mark in bytes without FCS, preamble and gap,
	// Max that in time on the wire.
	BytesMax unit.Bytes
	Max      unit.Duration
	// Bound is the upper bound of Max: delay and jitter at their largest, less the latencies of the two links, and the
	// time of the largest frame.
	Bound unit.Duration
}
