package result

import (
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Timing describes how well a live run kept the wall clock. It is the host's part of an outcome: a replay has none, and
// two runs of one plan differ in it.
type Timing struct {
	// Dilation is K: wall time = epoch + K x model time. Range: from 1.
	Dilation int64
	// Reference is R, which lateness is judged against: the plan's EdgeRTT on the wall, 0
	// without edges.
	Reference time.Duration
	// Edges are in the plan's order.
	Edges []EdgeTiming
	// Lag is the delay of model time behind its time on the wall, a sample for each window that was granted.
	Lag record.Lateness
	// Standstills are the pauses that moved the epoch, in the order of time.
	Standstills []Standstill
	// ClockSteps counts the steps of the host's CLOCK_REALTIME; after a step frames count from the time at which they
	// were read.
	ClockSteps uint64
	// Host is the other activity of the host meanwhile.
	Host Interference
	// Unplugged are the interfaces that went down without a fault of the scenario and thereby ended the run.
	Unplugged []Unplugged
	// Priorities are the results of asking for real-time priority, participant by participant; nil if it was not asked
	// for.
	Priorities []Priority
	// Used is the time on cores of the threads that ran windows, of all together.
	Used Scheduling
	// Bare is the timer beside the run. Its Lateness is empty if there was none.
	Bare BareTimer
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

// EdgeTiming has the counts and times of one edge.
type EdgeTiming struct {
	// Name is the edge's name, Interface the host's interface at its end.
	Name, Interface string
	// Received counts the frames that came in from outside, Sent the frames that left.
	Received, Sent uint64
	// Lateness is the delay of a frame behind the time at which its last bit was due, one sample for each frame sent.
	Lateness record.Lateness
	// Taken is the delay with which a frame from outside started in the model because it was read too late, one sample
	// for each frame that started. Unit: wall time.
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

// OutsideReason is the way in which a frame was lost between the models and the wire.
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
	// Edge is the edge's name, Interface the host's interface at its end, "" for a host with its own stack.
	Edge, Interface string
	// What became of it, as in "was set down".
	What string
	// At is the model time at which that was noticed.
	At unit.Time
}

// Standstill is a pause of the run that moved its epoch.
type Standstill struct {
	// At is the model time at which the run stood still, Took the wall-clock duration.
	At   unit.Time
	Took time.Duration
	// Who names the participant that came last, "" if it is not known.
	Who string
}

// Interference is the time that the host took from a run: it explains, and is not judged.
type Interference struct {
	// Steal is the time of CPUs that the hypervisor gave to others, of all CPUs together.
	Steal time.Duration
	// Throttled is the time for which a CPU limit of this process's cgroups held it back.
	Throttled time.Duration
}
