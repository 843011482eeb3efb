package eventlog

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Comparison is the result of a replay.
type Comparison struct {
	// Calls is the number of calls, Different the number of those whose answer differs from the log.
	Calls, Different int
	// First is the first difference, nil for none.
	First *Difference
	// Rate is the largest difference of the rate, as a part of the logged one.
	Rate float64
	// Lacking names signals that the algorithm asks for and the log does not
	// have: of these it saw nothing.
	Lacking []string
}

// Difference is an answer that is not the logged one.
type Difference struct {
	// Number is the call's in the log, from 1, At its time, What it was:
	// "CNP event", "data packet".
	Number int
	At     unit.Time
	What   string
	// Field is the first that differs, Old the logged value, New the replayed
	// one.
	Field, Old, New string
}

// String is the difference in a sentence.
func (d *Difference) String() string {
	return fmt.Sprintf("call %d, %s at %v: %s is %s, was %s", d.Number, d.What, d.At, d.Field, d.New, d.Old)
}

// ErrNoEnd means that an algorithm lacks the end of a flow that a log is of.
var ErrNoEnd = errors.New("the algorithm has no such end")

// Replay plays the calls of a log to a new end of a flow of the controller and
// compares the answers. The decision before an event is the logged
// one up to the first difference, then the replayed one. An error is that the
// controller has no such end (ErrNoEnd), or the error of an algorithm that broke down.
func Replay(log *Log, controller cc.Controller) (*Comparison, error) {
	comparison := &Comparison{Calls: log.Calls(), Lacking: missingSignals(log.Signals, controller.Signals())}
	if log.End == Receiver {
		return comparison, comparison.replayReceiver(log, controller)
	}
	sender := controller.NewSender(log.Setup())
	if sender == nil {
		return nil, fmt.Errorf("%w: no sender", ErrNoEnd)
	}
	decision := cc.Decision{}
	for i := range log.Steps {
		step := &log.Steps[i]
		if comparison.First == nil {
			decision = step.Before
		} else {
			decision = decisionBefore(decision, log.Facts.LineRate, step.Event.Kind)
		}
		e := step.Event
		sender.Handle(&e, &decision)
		if err := fault(sender); err != nil {
			return nil, err
		}
		if decision != step.After {
			field, old, now := firstDifference(contract.Decision, &step.After, &decision)
			comparison.count(i, step.Event.Now, step.Event.Kind.String()+" event", field, old, now)
			if was := float64(step.After.Rate); was > 0 {
				comparison.Rate = max(comparison.Rate, float64(decision.Rate)/was-1, 1-float64(decision.Rate)/was)
			}
		}
	}
	return comparison, nil
}

func (m *Comparison) replayReceiver(log *Log, controller cc.Controller) error {
	receiver := controller.NewReceiver(log.Setup())
	if receiver == nil {
		return fmt.Errorf("%w: no receiver", ErrNoEnd)
	}
	now := unit.Time(0)
	answer := cc.Feedback{}
	for i := range log.Receptions {
		call := &log.Receptions[i]
		if call.IsGroup {
			receiver.Group(call.Group)
			continue
		}
		feedback := call.Before
		if m.First != nil {
			feedback = answer
			for i := range contract.Feedback {
				if f := &contract.Feedback[i]; f.FromNIC {
					n, _ := contract.Int(f.At(&call.Before))
					contract.SetInt(f.At(&feedback), n)
				}
			}
		}
		a := call.Arrival
		now = a.Now
		receiver.Data(&a, &feedback)
		if err := fault(receiver); err != nil {
			return err
		}
		if answer = feedback; feedback != call.After {
			field, old, got := firstDifference(contract.Feedback, &call.After, &feedback)
			m.count(i, now, "data packet", field, old, got)
		}
	}
	return nil
}

// fault returns the error of an algorithm that runs elsewhere and broke down, nil if it did not.
func fault(end any) error {
	if f, ok := end.(hosting.Failing); ok {
		return f.Err()
	}
	return nil
}

func (m *Comparison) count(index int, at unit.Time, what, field, old, now string) {
	m.Different++
	if m.First == nil {
		m.First = &Difference{index + 1, at, what, field, old, now}
	}
}

// missingSignals names what wanted has and has not.
func missingSignals(has, wanted cc.Signals) []string {
	var names []string
	for i := range contract.Signals {
		f := &contract.Signals[i]
		there, _ := contract.Int(f.At(&has))
		asked, _ := contract.Int(f.At(&wanted))
		if asked > there && !f.Silent {
			names = append(names, f.Name)
		}
	}
	return names
}
