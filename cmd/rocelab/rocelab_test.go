package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
)

const incast = `name: incast
topology: {kind: star, hosts: 5, rate: 100Gbps, latency: 1us}
traffic:
  - {name: incast, kind: incast, senders: 4, size: 200KB, algorithm: dcqcn}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
expect: {congestion: required, checks: ["drops == 0"]}
variants:
  - {name: dcqcn, algorithm: dcqcn}
  - {name: fixed, algorithm: fixed}
`

// shell runs command lines in an empty folder.
type shell struct {
	t              *testing.T
	ctx            context.Context
	stdout, stderr string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("COLUMNS", "") // the page of a pipe is the same everywhere
	s := &shell{t: t, ctx: context.Background()}
	s.write("incast.yaml", incast)
	return s
}

func (s *shell) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// run expects an exit code of a command line.
func (s *shell) run(want int, args ...string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	got := execute(s.ctx, args, &stdout, &stderr)
	s.stdout, s.stderr = stdout.String(), stderr.String()
	if got != want {
		s.t.Errorf("rocelab %s: exit code %d, want %d; stderr: %s", strings.Join(args, " "), got, want, s.stderr)
	}
}

func (s *shell) says(where, words string) {
	s.t.Helper()
	if !strings.Contains(where, words) {
		s.t.Errorf("no %q in\n%s", words, where)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func TestRunSaysTheVerdictAndWritesTheFolder(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml")
	if !strings.HasPrefix(s.stdout, "PASS        dcqcn: 4 of 4 flows completed\nPASS        fixed: ") {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "fixed made no decision, although there was congestion")
	s.says(s.stdout, "run folder: "+filepath.Join("rocelab-runs", "incast-1"))
	if s.stderr != "" {
		t.Errorf("stderr %q", s.stderr)
	}
	for _, name := range []string{"manifest.json", "scenario.yaml", "columns.md", "dcqcn/flows.csv",
		"fixed/summary.json"} {
		t.Run(name, func(t *testing.T) {
			if !exists(filepath.Join("rocelab-runs", "incast-1", name)) {
				t.Errorf("no %s", name)
			}
		})
	}
	s.run(0, "run", "incast.yaml", "--variant", "fixed")
	s.says(s.stdout, "incast-2")
}

// Two runs with one seed give the same files, with any number of workers and with the codec, except for the facts of
// the host.
func TestSameSeedSameFiles(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--record-interval", "10us", "--out", "a", "--workers", "1")
	s.run(0, "run", "incast.yaml", "--record-interval", "10us", "--out", "b", "--workers", "2", "--codec")
	s.run(0, "run", "incast.yaml", "--record-interval", "10us", "--out", "c", "--seed", "2")
	below, err := filepath.Glob("a/*/*")
	top, err2 := filepath.Glob("a/*.*")
	if errors.Join(err, err2) != nil || len(below) != 29 || len(top) != 6 {
		t.Fatalf("%d files and %d, %v, %v", len(below), len(top), err, err2)
	}
	for _, folder := range []string{"a", "b", "c"} {
		t.Run(folder, func(t *testing.T) {
			if err := result.Check(os.DirFS(folder)); err != nil {
				t.Error(err)
			}
		})
	}
	files := slices.DeleteFunc(append(below, top...), func(name string) bool { return name == "a/host.json" })
	differ := 0
	for _, a := range files {
		read := func(dir string) string {
			b, err := os.ReadFile(dir + strings.TrimPrefix(a, "a"))
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		if read("a") != read("b") {
			t.Errorf("%s differs", a)
		}
		if read("a") != read("c") {
			differ++
		}
	}
	if differ == 0 {
		t.Error("another seed gave the same files")
	}
}

func TestSeedsAndFormats(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--seeds", "1-2,7", "--no-folder", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(s.stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows[1:] {
		got = append(got, r[1]+r[3])
	}
	if strings.Join(got, " ") != "dcqcn1 fixed1 dcqcn2 fixed2 dcqcn7 fixed7" {
		t.Error(got)
	}
	if exists("rocelab-runs") {
		t.Error("a folder was written")
	}
	s.run(0, "run", "incast.yaml", "--seeds", "3-4", "--no-folder")
	s.says(s.stdout, "2 seeds: median [least..largest]")
	s.run(0, "run", "incast.yaml", "--no-folder", "--format", "json")
	var report struct{ Runs []struct{ Verdict string } }
	if err := json.Unmarshal([]byte(s.stdout), &report); err != nil || len(report.Runs) != 2 ||
		report.Runs[0].Verdict != "pass" {
		t.Errorf("%v, %s", err, s.stdout)
	}
}

func TestAlgorithmTakesThePlaceOfVariants(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--no-folder", "--algorithm", "pc4", "--algorithm", "fixed")
	if !strings.HasPrefix(s.stdout, "PASS        pc4: ") || strings.Contains(s.stdout, "dcqcn") {
		t.Error(s.stdout)
	}
	s.run(2, "run", "incast.yaml", "--no-folder", "--algorithm", "cubic")
	s.says(s.stderr, `rocelab: there is no algorithm "cubic": there are dcqcn, `)
}

func TestExitCodes(t *testing.T) {
	s := newShell(t)
	s.run(1, "run", "incast.yaml", "--no-folder", "--variant", "dcqcn", "--set", `expect.checks=["fct_max_us < 1"]`)
	if !strings.HasPrefix(s.stdout, "FAILED      dcqcn: 4 of 4 flows completed; fct_max_us < 1") {
		t.Error(s.stdout)
	}
	s.run(3, "run", "incast.yaml", "--no-folder", "--variant", "dcqcn", "--set", "traffic.senders=1")
	if !strings.HasPrefix(s.stdout, "VOID        dcqcn: ") {
		t.Error(s.stdout)
	}
	for _, c := range []struct {
		args, words string
	}{
		{"run", "rocelab: run needs one scenario file and got 0 (see rocelab run --help)"},
		{"run nowhere.yaml", "nowhere.yaml: no such file"},
		{"run incast.yaml --fast", "unknown flag: --fast (see rocelab run --help)"},
		{"run incast.yaml --format xml", `"xml" is not a format`},
		{"run incast.yaml --progress loud", "allowed are auto, plain, none"},
		{"run incast.yaml --workers -1", "--workers -1"},
		{"run incast.yaml --seeds 5-1", `--seeds "5-1"`},
		{"run incast.yaml --seeds 1,1", `--seeds "1,1": 1 is given twice`},
		{"run incast.yaml --seeds 7,1-9", `--seeds "7,1-9": 7 is given twice`},
		{"run incast.yaml --capture h0 --capture s0:1 --capture h0:0", `capture "h0:0": port h0:0 is captured twice`},
		{"run incast.yaml --seeds 1-5 --seed 1", "exclude each other"},
		{"run incast.yaml --no-folder --out x", "exclude each other"},
		{"run incast.yaml --on cloud", "allowed are mem, veth, live"},
		{"run incast.yaml --testbed x", "--testbed needs --on veth or live"},
		{"run incast.yaml --daemons pool", "--daemons needs --on veth or live"},
		{"run incast.yaml --dilate 10", "--dilate needs --on live"},
		{"run incast.yaml --on veth --dilate 10", "--dilate needs --on live"},
		{"run incast.yaml --realtime", "--realtime needs --on live"},
		{"run incast.yaml --on veth --realtime", "--realtime needs --on live"},
		{"bench --on veth --realtime", "--realtime needs --on live"},
		{"bench incast --realtime", "--realtime needs --on live"},
		{"bench --count", "--count goes with --against PROGRAM"},
		{"bench --against nowhere/rocelab", "--against nowhere/rocelab: no such file or directory: allowed is the path of"},
		{"bench --against nowhere hpc9", "no case of --against is called hpc9: there are incast/dcqcn, incast/pc4, "},
		{"bench --against nowhere --runs 3", "--runs 3: allowed with --against are 7 and above, and fewer for cases that"},
		{"bench --against nowhere --on veth", "--against goes with --on mem, not with veth"},
		{"bench --against nowhere --no-record", "--against and --no-record do not go together"},
		{"bench --against nowhere --count --runs 7", "--count and --runs do not go together"},
		{"run incast.yaml --on live --dilate 0", "allowed are whole numbers from 1 to 1000000"},
		{"run incast.yaml --on live --dilate -3", "allowed are whole numbers from 1 to 1000000"},
		{"run incast.yaml --on live --dilate 1.5", "allowed are whole numbers from 1 to 1000000"},
		{"run incast.yaml --on live --dilate 10ms", "allowed are whole numbers from 1 to 1000000"},
		{"run incast.yaml --on live --dilate 1000001", "allowed are whole numbers from 1 to 1000000"},
		{"run incast.yaml --on live --workers 2", "--workers and --codec need --on mem"},
		{"run incast.yaml --on live --event-log all", "--event-log needs --on mem: on live"},
		{"run incast.yaml --on live --testbed x --runtime runc", "--runtime goes with a new testbed"},
		{"run incast.yaml --on veth --workers 2", "--workers and --codec need --on mem"},
		{"run incast.yaml --on veth --runtime docker",
			`--runtime: "docker" is not a container runtime: allowed are auto, runc, builtin`},
		{"run incast.yaml --on veth --testbed x --runtime runc", "--runtime goes with a new testbed"},
		{"run incast.yaml --no-folder --capture s0:1", "there is none"},
		{"run incast.yaml --variant pc5", `incast has no variant "pc5": it has dcqcn, fixed`},
		{"run incast.yaml --variant dcqcn --algorithm pc4", "write --set algorithm=pc4 to keep them"},
		{"run incast.yaml --set buffer", "write path=value"},
		{"run incast.yaml --set expect.checks=[\"speed<1\"]", `there is no metric "speed"`},
		{"run bad.yaml", "bad.yaml:2:1: "},
		{"validate bad.yaml", "bad.yaml:2:1: "},
		{"validate incast.yaml --format jsonl", `"jsonl" is not a format: allowed are table, json, csv, markdown, html`},
		{"algorithm show cubic", `there is no algorithm "cubic"`},
		{"dance", `there is no command "dance" (see rocelab --help)`},
		{"rum", `there is no command "rum" (did you mean rocelab run?)`},
		{"incast.yaml", "did you mean rocelab run incast.yaml?"},
		{"run incast.yaml --capture s7:1", `there is no node "s7": switches are s0, NICs h0 to h4`},
		{"bench nothing", "no benchmark is called nothing: there are incast/dcqcn, incast/pc4, "},
		{"run incast.yaml --record-interval 1ps",
			"--record-interval: interval is 1ps: allowed is 100ns or more, or 0s for bins whose width doubles"},
		{"run incast.yaml --out .", "exists already"},
	} {
		t.Run(c.args, func(t *testing.T) {
			s.write("bad.yaml", "name: x\ntopologie: {kind: star}\n")
			s.run(2, strings.Fields(c.args)...)
			s.says(s.stderr, c.words)
			if strings.Contains(s.stderr, "Usage:") || s.stdout != "" ||
				!regexp.MustCompile(`^(rocelab|bad.yaml:\d+:\d+|--(set [a-z.]+|record-interval)(:\d+:\d+)?): `).
					MatchString(s.stderr) {
				t.Errorf("%s: stdout %q, stderr %q", c.args, s.stdout, s.stderr)
			}
		})
	}
	if left, _ := filepath.Glob("*.part"); len(left) > 0 || exists("rocelab-runs") {
		t.Errorf("left %v", left)
	}
	s.run(4, "run", "incast.yaml", "--out", "bad.yaml/run")
	s.says(s.stderr, "run folder cannot be written")
}

func TestInterruptedRunKeepsItsFolder(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.ctx = ctx
	s.run(130, "run", "incast.yaml", "--out", "x")
	if !strings.HasPrefix(s.stdout, "INTERRUPTED dcqcn: ") {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "\nNOT RUN     fixed\n")
	manifest, err := os.ReadFile("x/manifest.json")
	s.says(string(manifest), `"not_run": [
    "fixed"
  ]`)
	if err != nil || !strings.Contains(string(manifest), `"status": "interrupted"`) {
		t.Errorf("%v, %s", err, manifest)
	}
	s.run(130, "bench", "incast", "--runs", "1", "--workers", "1")
}

func TestCaptureIsInTheFolder(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--variant", "dcqcn", "--capture", "s0:4", "--out", "x")
	b, err := os.ReadFile("x/dcqcn/capture.pcapng")
	if err != nil || !bytes.HasPrefix(b, []byte{0x0a, 0x0d, 0x0d, 0x0a}) { // section header block
		t.Errorf("%v, %x", err, b[:min(len(b), 8)])
	}
	ofHost, _ := os.ReadFile("x/host.json")
	s.says(string(ofHost), `"name": "dcqcn/capture.pcapng"`)
	s.run(2, "run", "incast.yaml", "--capture", "s0:99", "--out", "y")
	if exists("y") || exists("y.part") {
		t.Error("a folder is left")
	}
}

func TestValidate(t *testing.T) {
	s := newShell(t)
	s.run(0, "validate", "incast.yaml")
	for _, want := range []string{"incast is valid: 2 runs\n\ndcqcn, fixed\n", "base RTT", "BDP",
		"headroom", "windows/ms"} {
		s.says(s.stdout, want)
	}
	if strings.Contains(s.stdout, "servers") {
		t.Error("servers are shown where each NIC has its own")
	}
	s.run(0, "validate", "incast.yaml", "--set", "topology.nics_per_server=2")
	s.says(s.stdout, "│ switches │ servers │ NICs │")
	s.run(0, "validate", "incast.yaml", "--set", "switch.proximal.enabled=true")
	s.says(s.stdout, "\nfixed\nwarning: proximal CNP is on, but fixed ignores CNPs: the switches' CNPs do not "+
		"slow it down\n")
	if strings.Contains(s.stdout, "dcqcn ignores CNPs") {
		t.Error("dcqcn is said to be deaf")
	}
	s.run(0, "validate", "incast.yaml", "--set", "switch.proximal.enabled=true", "--set", "switch.proximal.rate=true")
	if strings.Contains(s.stdout, "send rates in CNPs") {
		t.Error("a warning of rates to dcqcn, which knows them")
	}
	s.run(0, "validate", "incast.yaml", "--set", "switch.proximal.enabled=true", "--set", "switch.proximal.rate=true",
		"--set", "variants.dcqcn.algorithm.params.rate_in_cnp=false")
	s.says(strings.Join(strings.Fields(s.stdout), " "), "warning: switches send rates in CNPs, which dcqcn at 4 "+
		"NICs does not read")
	s.run(2, "validate", "incast.yaml", "--set", "switch.proximal.rate=true", "--set", "switch.proximal.pause=true")
	s.says(s.stderr, "use only one of the two")
	s.run(0, "validate", "incast.yaml", "--set", "topology.latency=50ns", "--format", "json")
	var reports []struct {
		Warnings []string
		Paths    []struct {
			BDP int64 `json:"bdp_bytes"`
		}
	}
	if err := json.Unmarshal([]byte(s.stdout), &reports); err != nil || len(reports) != 2 ||
		len(reports[0].Warnings) != 1 || reports[0].Paths[0].BDP == 0 {
		t.Errorf("%v, %s", err, s.stdout)
	}
}

func TestSmallCommands(t *testing.T) {
	s := newShell(t)
	s.run(0, "schema")
	if !json.Valid([]byte(s.stdout)) {
		t.Error("the schema is no JSON")
	}
	s.run(0, "algorithm", "list")
	s.says(s.stdout, "dcqcn")
	s.run(0, "algorithm", "show", "pc4")
	s.says(s.stdout, "zero_reading: robust | literal; default robust\n    ")
	for line := range strings.Lines(s.stdout) {
		if len(line) > 81 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
	s.run(0, "algorithm", "list", "--format", "json")
	var list []algorithmJSON
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || !slices.ContainsFunc(list,
		func(a algorithmJSON) bool { return a.Name == "dcqcn" && len(a.Params) > 5 }) {
		t.Errorf("%v, %s", err, s.stdout)
	}
	s.run(0, "metrics")
	s.says(s.stdout, "slowdown_p99")
	s.run(0, "version", "--modules")
	s.says(s.stdout, "rocelab ")
	s.run(0, "completion", "bash")
	s.says(s.stdout, "__start_rocelab")
	s.run(0, "help", "exit-codes")
	s.says(s.stdout, "130  interrupted")
	s.run(0)
	s.says(s.stdout, "rocelab algorithm new mine")
}

func TestProgressOnRequest(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--no-folder", "--progress", "plain")
	if s.stdout == "" || strings.Contains(s.stdout, "simulated") {
		t.Error(s.stdout)
	}
}
