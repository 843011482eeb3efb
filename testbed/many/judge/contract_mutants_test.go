package judge

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
)

// programMutants are programs that are wrong on purpose, each in one way: what
// they miss, what else a slow run finds them to miss, and what has no part in
// their fault.
var programMutants = []struct {
	name, fault          string
	missed, slow, passed []string
}{
	{"deaf", "ignores CNPs", []string{"reaction"}, nil,
		[]string{"handshake", "parameters", "isolation", "fuzz"}},
	{"stuck", "never raises its rate", []string{"recovery", "fairness", "latecomers"}, nil,
		[]string{"isolation", "fuzz", "reaction"}},
	{"clocked", "uses the clock", []string{"source", "repeat", "process"}, nil,
		[]string{"parameters", "fuzz"}},
	{"gossiping", "keeps state across flows", []string{"isolation"}, []string{"process", "surroundings", "build"},
		[]string{"source", "repeat", "fuzz"}},
	{"fused", "has floats that a compiler fuses", []string{"source"}, []string{"build"},
		[]string{"isolation", "fuzz", "process"}},
}

// What a program notices of where it runs is named, and nothing else. Tier: the day
// every day, the rest slow.
func TestWhatAProgramNoticesIsNamed(t *testing.T) {
	t.Setenv("LOCAL", "seen")
	path := filepath.Join(builtMutants(t), "local")
	for by, words := range map[string]string{
		"nothing":     "",
		"day":         "depend on the day and the time of day:",
		"processors":  "depend on the number of processors:",
		"environment": "depend on variables of the environment:",
		"addresses":   "addresses in memory:",
	} {
		t.Run(by, func(t *testing.T) {
			if by != "day" && !tier.RunsSlow() {
				return
			}
			if by == "processors" && runtime.NumCPU() == 1 {
				t.Log("this host has one processor")
				return
			}
			subject := program(t, path)
			subject.Given = map[string]string{"by": by}
			row := judged(t, subject, one, "handshake", "surroundings").Find("surroundings")
			if row.Result == Skipped {
				t.Skip(row.Remark)
			}
			if (row.Result == Failed) != (words != "") || !strings.Contains(row.Remark, words) {
				t.Errorf("by %s: %+v", by, row)
			}
		})
	}
}

// builtMutants is the folder of the mutants' programs.
func builtMutants(t *testing.T) string {
	t.Helper()
	tier.Everyday(t)
	folder := t.TempDir()
	args := []string{"build", "-o", folder, "./testdata/mutants/local"}
	for _, m := range programMutants {
		args = append(args, "./testdata/mutants/"+m.name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

func program(t *testing.T, path string) Subject {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s := Subject{Program: process.Program{Path: path}}
	if s.Source, err = SourceOfProgram(context.Background(), path, here); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestProgramMutantsAreCaught(t *testing.T) {
	folder := builtMutants(t)
	for _, m := range programMutants {
		t.Run(m.name, func(t *testing.T) {
			r := judged(t, program(t, filepath.Join(folder, m.name)), one, append(m.passed, m.missed...)...)
			if r.Verdict != Failed {
				t.Errorf("it %s: %s", m.fault, r.Verdict)
			}
			for _, row := range r.Checks {
				if want := slices.Contains(m.missed, row.Check); row.Result != Pass && !want || row.Result != Failed && want {
					t.Errorf("it %s: %+v", m.fault, row)
				}
			}
		})
	}
}

// A built-in form and a program that decide differently are found by the program's answers and by a run's result.
func TestFormsThatDifferAreFound(t *testing.T) {
	folder := builtMutants(t)
	a, _ := shipped.Find("dcqcn")
	deaf := process.Program{Path: filepath.Join(folder, "deaf")}
	r := judged(t, Subject{Builtin: a, Program: deaf}, one, "handshake", "process")
	for check, says := range map[string][]string{"handshake": {"rebuild it"}, "process": {"sender of flow", "; trace "}} {
		t.Run(check, func(t *testing.T) {
			for _, words := range says {
				if row := r.Find(check); row.Result != Failed || !strings.Contains(row.Remark, words) {
					t.Errorf("%+v, want %q", row, words)
				}
			}
		})
	}
}

// Mutants miss nothing that has no part in their fault. The builds differ where
// the processor has a fused multiply-add. Tier: night.
func TestProgramMutantsMissNothingElse(t *testing.T) {
	tier.Night(t)
	folder := builtMutants(t)
	for _, m := range programMutants {
		t.Run(m.name, func(t *testing.T) {
			if m.name == "clocked" { // by chance it may do well
				return
			}
			var names []string
			for _, c := range checks {
				if slices.Contains(c.Labels, Quick) && c.Name != "beside-dcqcn" && c.Name != "decision-time" {
					names = append(names, c.Name)
				}
			}
			if m.name == "fused" {
				names = []string{"build"}
			}
			for _, row := range judged(t, program(t, filepath.Join(folder, m.name)), nil, names...).Checks {
				missed := slices.Contains(m.missed, row.Check) || slices.Contains(m.slow, row.Check)
				if row.Result != Skipped && (row.Result == Failed) != missed {
					t.Errorf("%s, which %s: %+v", m.name, m.fault, row)
				}
				if m.name == "fused" && row.Result == Failed && row.Check == "build" &&
					!strings.Contains(row.Remark, "built at GOAMD64=v3") {
					t.Errorf("%+v", row)
				}
			}
		})
	}
}
