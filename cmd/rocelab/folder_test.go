package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// summaryOf has the part of a run's summary, in a file of a run folder or in run's output, that tests here look at.
type summaryOf struct {
	Variant, Trace string
	Seed           uint64
	Overrides      map[string]string
}

func readSummary(t *testing.T, file string) (s summaryOf) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What flags changed is in every output, and the folder's resolved.yaml gives the same
// run without them.
func TestOverridesAreKept(t *testing.T) {
	s := newShell(t)
	args := []string{"run", "incast.yaml", "--set", "switch.ecn.kmin=30KB", "--set", "traffic.size=100KB", "--seed", "5",
		"--variant", "dcqcn"}
	s.run(0, append(args, "--out", "given")...)
	want := map[string]string{"switch.ecn.kmin": "30KB", "traffic.size": "100KB", "seed": "5"}
	first := readSummary(t, "given/dcqcn/summary.json")
	for what, got := range map[string]map[string]string{
		"summary.json":  first.Overrides,
		"manifest.json": readSummary(t, "given/manifest.json").Overrides,
	} {
		t.Run(what, func(t *testing.T) {
			if len(got) != len(want) || got["switch.ecn.kmin"] != "30KB" || got["traffic.size"] != "100KB" ||
				got["seed"] != "5" {
				t.Errorf("%s has %v, want %v", what, got, want)
			}
		})
	}
	s.run(0, append(args, "--no-folder", "--format", "json")...)
	var report struct {
		Overrides map[string]string
		Runs      []summaryOf
	}
	if err := json.Unmarshal([]byte(s.stdout), &report); err != nil || len(report.Overrides) != len(want) ||
		len(report.Runs[0].Overrides) != len(want) || report.Overrides["traffic.size"] != "100KB" {
		t.Errorf("%v, %+v", err, report)
	}
	s.run(0, append(args, "--no-folder", "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(s.stdout)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v, %v", err, rows)
	}
	for column, value := range map[string]string{"seed": "5", "set.switch.ecn.kmin": "30KB", "set.traffic.size": "100KB"} {
		t.Run(column, func(t *testing.T) {
			if i := slices.Index(rows[0], column); i < 0 || rows[1][i] != value {
				t.Errorf("column %s: %v", column, rows)
			}
		})
	}
	if slices.Contains(rows[0], "set.seed") {
		t.Error("the seed has two columns")
	}

	s.run(0, "run", "given/scenario.yaml", "--variant", "dcqcn", "--out", "plain")
	s.run(0, "run", "given/resolved.yaml", "--variant", "dcqcn", "--out", "again")
	plain, again := readSummary(t, "plain/dcqcn/summary.json"), readSummary(t, "again/dcqcn/summary.json")
	if again.Trace != first.Trace || again.Seed != 5 || len(again.Overrides) != 0 || plain.Trace == first.Trace {
		t.Errorf("given %+v, again %+v, without overrides %+v", first, again, plain)
	}
	source, err1 := os.ReadFile("incast.yaml")
	resolved, err2 := os.ReadFile("plain/resolved.yaml")
	if err1 != nil || err2 != nil || len(resolved) == 0 || string(resolved) != string(source) {
		t.Errorf("without overrides: %v, %v, %q", err1, err2, resolved)
	}
}

// Files of several runs can be joined by their first columns, wherever they are.
func TestFilesOfSeveralRunsAreJoined(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--seeds", "3,4", "--variant", "fixed", "--out", "several")
	s.run(0, "run", "incast.yaml", "--variant", "fixed", "--out", "one")
	for file, want := range map[string]string{
		"several/fixed/seed-3/flows.csv": "fixed,3,incast/h0-h4,",
		"several/fixed/seed-4/flows.csv": "fixed,4,incast/h0-h4,",
		"one/fixed/flows.csv":            "fixed,1,incast/h0-h4,",
	} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil || !strings.HasPrefix(string(text), "variant,seed,flow,group,algorithm,from,to,") ||
				!strings.Contains(string(text), "\n"+want) {
				t.Errorf("%s: %v, no %q in\n%s", file, err, want, text)
			}
		})
	}
}

// The next run of a scenario names the folder that a killed one left, and advises what to do with it.
func TestKilledRunIsNamed(t *testing.T) {
	s := newShell(t)
	left := filepath.Join("rocelab-runs", "incast-1.part")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(left, "UNFINISHED.md"), "")
	s.run(0, "run", "incast.yaml", "--variant", "fixed")
	s.says(s.stderr, "rocelab: a run that was killed left "+left+": folders of variants with a summary.json are "+
		"complete, and the rest may be deleted\n")
	s.says(s.stdout, "incast-2")
	s.run(0, "run", "incast.yaml", "--variant", "fixed", "--out", strings.TrimSuffix(left, ".part"))
	s.says(s.stderr, "incast-1.part of a run that was killed is replaced\n")
}

// The stack of a program that panics is in the run folder, and the message names the place; without a folder it
// explains how to see the stack.
func TestStackOfAPluginIsKept(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"testbed/mem/testdata/crashing"}); err != nil {
		t.Fatal(err)
	}
	stack := regexp.MustCompile(`(?s)panic: the \w+ gives up.*goroutine \d+ .*main\.go:\d+`)
	crash := []string{"run", "incast.yaml", "--plugin-dir", folder, "--algorithm", "fixed,crashing"}
	s := newShell(t)
	s.run(5, append(crash, "--out", "out")...)
	file := filepath.Join("out", "plugins", "crashing.log")
	s.says(s.stderr, "; its output, including the stack, is in "+file+"\n")
	if text, err := os.ReadFile(file); err != nil || !stack.Match(text) {
		t.Errorf("%v: no stack in %q", err, text)
	}
	if readSummary(t, "out/fixed/summary.json").Variant != "fixed" || exists("out/crashing/summary.json") {
		t.Error("the folder has not the run before alone")
	}
	s.says(s.stdout, "run folder: out\n")
	s.run(5, append(crash, "--no-folder")...)
	s.says(s.stderr, "; --plugin-logs FOLDER keeps its whole output, including the stack\n")
	s.run(5, append(crash, "--no-folder", "--plugin-logs", "new/logs")...)
	if text, err := os.ReadFile("new/logs/crashing.log"); err != nil || !stack.Match(text) {
		t.Errorf("%v: no stack in %q", err, text)
	}
	s.run(5, "compare", "incast.yaml", "--algorithm", "dcqcn,crashing", "--plugin-dir", folder, "--seed", "1")
	s.says(s.stderr, "including the stack\n")
}
