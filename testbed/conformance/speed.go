package conformance

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// rounds is how often a log is replayed to time an answer; the fastest counts,
// since whatever else the machine does makes one slower.
const rounds = 5

// decisionTime takes the time of a sender's answers to random events.
func (k *kit) decisionTime() Row {
	r, err := k.recorded()
	if err != nil {
		return missed(err)
	}
	return k.with(func(a cc.Algorithm) Row {
		c, err := k.configure(a)
		if err != nil {
			return missed(err)
		}
		total, calls := time.Duration(0), 0
		for _, l := range r.random {
			if l.End != eventlog.Sender {
				continue
			}
			best := time.Duration(0)
			for range rounds {
				if took := timed(c, l); best == 0 || took < best {
					best = took
				}
			}
			total, calls = total+best, calls+len(l.Steps)
		}
		row := Row{Result: Reported, Figure: fmt.Sprintf("%v", (total / time.Duration(max(calls, 1))).Round(time.Nanosecond)),
			Remark: "an event, in this process"}
		if k.Builtin == nil {
			row.Remark = "an event, to its process and back"
		}
		return row
	})
}

// timed plays a log to a new sender and returns how long that took.
func timed(c cc.Controller, l *eventlog.Log) time.Duration {
	s := c.NewSender(l.Setup())
	began := time.Now()
	for i := range l.Steps {
		step := &l.Steps[i]
		d := step.Before
		s.Handle(&step.Event, &d)
	}
	return time.Since(began)
}
