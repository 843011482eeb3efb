//go:build linux

package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
)

// judge reports the faults in how the disturbed command ended.
func (b *bed) judge(fault *Fault, r *Result, hung error, trace string) {
	if hung != nil {
		r.wrong(wrongHung, "%v", hung)
		return
	}
	injected := r.State == "injected"
	if crashed.MatchString(r.Complaint) && !(injected && fault.Dumps) {
		r.wrong(wrongCrash, "%s", crashed.FindString(r.Complaint))
	}
	if r.Code == exit.CodeFault {
		r.wrong(wrongCrash, "exit code %d, a fault of rocelab itself", r.Code)
		return
	}
	switch {
	case r.Code == 0 && b.runs():
		if now := traceIn(b.command.out.Bytes()); now != trace {
			r.wrong(wrongTrace, "%q instead of %q", now, trace)
		}
	case r.Code == 0:
	case b.waits() && r.Code == exit.CodeInterrupted && !injected: // asked to end since the fault did not
	case !injected || !slices.Contains(fault.Codes, r.Code):
		r.wrong(wrongCode, "%d (%s)", r.Code, r.State)
	case r.Code < 128 && strings.TrimSpace(r.Complaint) == "":
		r.wrong(wrongMessage, "none with exit code %d", r.Code)
	case r.Code < 128 && !regexp.MustCompile(fault.Says).MatchString(r.Complaint):
		r.wrong(wrongMessage, "nothing of %s", fault.Says)
	}
}

// clear looks at what the command left, and lets destroy take away what may be there.
func (b *bed) clear(fault *Fault, r *Result) error {
	deployed := b.name != "" && b.onContainers() && b.Form != "alone"
	for _, what := range b.left(deployed) {
		if (fault.Leaves || r.Code == -1) && b.excused(what) { // one that hung was killed
			r.Before = append(r.Before, what)
		} else {
			r.wrong(wrongLeft, "%s", what)
		}
	}
	for _, c := range b.silent {
		c.Close()
	}
	if b.onContainers() || fault.Leaves {
		if err := b.destroyAll(r); err != nil {
			return err
		}
	}
	if after := b.left(false); len(after) > 0 {
		r.wrong(wrongLeftAfter, "%s", strings.Join(after, "\n"))
	}
	return nil
}

// excused reports whether a command that was killed may leave that, for destroy to clear: files in the folder of
// testbeds, and cgroups. Temporary files are unnamed as soon as they can be, and daemons and plugins end with the
// process that started them, except for a deployment's, which are to outlive it.
func (b *bed) excused(what string) bool {
	switch kind, rest, _ := strings.Cut(what, " "); kind {
	case "process":
		return b.Form == "deploy" || b.Form == "destroy"
	case "file":
		return !strings.HasPrefix(rest, b.temporary+"/")
	}
	return true
}

// destroyAll destroys what testbeds there are. One that a foreign process keeps from
// going may say so; it goes when that process has.
func (b *bed) destroyAll(r *Result) error {
	b.crampedShm = false
	foreign := b.foreign != nil
	for {
		j, code, err := b.do("destroy", "--all", "--force")
		switch {
		case j == nil || err == errStopped:
			return err
		case err != nil:
			r.wrong(wrongHung, "%v", err)
		case code == 4 && foreign && strings.Contains(j.err.String(), "process"):
			b.withdraw()
			foreign = false
			continue
		case code != 0:
			r.wrong(wrongCode, "%d of destroy: %s", code, j.err.String())
		}
		if crashed.MatchString(j.err.String()) {
			r.wrong(wrongCrash, "destroy: %s", j.err.String())
		}
		b.withdraw()
		return nil
	}
}

// crashed matches the output of a Go program that did not end as it was written to.
var crashed = regexp.MustCompile(`(?m)^(panic:|fatal error:|unexpected fault address|SIG[A-Z]+: ).*|goroutine \d+ \[.*`)

// traceIn returns the traces in the JSON of a run, "" for none.
func traceIn(text []byte) string {
	var report struct {
		Runs []struct{ Trace string }
	}
	if json.Unmarshal(text, &report) != nil {
		return ""
	}
	var traces []string
	for _, run := range report.Runs {
		traces = append(traces, run.Trace)
	}
	return strings.Join(traces, " ")
}
