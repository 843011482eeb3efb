//go:build linux

package main

import (
	"os"
	"path/filepath"
	"time"
)

// Phases are states of a command, seen from outside, in their order.
const (
	phaseStart      = "start"      // at once
	phaseFolder     = "folder"     // the testbed has its folder
	phaseNamespaces = "namespaces" // there is a network namespace
	phaseContainers = "containers" // there is a container's record
	phaseStage      = "stage"      // a container is being set up: a process that is neither daemon nor plugin
	phasePlugin     = "plugin"     // a plugin's process is there
	phaseRun        = "run"        // the run has its shared page
	phaseEnding     = "ending"     // and gave it back
)

func phasesOf(form string) []string {
	switch form {
	case "alone":
		return []string{phaseStart, phaseFolder, phaseNamespaces, phaseContainers, phaseStage, phaseRun, phaseRun,
			phaseRun, phaseEnding}
	case "deployed":
		return []string{phaseStart, phaseRun, phaseRun, phaseRun, phaseEnding}
	case "deploy":
		return []string{phaseStart, phaseFolder, phaseNamespaces, phaseContainers, phaseStage}
	case muteForm:
		return []string{phasePlugin}
	case "mem":
		return []string{phaseStart, phasePlugin, phasePlugin}
	}
	return []string{phaseStart}
}

// look is the interval at which the state is checked.
const look = 300 * time.Microsecond

// await returns once the moment of the case has come, and reports whether the
// command was still there.
func (b *bed) await(command *job) bool {
	for ; !b.reached(b.Phase); time.Sleep(look) {
		if command.over() || b.isStopped() {
			return false
		}
	}
	select {
	case <-command.ended:
		return false
	case <-b.stopped:
		return false
	case <-time.After(b.Delay):
		return true
	}
}

// isStopped reports whether the nemesis itself was interrupted.
func (b *bed) isStopped() bool {
	select {
	case <-b.stopped:
		return true
	default:
		return false
	}
}

func (b *bed) reached(phase string) bool {
	exists := func(parts ...string) bool {
		found, _ := filepath.Glob(filepath.Join(append([]string{b.testbed()}, parts...)...))
		return len(found) > 0
	}
	switch phase {
	case phaseFolder:
		return exists()
	case phaseNamespaces:
		return exists("net", "*")
	case phaseContainers:
		return exists("containers", "*", "container.json")
	case phaseStage:
		return len(b.stages()) > 0
	case phasePlugin:
		return len(b.plugins()) > 0
	case phaseRun:
		return exists("run.json")
	case phaseEnding:
		b.ran = b.ran || exists("run.json")
		return b.ran && !exists("run.json")
	}
	return true
}

// testbed is the folder of the case's testbed, or a pattern of it while it has no name.
func (b *bed) testbed() string {
	if b.name != "" {
		return filepath.Join(b.state, b.name)
	}
	entries, _ := os.ReadDir(b.state)
	for _, e := range entries {
		return filepath.Join(b.state, e.Name())
	}
	return filepath.Join(b.state, "none")
}
