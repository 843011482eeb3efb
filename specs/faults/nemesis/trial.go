//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// What went wrong in a case.
const (
	wrongHung      = "hung"
	wrongLeft      = "left"
	wrongLeftAfter = "left after destroy"
	wrongCode      = "wrong code"
	wrongMessage   = "wrong message"
	wrongCrash     = "crash"
	wrongTrace     = "wrong trace"
	wrongHost      = "not carried out" // the host or the nemesis itself failed
)

// Result is the result of a case.
type Result struct {
	Case  Case
	Kind  string
	State string // "injected", "too late" or "refused"
	Code  int    // exit code of the disturbed command, 128 + n for signal n
	// Took is the time from the injection to the command's end.
	Took time.Duration
	// Wrong lists what went wrong: the kinds above, and how each showed.
	Wrong []Finding
	// Before are those things that a command that could not clean up had left,
	// which destroy is to clear.
	Before []string
	Notes  []string
	// Complaint is the command's output on stderr.
	Complaint string
}

// Finding is one thing that went wrong.
type Finding struct{ Kind, Text string }

func (r *Result) wrong(kind, format string, args ...any) {
	r.Wrong = append(r.Wrong, Finding{kind, fmt.Sprintf(format, args...)})
}

// try carries a case out. Orphans of its commands come to this process from then on.
func try(c *Case, s Settings, stopped <-chan struct{}) *Result {
	r := &Result{Case: *c, State: "too late"}
	fault := find(c.Fault)
	if fault == nil {
		r.wrong(wrongHost, "there is no fault %q", c.Fault)
		return r
	}
	r.Kind = fault.Kind
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		r.wrong(wrongHost, "become a reaper: %v", err)
		return r
	}
	b := &bed{Case: c, settings: s, stopped: stopped}
	defer b.close()
	if err := b.carryOut(fault, r); err != nil {
		r.wrong(wrongHost, "%v", err)
	}
	r.Notes = b.notes
	return r
}

// carryOut brings the case to its moment, injects, and judges.
func (b *bed) carryOut(fault *Fault, r *Result) error {
	if err := b.open(); err != nil {
		return err
	}
	err := verb{b}.before()
	if err != nil {
		return err
	}
	trace := ""
	if !b.isVerb() {
		trace, err = b.undisturbed()
	} else {
		trace, err = verb{b}.expected()
	}
	if err != nil {
		return err
	}
	if fault.Before != nil {
		if err := fault.Before(b); err != nil {
			return err
		}
	}
	cramped := b.crampedShm
	if b.crampedShm = false; b.Form == "deployed" || b.Form == "destroy" || b.Form == "capture" {
		if j, code, err := b.do(b.deploy()...); err != nil || code != 0 {
			return fmt.Errorf("deploy, undisturbed, ended with %d, %v: %s", code, err, j.err.String())
		}
	}
	b.crampedShm = cramped
	b.tracing = b.traced != nil
	b.command, err = b.start(b.disturbed()...)
	if b.tracing = false; err != nil {
		return err
	}
	if b.Form == "alone" {
		b.name = fmt.Sprintf("run-%d", b.command.Process.Pid)
	}
	if b.await(b.command) {
		err := fault.Inject(b)
		for errors.Is(err, errAbsent) && !b.command.over() && !b.isStopped() { // what is not there may yet come
			time.Sleep(look)
			err = fault.Inject(b)
		}
		switch {
		case errors.Is(err, errRefused):
			r.State = "refused"
		case errors.Is(err, errAbsent):
		case err != nil:
			return fmt.Errorf("inject: %w", err)
		default:
			r.State = "injected"
		}
	}
	injected := time.Now()
	if b.waits() && r.State == "too late" {
		b.signal(unix.SIGINT)
	}
	r.Code, err = b.finish(b.command)
	r.Took = time.Since(injected)
	r.Complaint = b.command.err.String()
	if errors.Is(err, errStopped) {
		return err
	}
	if b.traced != nil && r.State == "too late" && fault.Inject(b) == nil { // its end came before anybody looked
		r.State = "injected"
	}
	b.judge(fault, r, err, trace)
	if b.isVerb() {
		if err := (verb{b}).judgeAgain(r, err, trace); err != nil {
			return err
		}
	}
	return b.clear(fault, r)
}

// deploy is the command that brings the case's testbed up.
func (b *bed) deploy() []string {
	return append([]string{"deploy", b.path("nemesis.yaml"), "--testbed", b.name, "--daemons", b.Daemons, "--runtime",
		b.Runtime}, b.flags(b.settings.Own)...)
}

// disturbed is the command that meets the fault.
func (b *bed) disturbed() []string {
	if b.isVerb() {
		return verb{b}.line()
	}
	run := append([]string{"run", b.path("nemesis.yaml"), "--progress", "none", "--format", "json"},
		b.flags(b.settings.Own)...)
	if b.settings.Start > 0 {
		run = append(run, "--plugin-start", b.settings.Start.String())
	}
	if b.Fault == "run folder's disk full" {
		run = append(run, "--out", b.out()+"/run")
	} else {
		run = append(run, "--no-folder")
	}
	containers := []string{"--on", b.On, "--standstill", b.settings.Standstill.String()}
	switch b.Form {
	case "mem":
		return run
	case "alone":
		return append(append(run, containers...), "--daemons", b.Daemons, "--runtime", b.Runtime)
	case "deployed":
		return append(append(run, containers...), "--testbed", b.name)
	case "deploy":
		return b.deploy()
	}
	return []string{"destroy", "--testbed", b.name}
}

// undisturbed returns the trace of the case's run when nothing disturbs it, which is
// kept beside the programs.
func (b *bed) undisturbed() (string, error) {
	kept := fmt.Sprintf("%s/%s-%d-%s.trace", b.settings.Own, b.Algorithm, b.Hosts, b.Size)
	if text, err := os.ReadFile(kept); err == nil {
		return string(text), nil
	}
	args := []string{"run", b.path("nemesis.yaml"), "--progress", "none", "--format", "json", "--no-folder"}
	if b.Algorithm == "python" { // the others are built in, too
		args = append(args, b.flags(b.settings.Own)...)
	}
	j, code, err := b.do(args...)
	if err != nil || code != 0 {
		return "", fmt.Errorf("undisturbed run in memory: exit code %d, %v: %s", code, err, j.err.String())
	}
	trace := traceIn(j.out.Bytes())
	if trace == "" {
		return "", fmt.Errorf("undisturbed run in memory: no trace in %s", j.out.String())
	}
	part := fmt.Sprintf("%s.%d", kept, os.Getpid())
	if err := os.WriteFile(part, []byte(trace), 0o600); err != nil {
		return "", err
	}
	return trace, os.Rename(part, kept)
}
