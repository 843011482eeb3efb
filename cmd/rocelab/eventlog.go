package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/testbed/model"
)

// logSuffix is the suffix of the names of event logs.
const logSuffix = ".jsonl"

// mostLogged bounds the flows of a run whose events are kept: their logs are
// open together.
const mostLogged = 256

// eventLogs writes the event logs that --event-log asks for beside the other files of
// a run, one for each end of a flow: events/FLOW.sender.jsonl and
// events/FLOW.receiver.jsonl.
type eventLogs struct {
	// wanted are flows by name or number, or "all".
	wanted []string
	folder *result.Folder
	names  map[string]bool
	open   []openLog
	err    error
}

type openLog struct {
	*eventlog.Writer
	to *result.Entry
}

// chosen returns the flows of a plan to log, by number. An error names a flow
// that the plan does not have.
func (l *eventLogs) chosen(planned *plan.Plan) (flows []uint32, err error) {
	if slices.Equal(l.wanted, []string{"all"}) {
		for i := range planned.Flows {
			flows = append(flows, uint32(i))
		}
	} else {
		for _, name := range l.wanted {
			i := slices.IndexFunc(planned.Flows, func(f plan.Flow) bool { return f.Name == name })
			if n, err := strconv.ParseUint(name, 10, 32); i < 0 && err == nil && n < uint64(len(planned.Flows)) {
				i = int(n)
			}
			if i < 0 {
				return nil, fmt.Errorf("--event-log %q: there is no such flow: %s", name, hintFlow(planned, name))
			}
			flows = append(flows, uint32(i))
		}
	}
	if len(flows) > mostLogged {
		return nil, fmt.Errorf("--event-log: %d flows, allowed are %d: name some", len(flows), mostLogged)
	}
	return flows, nil
}

// hintFlow names the flow of a plan that may have been meant, or all of them.
func hintFlow(planned *plan.Plan, name string) string {
	var names []string
	for i := range planned.Flows {
		names = append(names, planned.Flows[i].Name)
	}
	return spelling.Hint(name, names, fmt.Sprintf("allowed are all, names from %s to %s, and numbers from 0 to %d",
		names[0], names[len(names)-1], len(names)-1))
}

// recording returns the look-up of algorithms for a run of a plan, which writes logs
// into the run's folder.
func (l *eventLogs) recording(plan *plan.Plan, folder string, find model.Find) (model.Find, error) {
	flows, err := l.chosen(plan)
	if err != nil {
		return nil, err
	}
	prefix := folder + "/events/"
	recorder := eventlog.Recorder{Open: func(header eventlog.Header) eventlog.Sink {
		if !slices.Contains(flows, header.Flow) || l.err != nil {
			return nil
		}
		header.Name = plan.Flows[header.Flow].Name
		base := prefix + fileName(header.Name)
		if l.names[base+header.End.String()] { // of another flow with nearly this name
			base = fmt.Sprintf("%s-%d", base, header.Flow)
		}
		l.names[base+header.End.String()] = true
		to, err := l.folder.Open(base + "." + header.End.String() + logSuffix)
		if err != nil {
			l.err = err
			return nil
		}
		w := eventlog.NewWriter(to, header)
		l.open = append(l.open, openLog{w, to})
		return w
	}}
	return recorder.Find(find), nil
}

// close ends the logs of a run.
func (l *eventLogs) close() error {
	errs := []error{l.err}
	for _, o := range l.open {
		errs = append(errs, o.Flush(), o.to.Close())
	}
	l.open, l.err = nil, nil
	return errors.Join(errs...)
}

// fileName makes a name safe as a file's.
func fileName(name string) string {
	safe := strings.Map(func(char rune) rune {
		if char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' ||
			strings.ContainsRune("._-+", char) {
			return char
		}
		return '_'
	}, name)
	return strings.TrimLeft(safe, ".")
}
