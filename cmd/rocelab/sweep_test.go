package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

const sweptScenario = `name: swept
topology: {kind: star, hosts: 3}
traffic: [{name: a, kind: incast, senders: 2, size: 20KB}]
variants: [{name: one, algorithm: dcqcn}, {name: two, algorithm: pc4}]
sweep: {grid: {switch.ecn.kmin: [100KB, 200KB]}, seeds: 2}
`

// A sweep continues at the point where it was, can be extended, and its table is the same however it was made. Tier:
// -short.
func TestSweep(t *testing.T) {
	s := newShell(t)
	s.write("s.yaml", sweptScenario)
	s.run(0, "sweep", "s.yaml", "--out", "alone")
	s.says(s.stdout, "swept: 8 of 8 runs done: 8 pass")
	s.run(0, "sweep", "table", "alone", "--format", "csv")
	want := s.stdout
	if strings.Count(want, "\n") != 9 || !strings.HasPrefix(want, "run,switch.ecn.kmin,variant,seed,verdict,exit,flows,") {
		t.Fatalf("the table is %s", want)
	}
	s.run(0, "sweep", "table", "alone", "--over-seeds", "--metrics", "fct_p99_us")
	s.says(s.stdout, "Medians over seeds [95 % interval")
	s.run(2, "sweep", "table", "alone", "--over-seeds", "--with-host")
	s.says(s.stderr, "they exclude each other")
	s.run(2, "sweep", "table", "alone", "--over-seeds", "--format", "jsonl")
	s.says(s.stderr, "allowed are table, json, csv, markdown and html")

	// By flags, with other words for the same values, part by part.
	s.write("plain.yaml", strings.ReplaceAll(sweptScenario[:strings.Index(sweptScenario, "sweep:")], "20KB", "0.02MB"))
	s.run(0, "sweep", "plain.yaml", "--out", "parts", "--grid", "switch.ecn.kmin=100KB,200KB", "--seeds", "2",
		"--shard", "1/3")
	s.says(s.stdout, "3 of 3 runs done")
	s.run(0, "sweep", "table", "parts", "--format", "csv")
	s.says(s.stdout, "missing")
	for _, shard := range []string{"0/3", "2/3"} {
		s.run(0, "sweep", "parts", "--shard", shard)
	}
	s.run(0, "sweep", "table", "parts", "--format", "csv")
	if s.stdout != want {
		t.Errorf("the tables differ:\n%s\n%s", want, s.stdout)
	}
	s.run(0, "sweep", "parts/sweep.yaml", "--out", "again", "--jobs", "2", "--memory", "1GB")
	s.run(0, "sweep", "table", "again", "--format", "csv")
	if s.stdout != want {
		t.Errorf("a sweep of sweep.yaml is another:\n%s\n%s", want, s.stdout)
	}

	s.run(0, "sweep", "s.yaml", "--out", "alone", "--seeds", "3")
	s.says(s.stdout, "12 of 12 runs done")
	s.run(0, "sweep", "table", "alone", "--with-host", "--format", "jsonl")
	if strings.Count(s.stdout, `"tries":1,`) != 12 {
		t.Errorf("runs were made again:\n%s", s.stdout)
	}
	s.run(0, "sweep", "alone", "--verify", "2")
	s.says(s.stdout, "2 runs made again: 2 the same, 0 differ")
	rows, err := filepath.Glob("alone/runs/*/*/*/flows.csv")
	if err != nil || len(rows) != 12 {
		t.Fatal(err, rows)
	}
	s.write(rows[0], "x")
	s.run(3, "sweep", "alone", "--verify", "12")
	s.says(s.stdout, "12 runs made again: 11 the same, 1 differ")

	s.run(0, "sweep", "status", "alone", "--format", "json")
	s.says(s.stdout, `"done": 12`)
	s.run(0, "sweep", "report", "alone", "-o", "page.html")
	page, err := os.ReadFile("page.html")
	if err != nil || strings.Count(string(page), "<svg") != 3+1 || strings.Contains(string(page), "<script") {
		t.Errorf("%v, %d pictures", err, strings.Count(string(page), "<svg"))
	}
	s.run(0, "sweep", "plan", "s.yaml")
	s.says(s.stdout, "swept: 8 runs")
	s.says(s.stdout, "estimate from 3 runs")
	s.run(0, "sweep", "status", "alone", "--format", "markdown")
	s.says(s.stdout, "12 of 12 runs done")
}

// A plan has the formats of every table: JSON and CSV have all runs, JSON the estimate.
func TestSweepPlanFormats(t *testing.T) {
	s := newShell(t)
	s.write("s.yaml", sweptScenario)
	plan := func(format string) {
		s.run(0, "sweep", "plan", "s.yaml", "--no-sample", "--seeds", "9", "--format", format)
	}
	plan("csv")
	all := strings.Count(s.stdout, "\n") - 1
	if want := "index,id,keys.switch.ecn.kmin,variant,seed\n0,"; !strings.HasPrefix(s.stdout, want) || all <= fewRuns {
		t.Errorf("%d runs in %s, want %q", all, s.stdout, want)
	}
	plan("json")
	var document struct {
		Scenario string
		Runs     []struct{ ID, Variant string }
		Estimate *struct{}
	}
	if err := json.Unmarshal([]byte(s.stdout), &document); err != nil || document.Scenario != "swept" ||
		len(document.Runs) != all || document.Runs[0].ID == "" || document.Estimate != nil {
		t.Errorf("%v: %s", err, s.stdout)
	}
	plan("markdown")
	s.says(s.stdout, "| run | id | switch.ecn.kmin | variant | seed |")
	s.run(0, "sweep", "plan", "s.yaml", "--format", "json")
	s.says(s.stdout, `"wall_seconds": `)
}

// An impossible sweep is refused before anything runs, with the place of the fault.
func TestSweepRefuses(t *testing.T) {
	s := newShell(t)
	s.write("s.yaml", sweptScenario)
	s.write("typo.yaml", strings.Replace(sweptScenario, "switch.ecn.kmin:", "switch.ecn.kmni:", 1))
	s.write("other.yaml", strings.Replace(sweptScenario, "senders: 2", "senders: 1", 1))
	s.run(0, "sweep", "s.yaml", "--out", "there", "--variant", "one", "--seeds", "1")
	many := strings.Repeat("1KB,", 999) + "1KB"
	for _, c := range []struct{ args, says string }{
		{"typo.yaml", `typo.yaml:5:16: unknown key of ecn "kmni": did you mean "kmin"?`},
		{"s.yaml --grid switch.bufer=1MB", `--grid switch.bufer: unknown key of switch "bufer": did you mean "buffer"?`},
		{"s.yaml --grid switch.ecn.kmin=900MB", "allowed is"},
		{"s.yaml --grid switch.buffer=1KB", "(in one, switch.buffer=1KB"},
		{"s.yaml --grid switch.ecn.kmin", "write KEY=VALUE"},
		{"s.yaml --grid seed=1", "--seeds"},
		{"s.yaml --list a,b=1", "there are 2 keys"},
		{"s.yaml --draw switch.ecn.pmax=0.1..0.2", "go together"},
		{"s.yaml --draw switch.ecn.pmax=0.1 --draws 2", "is not a range"},
		{"s.yaml --draws -1", "go together"},
		{"s.yaml --variant tow", `unknown variant "tow"`},
		{"s.yaml --shard 3/3", "the last of 3 is 2/3"},
		{"s.yaml --memory much", "--memory"},
		{"s.yaml --grid switch.ecn.kmin=" + many + " --grid switch.ecn.kmax=" + many, "the sweep has 4000000 runs"},
		{"other.yaml --out there", "holds another sweep"},
		{"there --seeds 3", "has its plan already"},
		{"status nowhere", "not a folder of a sweep"},
		{"s.yaml --verify 1", "not a folder of a sweep"},
		{"table there --metrics fct", "--metrics"},
	} {
		s.run(2, append([]string{"sweep"}, strings.Fields(c.args)...)...)
		s.says(s.stderr, c.says)
	}
	if _, err := os.Stat("rocelab-sweeps"); err == nil {
		t.Error("something was begun")
	}
	s.write("there/plan.jsonl", "{}\n")
	s.run(2, "sweep", "there")
	s.says(s.stderr, "there is damaged: plan.jsonl: line 1")
}

// A parameter is one however it is written; a default that is written out is another run.
func TestSweepNamesByValue(t *testing.T) {
	s := newShell(t)
	s.write("s.yaml", strings.Replace(sweptScenario, "algorithm: dcqcn", "algorithm: {name: dcqcn, params: {g: 0.5}}", 1))
	ids := func(args ...string) string {
		s.run(0, append([]string{"sweep", "plan", "s.yaml", "--variant", "one", "--format", "jsonl"}, args...)...)
		return regexp.MustCompile(`"id":"([0-9a-f]+)"`).FindString(s.stdout)
	}
	want := ids()
	for text, same := range map[string]bool{"0.50": true, "5e-1": true, ".5": true, "0.51": false} {
		t.Run(text, func(t *testing.T) {
			s.write("s.yaml", strings.Replace(sweptScenario,
				"algorithm: dcqcn", "algorithm: {name: dcqcn, params: {g: "+text+"}}", 1))
			if got := ids(); (got == want) != same {
				t.Errorf("with g: %s the run is %s, and %s with 0.5", text, got, want)
			}
		})
	}
	s.write("s.yaml", sweptScenario)
	if ids() == want {
		t.Error("a run without the parameter has the same name")
	}
}

// Programs run in a sweep, several at a time, and give what the built-in ones do; another
// program is another run. Tier: everyday, for the build of a program.
func TestSweepOfPrograms(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn", "cc-pc4")
	s := newShell(t)
	s.write("s.yaml", sweptScenario)
	traces := func(folder string, args ...string) string {
		s.run(0, append([]string{"sweep", "s.yaml", "--out", folder, "--seeds", "1", "--jobs", "2"}, args...)...)
		s.run(0, "sweep", "table", folder, "--format", "csv", "--metrics", "fct_p99_us")
		return s.stdout
	}
	want := traces("builtin")
	if got := traces("programs", "--run-as", "process", "--plugin-dir", dir); got != want {
		t.Errorf("programs:\n%s\nbuilt in:\n%s", got, want)
	}
	manifests, err := filepath.Glob("programs/runs/*/*/manifest.json")
	if err != nil || len(manifests) != 4 {
		t.Fatal(err, manifests)
	}
	text, err := os.ReadFile(manifests[0])
	if err != nil || !strings.Contains(string(text), `"sha256"`) || !strings.Contains(string(text), "process") {
		t.Errorf("%v: no program is in %s", err, text)
	}
	s.run(0, "sweep", "programs", "--verify", "2")
	s.says(s.stdout, "2 runs made again: 2 the same, 0 differ")
	if err := os.Rename(filepath.Join(dir, "cc-dcqcn"), "mine"); err != nil {
		t.Fatal(err)
	}
	s.run(0, "sweep", "s.yaml", "--out", "path", "--seeds", "1", "--algorithm", "./mine,pc4")
	s.says(s.stdout, "4 of 4 runs done")
	program, err := os.OpenFile("mine", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = program.WriteString("another build"); err == nil {
		err = program.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	runs, err := filepath.Glob("path/runs/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if err := os.RemoveAll(run); err != nil {
			t.Fatal(err)
		}
	}
	s.run(4, "sweep", "path")
	s.says(s.stderr, "an algorithm's program")
}
