package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// fault is the first nonsensical answer of an algorithm at a NIC.
type fault struct{ err error }

// keep keeps the first fault: why the algorithm broke down, if it did, else what
// it answered.
func (f *fault) keep(algorithm any, answered error) {
	if f.err != nil {
		return
	}
	f.err = answered
	if a, ok := algorithm.(cc.Failing); ok && a.Err() != nil {
		f.err = a.Err()
	}
}

// blame records a fault of the algorithm, and the flow stops where it is.
func (n *NIC) blame(q *sender, kind cc.EventKind, now unit.Time, err error) {
	q.running, q.faulty = false, true
	n.fault.keep(q.algorithm, n.wrong(q.identity.name,
		fmt.Errorf("%s answered the %v event at %v with %w", q.identity.controller, kind, now, err)))
}

// blameReceiver records a fault of a receiver's algorithm, which is not called
// any more.
func (n *NIC) blameReceiver(r *receiver, now unit.Time) {
	n.fault.keep(r.algorithm, n.wrong(r.identity.name,
		fmt.Errorf("%s answered a data packet at %v with base rate %d b/s, allowed is 0 (none) and more",
			r.identity.controller, now, int64(r.feedback.BaseRate))))
	r.algorithm, r.feedback = nil, cc.Feedback{}
}

// nameFlow gives an algorithm that may break down the name of its flow.
func nameFlow(algorithm any, name string) {
	if f, ok := algorithm.(cc.Failing); ok {
		f.NameFlow(name)
	}
}

// nameOf is how a fault names the algorithm: its String if it has one, else
// its type.
func nameOf(c cc.Controller) string {
	if s, ok := c.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", c)
}
