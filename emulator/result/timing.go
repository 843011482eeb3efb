package result

import (
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Timing is how well a live run kept the clock on the wall. It is the host's part of
// an outcome: a replay has none, and two runs of one plan differ in it.
type Timing struct {
	// Dilation is K: wall time = epoch + K x model time. Range: from 1.
	Dilation int64
	// Reference is R, which lateness is judged against: the plan's EdgeRTT on the wall, 0
	// without edges.
	Reference time.Duration
	// Edges are in the plan's order.
	Edges []EdgeTiming
	// Lag is how far model time was behind its time on the wall, a sample for each
	// window that was granted.
	Lag record.Lateness
	// Standstills are the pauses that moved the epoch, in the order of time.
	Standstills []Standstill
	// ClockSteps counts the steps of the host's CLOCK_REALTIME, after which frames
	// count from when they were read.
	ClockSteps uint64
	// Host is what else the host did meanwhile.
	Host Interference
	// Unplugged are the interfaces that went down though no fault of the scenario says so, by which the run ended.
	Unplugged []Unplugged
	// Priorities are what became of real-time priority, participant by participant; nil where
	// nobody asked for it.
	Priorities []Priority
}

// NewTiming returns the record of a live run of a plan with dilation K, its edges named and
// nothing counted: the runner fills in the rest.
func NewTiming(planned *plan.Plan, dilation int64) *Timing {
	t := &Timing{Dilation: dilation, Reference: time.Duration(times(planned.EdgeRTT().Nanoseconds(), dilation))}
	for _, i := range planned.Edges() {
		t.Edges = append(t.Edges, EdgeTiming{Name: planned.Devices[i].Name, Interface: planned.EdgeAt(i).Interface})
	}
	return t
}

// EdgeTiming is what was seen at one edge.
type EdgeTiming struct {
	// Name is the edge's, Interface the host's where it ends.
	Name, Interface string
	// Received counts the frames that came in from outside, Sent those that left.
	Received, Sent uint64
	// Lateness is how long after its last bit was due a frame was sent, one sample
	// for each frame sent.
	Lateness record.Lateness
	// Taken is how much later than it would have a frame from outside started in the model, as
	// it was read too late, one sample for each frame that started. Unit: wall time.
	Taken record.Lateness
	// Lost counts the frames that were lost outside the models.
	Lost [OutsideReasons]uint64
	// Unfit counts the frames that came in with a checksum or a super-frame that could not be finished: they
	// crossed as they were.
	Unfit uint64
	// Moved counts the frames from outside that entered the model later than their
	// stamps say, as they were read too late; MovedMost is the largest such move. Unit:
	// model time.
	Moved     uint64
	MovedMost unit.Duration
}

// OutsideReason says how a frame was lost between the models and the wire.
type OutsideReason uint8

// The reasons.
const (
	// RingFull: frames came in faster than they were read (tp_drops).
	RingFull OutsideReason = iota
	// Truncated: a frame came in that was longer than the edge's MTU allows, or shorter than an Ethernet header.
	Truncated
	// NoBuffers: the host refused to send for want of buffers (ENOBUFS).
	NoBuffers
	// TooLong: a frame was longer than the interface's MTU and one tag of 802.1Q.
	TooLong
	// InterfaceDown: a frame was due while the interface was down or gone.
	InterfaceDown
	// Dropped: the interface's own counters of drops.
	Dropped
	// OutsideReasons is their number.
	OutsideReasons
)

var outsideNames = [OutsideReasons]string{
	RingFull:      "ring_full",
	Truncated:     "truncated",
	NoBuffers:     "no_buffers",
	TooLong:       "too_long",
	InterfaceDown: "interface_down",
	Dropped:       "interface_drops",
}

// String returns the reason as files spell it.
func (r OutsideReason) String() string { return outsideNames[r] }

// Unplugged is the interface of an edge that went down by itself.
type Unplugged struct {
	// Edge is the edge's name, Interface the host's where it ends, "" for that of a host with its own stack.
	Edge, Interface string
	// What became of it, as in "was set down".
	What string
	// At is the model time at which that was noticed.
	At unit.Time
}

// Standstill is a pause of the run that moved its epoch.
type Standstill struct {
	// At is the model time at which the run stood still, Took for how long on the wall.
	At   unit.Time
	Took time.Duration
	// Who names the participant that came last, "" where it is not known.
	Who string
}

// Interference is what the host took from a run: it explains, and is not judged.
type Interference struct {
	// Steal is the time of CPUs that the hypervisor gave to others, of all CPUs together.
	Steal time.Duration
	// Throttled is how long a CPU limit of this process's cgroups held it back.
	Throttled time.Duration
}
