package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// blame records a fault of the algorithm, and the flow stands still.
func (n *NIC) blame(q *sender, kind cc.EventKind, now unit.Time, err error) {
	q.running, q.faulty = false, true
	n.fail(q.identity.name, q.algorithm,
		fmt.Errorf("%s answered the %v event at %v with %w", q.identity.controller, kind, now, err))
}

// blameReceiver records a fault of a receiver's algorithm, which is not called
// any more.
func (n *NIC) blameReceiver(r *receiver, now unit.Time) {
	n.fail(r.identity.name, r.algorithm,
		fmt.Errorf("%s answered a data packet at %v with base rate %d b/s, allowed is 0 (none) and more",
			r.identity.controller, now, int64(r.feedback.BaseRate)))
	r.algorithm, r.feedback = nil, cc.Feedback{}
}

// fail keeps the NIC's first fault: why the algorithm broke down, if it did,
// else what it answered.
func (n *NIC) fail(flow string, algorithm any, answered error) {
	if n.fault != nil {
		return
	}
	n.fault = n.wrong(flow, answered)
	if f, ok := algorithm.(cc.Failing); ok && f.Err() != nil {
		n.fault = f.Err()
	}
}

// nameFlow tells an algorithm that may break down what its flow is called.
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
