//go:build linux

package main

import (
	"errors"
	"slices"
)

// Fault is one way to disturb a command.
type Fault struct {
	// Kind groups faults in the table that is printed; Name is the fault's own.
	Kind, Name string
	// Fits reports whether the fault makes sense in a case; nil: in all on
	// containers.
	Fits func(*Case) bool
	// Before prepares the host, before the command starts; may be nil.
	Before func(*bed) error
	// Inject carries it out. It fails with errAbsent if there was no target, with errRefused if the kernel did not let
	// it happen.
	Inject func(*bed) error
	// Codes are the exit codes that are right beside 0: a fault that a run
	// survives is none, when its trace is right.
	Codes []int
	// Says is an expression that the message of exit codes 1 to 5 matches, "" for any message at all.
	Says string
	// Leaves is set if the command cannot clean up: destroy does.
	Leaves bool
	// Dumps is set if the fault makes a program print its goroutines.
	Dumps bool
}

var (
	errAbsent  = errors.New("no target")
	errRefused = errors.New("refused")
)

// fits reports whether the case is one for the fault. Containers do not hold Python, and in memory there are only
// faults of programs.
func (f *Fault) fits(c *Case) bool {
	switch {
	case c.Algorithm == "python" && c.onContainers(), c.Form == "mem" && !c.plugged():
		return false
	case c.isVerb() && f.Kind != kindAsked && f.Kind != kindKilled && f.Kind != kindCalls && f.Name != "TMPDIR full",
		c.waits() && (f.Name == "TMPDIR full" || f.Name == "CLI STOP/CONT"):
		return false
	case !slices.Contains(phasesOf(c.Form), c.Phase):
		return false
	case f.Fits == nil:
		return c.onContainers()
	}
	return f.Fits(c)
}

// Faults are all of them.
var Faults = slices.Concat(commandFaults, containerFaults, pluginFaults, networkFaults, cgroupFaults, diskFaults,
	recordFaults, pageFaults, wireFaults, callFaults)

// find returns the fault of that name, nil if there is none.
func find(name string) *Fault {
	i := slices.IndexFunc(Faults, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Faults[i]
}

// The cases in which faults make sense.
func anywhere(*Case) bool       { return true }
func inRuns(c *Case) bool       { return c.runs() }
func withPlugins(c *Case) bool  { return c.runs() && c.plugged() && c.Phase != phaseStage }
func duringRun(c *Case) bool    { return c.onContainers() && c.Phase == phaseRun }
func whileStaging(c *Case) bool { return c.Phase == phaseStage }
func withTestbed(c *Case) bool {
	return c.onContainers() && (c.Phase != phaseStart || c.Form == "deployed" || c.Form == "destroy")
}
