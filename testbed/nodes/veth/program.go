package veth

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

// ownProgram is the file of the running program, which can be any daemon.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("where this program lies: %w", err)
	}
	return self, nil
}

// daemonFor returns the name of the daemon for a container's kind: containers hold the program by that name, and
// messages use it.
func daemonFor(kind string) string {
	switch kind {
	case string(plan.KindSwitch):
		return daemon.Switch
	case serverKind:
		return daemon.NIC
	case string(plan.KindWAN):
		return daemon.WAN
	}
	return daemon.Any
}

// pluginName returns the name of an algorithm's program in containers: a program that serves several learns from it
// which one is wanted.
func pluginName(algorithm string) string { return "cc-" + algorithm }
