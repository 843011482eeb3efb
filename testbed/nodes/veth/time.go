package veth

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/internal/bare"
	"github.com/rocelab/rocelab/testbed/nodes/internal/interference"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
)

// keptTime notes how a run that was held to the clock on the wall kept it.
func (r *run) keptTime(out *result.Outcome, results []*daemon.Result) error {
	if r.setup.Clock == nil {
		return nil
	}
	if r.page.Early() > 0 {
		return r.named(errors.New("a window began before its time on the wall: one of the daemons writes nonsense"))
	}
	out.Runner = "live"
	out.Time = result.NewTiming(r.plan, r.setup.Clock.Dilation)
	out.Time.Lag, out.Time.Host = r.page.Lags(), interference.Read().Since(r.began)
	out.Time.Priorities = r.endGuard()
	out.Remarks = append(out.Remarks, out.Time.Remarks()...)
	out.Time.Unplugged = r.unplugged
	out.Time.Bare = r.beside
	for _, one := range results {
		out.Time.Used.Ran += one.Used.Ran
		out.Time.Used.Waited += one.Used.Waited
	}
	r.seenOutside(out, results)
	list, all := r.page.Standstills()
	for _, s := range list {
		who := "" // words of a daemon may be anything by now
		if s.Last >= 0 && s.Last < len(r.participants) {
			who = r.participantName(&r.participants[s.Last])
		}
		out.Time.Standstills = append(out.Time.Standstills, result.Standstill{At: s.At, Took: s.Took, Who: who})
	}
	if more := all - uint64(len(list)); more > 0 {
		out.Remarks = append(out.Remarks, fmt.Sprintf("%d more standstills moved the epoch: the first %d are named", more,
			len(list)))
	}
	return nil
}

// beginTimer begins the bare timer beside a run that is held to the clock. The timer counts while windows are run.
func beginTimer(r *run) *bare.Timer {
	if r.setup.Clock == nil {
		return nil
	}
	return bare.Begin(bare.Setup{
		Beside: r.page.Beside(),
		During: func() bool {
			_, _, over := r.page.Over()
			return r.page.Window() > 0 && !over
		},
		Ready: func(tid int) error {
			if r.guard == nil {
				return nil
			}
			return realtime.Companion(tid) // it is compared with threads that may not have got it either
		},
	})
}

// now returns the model time that the run has reached. If it waits for the clock that is later than the start of its
// last window.
func (r *run) now() unit.Time {
	now := r.page.Now()
	if due, ok := r.page.Due(); ok {
		if c, ok := r.page.Clock(); ok {
			now = max(now, c.Model(min(due, pace.Now())))
		}
	}
	return now
}
