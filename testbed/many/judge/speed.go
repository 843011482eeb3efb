package judge

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// rounds is the number of replays of a log for timing an answer; the fastest counts, since other work of the machine
// makes some slower.
const rounds = 5

// decisionTime takes the time of a sender's answers to random events.
func (t *trial) decisionTime() Row {
	r := t.recorded()
	c := t.controller(t.algorithm())
	total, calls := time.Duration(0), 0
	for _, l := range r.random {
		if l.End != eventlog.Sender {
			continue
		}
		best := timed(c, l)
		for range rounds - 1 {
			best = min(best, timed(c, l))
		}
		total, calls = total+best, calls+len(l.Steps)
	}
	row := Row{
		Result: Reported,
		Figure: fmt.Sprint(unit.Duration(total.Nanoseconds()/int64(max(calls, 1))) * unit.Nanosecond),
		Remark: "an event, in this process",
	}
	if t.main().Path != "" {
		row.Remark = "an event, to its process and back"
	}
	return row
}

// timed plays a log to a new sender and returns how long that took.
func timed(controller cc.Controller, log *eventlog.Log) time.Duration {
	s := controller.NewSender(log.Setup())
	began := time.Now()
	for i := range log.Steps {
		step := &log.Steps[i]
		d := step.Before
		s.Handle(&step.Event, &d)
	}
	return time.Since(began)
}
