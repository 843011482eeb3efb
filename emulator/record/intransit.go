package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// InTransit is what one direction of a long-haul path had under way.
type InTransit struct {
	// Frames and Bytes are inside at the end of the run.
	Frames, Bytes uint64
	// Pauses is what the PFC frames among them say.
	Pauses Pauses
	// BytesMax is the high-water mark in bytes without FCS, preamble and gap,
	// Max that in time on the wire.
	BytesMax unit.Bytes
	Max      unit.Duration
	// Bound is what Max may be at most: delay and jitter at their largest, less
	// the latencies of the two links, and the time of the largest frame.
	Bound unit.Duration
}
