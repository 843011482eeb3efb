package veth_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

// TestMain makes the test binary set up containers and be the daemons in them. specs/veth holds that a run on a testbed
// equals the run in memory.
func TestMain(m *testing.M) {
	container.Init()
	daemon.Become(daemon.Host{Builtin: shipped.Find, Start: process.Run})
	os.Exit(m.Run())
}

// plans returns the plans of a scenario of the specs, with some keys changed.
func plans(t *testing.T, file string, sets map[string]string) []*plan.Plan {
	t.Helper()
	s, err := scenario.Load(filepath.Join("../../../specs/scenarios", file), model.Checker(shipped.Find),
		scenario.WithOverrides(sets))
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return list
}
