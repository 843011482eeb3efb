//go:build linux && !mem

package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

func TestDoctor(t *testing.T) {
	want, verdict := 0, "this host can carry the testbed\n"
	if doctor.Required() != nil {
		want, verdict = 4, "this host cannot carry the testbed; it lacks: "
	}
	s := newShell(t)
	s.run(want, "doctor")
	if !strings.HasPrefix(s.stdout, verdict) {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "namespaces")
	s.run(want, "doctor", "--format", "json")
	var list []struct{ Name, Status string }
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || len(list) < 10 || list[0].Name != "Linux" ||
		list[0].Status != "ok" {
		t.Errorf("%v, %s", err, s.stdout)
	}
	s.run(2, "doctor", "--format", "xml")
	s.run(2, "doctor", "nowhere.yaml")
}

func TestDoctorReckonsWhatAScenarioTakes(t *testing.T) {
	newShell(t)
	need := func(sets ...string) (doctor.Footprint, error) {
		f := &scenarioFlags{sets: sets}
		f.plugins.mode = "builtin"
		f.source.command = &cobra.Command{}
		f.source.command.SetContext(t.Context())
		return f.need("incast.yaml")
	}
	small, err1 := need()
	large, err2 := need("topology.hosts=300")
	slow, err3 := need("topology.latency=5us") // longer windows, longer rings
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if small.Nodes != 6 || large.Nodes != 301 || large.Memory < 40*small.Memory || slow.Memory <= small.Memory ||
		large.Descriptors <= small.Descriptors+600 {
		t.Errorf("small %+v, large %+v, slow %+v", small, large, slow)
	}
}

func TestDoctorPrintsVerdictAndRemedies(t *testing.T) {
	var b strings.Builder
	err := findingsDocument(
		[]doctor.Finding{{Name: "veth", Status: doctor.Missing, Detail: strings.Repeat("none at all ", 6),
			Remedy: "modprobe veth"},
			{Name: "runc", Status: doctor.OptionalMissing, Detail: "x", Remedy: "y"}}).
		Print(&b, page.FormatTable, page.Page{Width: 80})
	want := "this host cannot carry the testbed; it lacks: veth\n"
	if err != nil || !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), "│ remedy: modprobe veth ") {
		t.Errorf("%v\n%s", err, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len([]rune(line)) > 81 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
}
