package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// comparisonJSON has the parts of compare --format json that tests read.
type comparisonJSON struct {
	Scenario   string
	Seeds      []uint64
	Algorithms []struct {
		Entry, Algorithm, Program string
		Runs                      []struct {
			Seed           uint64
			Verdict, Trace string
		}
	}
}

func (s *shell) compared(args ...string) (c comparisonJSON) {
	s.t.Helper()
	s.run(0, append([]string{"compare", "incast.yaml", "--format", "json"}, args...)...)
	if err := json.Unmarshal([]byte(s.stdout), &c); err != nil {
		s.t.Fatalf("%v: %s", err, s.stdout)
	}
	return c
}

// A comparison's runs are those of run, by their traces: the algorithm takes
// the place of the variants and of the traffic's own.
func TestCompareRunsWhatRunRuns(t *testing.T) {
	s := newShell(t)
	got := s.compared("--algorithm", "pc4,dcqcn:set=paper", "--seeds", "1-2")
	if got.Scenario != "incast" || len(got.Seeds) != 2 || len(got.Algorithms) != 2 ||
		got.Algorithms[1].Algorithm != "dcqcn" {
		t.Fatalf("%+v", got)
	}
	var traces []string
	for _, seed := range []string{"1", "2"} {
		for _, set := range []string{"algorithm={name: pc4}", "algorithm={name: dcqcn, params: {set: paper}}"} {
			s.run(0, "run", "incast.yaml", "--no-folder", "--seed", seed, "--set", "variants=[{name: x}]", "--set", set,
				"--format", "json")
			var r struct{ Runs []struct{ Trace string } }
			if err := json.Unmarshal([]byte(s.stdout), &r); err != nil || len(r.Runs) != 1 {
				t.Fatal(err, s.stdout)
			}
			traces = append(traces, r.Runs[0].Trace)
		}
	}
	for i, want := range traces {
		a := got.Algorithms[i%2]
		if run := a.Runs[i/2]; run.Trace != want || run.Verdict != "pass" {
			t.Errorf("%s seed %d: %+v, want trace %s", a.Entry, run.Seed, run, want)
		}
	}
	if traces[0] == traces[1] || traces[0] == traces[2] {
		t.Error("traces of different runs agree")
	}
}

func TestCompareTakesVariantsAndSets(t *testing.T) {
	s := newShell(t)
	s.write("incast.yaml", strings.Replace(incast, "{name: dcqcn, algorithm: dcqcn}",
		"{name: late, algorithm: fixed, switch: {ecn: {kmin: 200KB, kmax: 400KB}}}", 1)+
		"algorithms: {careful: {name: dcqcn, params: {rpg_gd: 5}}}\n")
	base := s.compared("--algorithm", "dcqcn,careful", "--seeds", "1")
	late := s.compared("--algorithm", "dcqcn", "--seeds", "1", "--variant", "late")
	if base.Algorithms[0].Runs[0].Trace == late.Algorithms[0].Runs[0].Trace {
		t.Error("the variant changes nothing")
	}
	if a := base.Algorithms[1]; a.Entry != "careful" || a.Algorithm != "dcqcn" ||
		a.Runs[0].Trace == base.Algorithms[0].Runs[0].Trace {
		t.Errorf("%+v", base.Algorithms)
	}
	s.run(0, "compare", "incast.yaml", "--algorithm", "dcqcn", "--seeds", "1", "--variant", "late",
		"--metrics", "marks,jain")
	s.says(s.stdout, "incast, variant late, seed 1: median")
	if strings.Contains(s.stdout, "fct_mean_us") {
		t.Error(s.stdout)
	}
}

// A program is named by its path, whatever its file is called and whichever algorithm has that name; its runs are those
// of the built-in form.
func TestComparePrograms(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn")
	s := newShell(t)
	if err := os.Rename(filepath.Join(dir, "cc-dcqcn"), "mine"); err != nil {
		t.Fatal(err)
	}
	got := s.compared("--algorithm", "dcqcn:rpg_gd=5,./mine:rpg_gd=5", "--seeds", "1-2")
	here, _ := filepath.Abs("mine")
	if a := got.Algorithms[1]; a.Entry != "./mine:rpg_gd=5" || a.Algorithm != "dcqcn" || a.Program != here {
		t.Errorf("%+v", a)
	}
	for i := range 2 {
		if a, b := got.Algorithms[0].Runs[i].Trace, got.Algorithms[1].Runs[i].Trace; a != b {
			t.Errorf("seed %d: trace %s built in, %s as a program", i+1, a, b)
		}
	}
	s.run(0, "compare", "incast.yaml", "--algorithm", "./mine,dcqcn", "--seeds", "1", "--run-as", "builtin")
	s.says(s.stdout, "dcqcn / ./mine")
}

func TestCompareExitCodes(t *testing.T) {
	s := newShell(t)
	s.run(0, "compare", "incast.yaml", "--algorithm", "dcqcn", "--seeds", "1", "--set",
		`expect.checks=["fct_max_us < 1"]`)
	s.says(s.stdout, "note        dcqcn seed 1: not as the scenario expects: fct_max_us < 1")
	s.run(1, "compare", "incast.yaml", "--algorithm", "dcqcn", "--seeds", "1", "--set", "run.limit=30us")
	s.run(3, "compare", "incast.yaml", "--algorithm", "dcqcn", "--seeds", "1", "--set", "traffic.senders=1")
	s.write("bad.reference.yaml", "source: x\nvalues: {pc4: {speed: 1}}\n")
	for _, c := range []struct{ args, words string }{
		{"", "--algorithm: name the algorithms to compare"},
		{"--algorithm pc4,pc4", "--algorithm: algorithm pc4 is given twice"},
		{"--algorithm pc4,cubic", `there is no algorithm "cubic": there are `},
		{"--algorithm dcqcn:speed=1", "algorithm dcqcn:speed=1: parameter speed: dcqcn has no such parameter"},
		{"--algorithm dcqcn:rpg_gd=x", "algorithm dcqcn:rpg_gd=x: parameter rpg_gd: "},
		{"--algorithm dcqcn:", "no parameters after the colon"},
		{"--algorithm pc4 --seeds 5-1", `--seeds "5-1"`},
		{"--algorithm pc4 --seeds=", `--seeds "": allowed are`},
		{"--algorithm pc4 --jobs -1", "--jobs -1: allowed are 0 and above"},
		{"--algorithm pc4 --format xml", `"xml" is not a format: allowed are table, json, csv, markdown, html`},
		{"--algorithm pc4 --metrics speed", `--metrics: there is no metric "speed"`},
		{"--algorithm pc4 --variant pc5", `incast has no variant "pc5": it has dcqcn, fixed`},
		{"--algorithm pc4 --reference nowhere.yaml", "read reference: open nowhere.yaml"},
		{"--algorithm pc4 --reference bad.reference.yaml",
			`bad.reference.yaml:2:16: there is no metric "speed"`},
		{"--algorithm pc4 --progress loud", "allowed are auto, plain, none"},
		{"--algorithm pc4 --set switch", "write path=value"},
		{"--algorithm pc4 --set traffic.incast.algorithm=fixed", "--set gives flow "},
		{"--algorithm pc4 --run-as both", "both"},
		{"--algorithm pc4 --plugin-dir nowhere", "nowhere"},
	} {
		t.Run(fmt.Sprintf("args=%q", c.args), func(t *testing.T) {
			s.run(2, append([]string{"compare", "incast.yaml"}, strings.Fields(c.args)...)...)
			s.says(s.stderr, c.words)
			if s.stdout != "" {
				t.Errorf("%s: stdout %s", c.args, s.stdout)
			}
		})
	}
	s.write("bad.yaml", "topologie: {kind: star}\n")
	s.run(2, "compare", "bad.yaml", "--algorithm", "cubic")
	s.says(s.stderr, "bad.yaml:1:1: ")
	s.run(2, "compare", "nowhere.yaml", "--algorithm", "pc4")
	s.says(s.stderr, "read scenario: open nowhere.yaml")

	s.write("hello", "#!/bin/sh\necho hello\n")
	if err := os.Chmod("hello", 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(5, "compare", "incast.yaml", "--algorithm", "./hello")
	s.says(s.stderr, "hello: is not a plugin")
	s.run(2, "compare", "incast.yaml", "--algorithm", "./nowhere")
	s.says(s.stderr, "rocelab: --algorithm ./nowhere: there is no such file")
}

// An algorithm that crashes ends the comparison; earlier runs are reported.
func TestCompareCrash(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"testbed/mem/testdata/crashing"}); err != nil {
		t.Fatal(err)
	}
	crashing := filepath.Join(folder, "crashing")
	s := newShell(t)
	s.run(5, "compare", "incast.yaml", "--algorithm", "dcqcn,"+crashing, "--seeds", "1-2", "--jobs", "1")
	s.says(s.stderr, "crashing seed 1: ")
	s.says(s.stderr, "the sender gives up")
	s.says(s.stdout, "PASS        dcqcn: 1 of 1 runs pass\nNOT RUN     "+crashing+" seed 1, dcqcn seed 2")
}

func TestCompareInterrupted(t *testing.T) {
	s := newShell(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.ctx = ctx
	s.run(130, "compare", "incast.yaml", "--algorithm", "dcqcn")
	s.says(s.stderr, "rocelab: interrupted")
}

// compare and the page of a run folder give one interval for one metric of the same runs, digit for digit: both ask
// look/compare. The page has what summary.json has, rounded, compare the runs themselves. Tier: everyday, a second.
func TestCompareAndReportAgree(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("six.yaml", `
name: six
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, size: 300KB}]
record: {interval: 0us}
variants:
  - {name: pc4, algorithm: pc4}
  - {name: dcqcn, algorithm: dcqcn}
`)
	s.run(0, "run", "six.yaml", "--seeds", "1-6", "--out", "six")
	page, err := os.ReadFile(filepath.Join("six", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	s.run(0, "compare", "six.yaml", "--algorithm", "pc4,dcqcn", "--seeds", "1-6", "--format", "markdown")
	interval := regexp.MustCompile(`\[[0-9.e+-]+\.\.[0-9.e+-]+\]`)
	agree := 0
	for metric, label := range map[string]string{
		"slowdown_p99":     "slowdown, p99",
		"queueing_mean_us": "wait in queues, mean",
		"goodput_gbps":     "goodput",
		"rtt_p99_us":       "round-trip time, p99",
	} {
		ofPage := regexp.MustCompile(label + ` of dcqcn: \S+ (\S+)\.[ <]`).FindSubmatch(page)
		if ofPage == nil || !interval.Match(ofPage[1]) {
			continue // not measured
		}
		line := regexp.MustCompile(`(?m)^\| ` + metric + ` \|[^\n]*(sure|likely|unclear)[^\n]*$`).FindString(s.stdout)
		if got := interval.FindString(line); got != string(ofPage[1]) {
			t.Errorf("%s is %s on the page, %q in compare", metric, ofPage[1], line)
		}
		agree++
	}
	if agree < 3 {
		t.Errorf("only %d metrics have an interval on both:\n%s", agree, s.stdout)
	}
}
