package model

import (
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Report is a node's report on a run; plain data.
type Report struct {
	ID    plan.NodeID
	Trace trace.Hash
	// History is the trace at instants, up to the end of the run.
	History trace.History
	Events  uint64
	// Record is the record by the node's kind.
	Record Record
	// InFlight has the frames on their way to the node, by the direction of the link.
	InFlight map[fabric.LinkID]result.Flight
	// Fault describes the fault of an algorithm, "" for none.
	Fault string
}

// Report returns what the node brings back at the end of a run, when all
// frames sent to it were delivered.
func (n *Node) Report(end unit.Time, hash trace.Hash) Report {
	r := Report{
		ID:       n.ID,
		Trace:    hash,
		Events:   n.Events(),
		Record:   n.Record(end),
		InFlight: map[fabric.LinkID]result.Flight{},
	}
	n.InFlight(func(port int, f *wire.Frame) {
		in := n.links[port] ^ 1
		t := r.InFlight[in]
		t.Add(f)
		r.InFlight[in] = t
	})
	if m, ok := n.Model.(interface{ Trace(trace.Hash) trace.Hash }); ok { // an edge knows more than its records
		r.Trace = m.Trace(hash)
	}
	if err := n.Fault(); err != nil {
		r.Fault = err.Error()
	}
	return r
}

// Progress is the progress of a run.
type Progress struct {
	// Now is the model time; Until the end of the run, 0 if it ends with its flows.
	Now, Until unit.Time
	// Hops counts frames sent so far, by any port.
	Hops uint64
	// Dilation is above 0 where the run is held to the clock on the wall, and then Lag how far
	// model time is behind that.
	Dilation int64
	Lag      time.Duration
	// Done and Total are the acknowledged and the whole payload of the flows
	// that have a size.
	Done, Total unit.Bytes
	// Tally has the nodes' counts so far; its queues by port are known in memory only. Final marks the last report,
	// when the run is over.
	Tally record.Tally
	Final bool
}
