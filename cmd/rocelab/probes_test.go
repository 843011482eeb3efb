//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/registry"
)

// Where a host has no room for the container in which a program is asked, the scenario
// is not at fault, although its reader says so.
func TestAHostThatCannotAskIsNotWrongUsage(t *testing.T) {
	lacked := errors.New("start container probe-1: no space left")
	f := &pluginFlags{opened: registry.New(registry.Config{})}
	f.starting.probes.lacked = lacked
	if code := exitCode(f.withCause(fmt.Errorf("a.yaml:5:12: %s", lacked))); code != result.ExitHost {
		t.Errorf("exit code %d", code)
	}
	if code := exitCode(f.withCause(errors.New("a.yaml:1:1: unknown key"))); code != result.ExitUsage {
		t.Errorf("another error: exit code %d", code)
	}
	if err := f.withCause(nil); err != nil {
		t.Error(err)
	}
}
