package rerun

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
)

// manifest is one of two runs of an algorithm that is a program.
func manifest() *result.Manifest {
	value := "0.2"
	runs := []result.RunID{}
	for i, folder := range []string{"a/seed-1", "a/seed-2"} {
		runs = append(runs, result.RunID{
			Variant: "a",
			Folder:  folder,
			Seed:    uint64(i + 1),
			Trace:   "1111",
			Verdict: "pass",
			Algorithms: []result.Algorithm{{
				Name:    "mine",
				Version: "1.0.0",
				Form:    result.FormProcess,
				Program: &result.Program{SHA256: "aa", Files: []result.FileSum{{Name: "m.py", SHA256: "ab"}}},
				Params:  map[string]*string{"gain": &value, "own": nil},
			}},
		})
	}
	return &result.Manifest{
		Digest: "dd",
		Build:  build.Info{ID: "one", Version: "v1", Go: "go1"},
		Models: 3,
		Runs:   runs,
		Files: []result.FileSum{
			{Name: "a/seed-1/flows.csv", SHA256: "10"},
			{Name: "a/seed-1/sub/ports.csv", SHA256: "11"},
			{Name: "a/seed-2/flows.csv", SHA256: "12"},
			{Name: "columns.md", SHA256: "13"},
		},
	}
}

// Equal results are reported as equal, and each difference is named with both values.
func TestCompare(t *testing.T) {
	other := "0.3"
	for _, c := range []struct {
		name   string
		change func(*result.Manifest)
		same   bool
		says   []string
	}{
		{"nothing", func(*result.Manifest) {}, true, []string{"f: the same: 4 files of 2 runs, to the byte\n"}},
		{"build", func(m *result.Manifest) { m.Build.ID = "two" }, true,
			[]string{"the same, by another build: 4 files of 2 runs", "  build: v1 go1 two, and was v1 go1 one\n"}},
		{"models", func(m *result.Manifest) { m.Models = 4 }, true,
			[]string{"f: the same: ", "  models: version 4, and was 3\n"}},
		{"trace", func(m *result.Manifest) { m.Runs[1].Trace = "2222" }, false,
			[]string{"f: not the same\n  a/seed-2: its trace is 2222, and was 1111\n", "Nothing that decides a run differs"}},
		{"file", func(m *result.Manifest) { m.Files[1].SHA256 = "99" }, false,
			[]string{"  a/seed-1: sub/ports.csv differs\n"}},
		{"trace and file", func(m *result.Manifest) { m.Runs[0].Trace, m.Files[0].SHA256 = "2222", "99" }, false,
			[]string{"  a/seed-1: its trace is 2222, and was 1111; flows.csv differs\n"}},
		{"file of no run", func(m *result.Manifest) { m.Files[3].SHA256 = "99" }, false,
			[]string{"  files of all runs: columns.md differs\n"}},
		{"files more and less", func(m *result.Manifest) { m.Files[0].Name = "a/seed-1/new.csv" }, false,
			[]string{"  a/seed-1: flows.csv was not made again; new.csv was not there\n"}},
		{"no such run", func(m *result.Manifest) { m.Runs, m.Files = m.Runs[:1], append(m.Files[:2:2], m.Files[3]) }, true,
			[]string{"3 files of 1 run", "not compared:\n  a/seed-2: the rerun has no such run\n"}},
		{"parameter", func(m *result.Manifest) {
			m.Runs[0].Algorithms[0].Params = map[string]*string{"gain": &other}
		}, true, []string{
			"  a/seed-1: mine has gain=0.3, and had 0.2\n",
			"mine has own=no such parameter, and had a value of its own\n",
		}},
		{"program", func(m *result.Manifest) { m.Runs[0].Algorithms[0].Program = &result.Program{SHA256: "bb"} }, true,
			[]string{"mine is another program: its SHA-256 is bb, and was aa\n", "mine has no m.py, and had\n"}},
		{"form", func(m *result.Manifest) {
			m.Runs[0].Algorithms[0].Form, m.Runs[0].Algorithms[0].Program = result.FormBuiltIn, nil
		}, true, []string{"mine is built in, and was process\n"}},
		{"version", func(m *result.Manifest) { m.Runs[0].Algorithms[0].Version = "2.0.0" }, true,
			[]string{"mine is version 2.0.0, and was 1.0.0\n"}},
		{"algorithm", func(m *result.Manifest) { m.Runs[0].Algorithms = nil }, true, []string{"mine did not run, and did\n"}},
		{"scenario", func(m *result.Manifest) { m.Digest = "ee" }, true,
			[]string{"  scenario: its SHA-256 is ee, and was dd\n"}},
		{"seed", func(m *result.Manifest) { m.Runs[0].Seed = 7 }, true, []string{"  a/seed-1: seed 7, and was 1\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := manifest()
			c.change(after)
			got := Compare(manifest(), after)
			if got.Same() != c.same {
				t.Errorf("%s: same is %v", c.name, got.Same())
			}
			for _, want := range c.says {
				if text := got.String("f"); !strings.Contains(text, want) {
					t.Errorf("%s: no %q in\n%s", c.name, want, text)
				}
			}
		})
	}
}

// A run that was interrupted is not compared, nor are its files. Nothing compared is not the same.
func TestInterruptedRunsAreNotCompared(t *testing.T) {
	before, after := manifest(), manifest()
	before.Runs[1].Verdict = "interrupted"
	after.Files[2].SHA256, after.Runs[1].Trace = "99", "2222"
	if got := Compare(before, after); !got.Same() || got.Runs != 1 || got.Files != 3 ||
		len(got.Skipped) != 1 || got.Skipped[0] != "a/seed-2: it was interrupted" {
		t.Errorf("%+v", got)
	}
	before.Runs[0].Verdict, before.Runs[0].Interrupted = "red", true
	if got := Compare(before, after); got.Same() || !strings.HasPrefix(got.String("f"), "f: nothing could be compared\n") {
		t.Errorf("%+v", got)
	}
}
