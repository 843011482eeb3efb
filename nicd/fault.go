package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// AlgorithmError is the reason why a flow cannot be set up, if that is the fault of its algorithm.
type AlgorithmError struct{ Err error }

func (e *AlgorithmError) Error() string { return e.Err.Error() }
func (e *AlgorithmError) Unwrap() error { return e.Err }

// nonsense is the first nonsensical answer of an algorithm at a NIC.
type nonsense struct{ err error }

// record keeps the first fault: the reason why the algorithm broke down, if it did,
// else its answer.
func (f *nonsense) record(algorithm any, answered error) {
	if f.err != nil {
		return
	}
	f.err = answered
	if a, ok := algorithm.(hosting.Failing); ok && a.Err() != nil {
		f.err = a.Err()
	}
}

// recordFault records a fault of the algorithm, and the flow stops in place.
func (n *NIC) recordFault(flow *sender, kind cc.EventKind, now unit.Time, err error) {
	flow.running, flow.faulty = false, true
	n.nonsense.record(flow.algorithm, n.flowError(flow.identity.name,
		fmt.Errorf("%s answered the %v event at %v with %w", controllerName(flow.identity.controller), kind, now, err)))
}

// recordReceiverFault records a fault of a receiver's algorithm, which is not called
// any more.
func (n *NIC) recordReceiverFault(flow *receiver, now unit.Time) {
	n.nonsense.record(flow.algorithm, n.flowError(flow.identity.name,
		fmt.Errorf("%s answered a data packet at %v with base rate %d b/s, allowed is 0 (none) and more",
			controllerName(flow.identity.controller), now, int64(flow.feedback.BaseRate))))
	flow.algorithm, flow.feedback = nil, cc.Feedback{}
}

// nameFlow gives an algorithm that may break down the name of its flow.
func nameFlow(algorithm any, name string) {
	if f, ok := algorithm.(hosting.Failing); ok {
		f.NameFlow(name)
	}
}

// controllerName returns the algorithm's name in faults: its String if it has one, else its type.
func controllerName(controller cc.Controller) string {
	if s, ok := controller.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", controller)
}
