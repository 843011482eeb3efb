package main

import (
	"os"
	"strings"
	"testing"
)

// A wrong word is refused with the one that was meant, or with the way to the list of them.
func TestDidYouMean(t *testing.T) {
	s := newShell(t)
	t.Setenv("ROCELAB_RUN", t.TempDir())
	if err := os.Mkdir(os.Getenv("ROCELAB_RUN")+"/incast", 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("other.yml", incast)
	for _, c := range []struct{ args, words string }{
		{"rum", `there is no command "rum" (did you mean rocelab run?)`},
		{"dance", `there is no command "dance" (see rocelab --help)`},
		{"list", "did you mean rocelab algorithm list, rocelab metrics, or rocelab inspect for testbeds?"},
		{"scenarios", "rocelab comes with some in specs/scenarios"},
		{"graph", "rocelab report RUN... -o FILE"},
		{"testbeds", "did you mean rocelab inspect?"},
		{"incast.yaml", "did you mean rocelab run incast.yaml?"},
		{"nowhere.yml", "did you mean rocelab run nowhere.yml?"},
		{"pc4", "did you mean rocelab algorithm show pc4?"},
		{"dqccn", "did you mean rocelab algorithm show dcqcn?"},
		{"algorithm pc4", "did you mean rocelab algorithm show pc4?"},
		{"algorithm ./cc-mine", "did you mean rocelab algorithm show ./cc-mine?"},
		{"algorithm chek", "did you mean rocelab algorithm check?"},
		{"algorithm dance", "see rocelab algorithm --help"},
		{"train pidn", "did you mean pidnn?"},
		{"run incast.yaml --sedes 5", "unknown flag: --sedes (did you mean --seeds?)"},
		{"run incast.yaml -o x", "unknown shorthand flag: 'o' in -o (did you mean --out?)"},
		{"compare incast.yaml --algoritm pc4", "did you mean --algorithm?"},
		{"run incast.yaml --jobs 2", "unknown flag: --jobs (rocelab compare, rocelab reproduce, rocelab sweep, " +
			"rocelab sweep plan, rocelab sweep submit, rocelab tune, rocelab tune ecn have it; see rocelab run --help)"},
		{"run incast.yaml --fast", "unknown flag: --fast (see rocelab run --help)"},
		{"run incast.yaml --algorithm dqccn", `there is no algorithm "dqccn": did you mean dcqcn?`},
		{"compare incast.yaml --algorithm PC4", `there is no algorithm "PC4": did you mean pc4?`},
		{"algorithm show dctpc", `there is no algorithm "dctpc": did you mean dctcp?`},
		{"run incast.yaml --variant fixd", `incast has no variant "fixd": did you mean fixed?`},
		{"run incast.yaml --variant pc5", `incast has no variant "pc5": it has dcqcn, fixed`},
		{"compare incast.yaml --algorithm pc4 --variant fixd", `incast has no variant "fixd": did you mean fixed?`},
		{"deploy incast.yaml --variant fixd", `incast has no variant "fixd": did you mean fixed?`},
		{"compare incast.yaml --algorithm pc4 --metrics fct_p99", `there is no metric "fct_p99": did you mean fct_p99_us?`},
		{"run incast.yaml --set expect.checks=[\"drop==0\"]", `there is no metric "drop": did you mean drops?`},
		{"run incast.yaml --capture so:1", `there is no node "so": switches are s0, NICs h0 to h4`},
		{"run incast.yaml --capture H0", `there is no node "H0": `},
		{"run incast.yaml --set topology.hosts=101 --capture h1000", `there is no node "h1000": did you mean h100?`},
		{"run incast.yaml --event-log incast/h0-h5", `there is no such flow: did you mean incast/h0-h4?`},
		{"inspect --testbed incats", `there is no testbed "incats": did you mean incast?`},
		{"exec s0 --testbed lab2 -- true", "there is no testbed \"lab2\": `rocelab inspect` lists them"},
		{"algorithm check pc4 --check fairnes", `there is no check "fairnes": did you mean fairness?`},
		{"algorithm check other.yml", `there is no algorithm "other.yml"`},
		{"algorithm check other.yml", "; the file of that name is written ./other.yml"},
		{"compare incast.yaml --algorithm other.yml", "; the file of that name is written ./other.yml"},
		{"run incast.yaml --algorithm other.yml", "; the file of that name is written ./other.yml"},
		{"run other.yaml", "did you mean other.yml?"},
		{"run incast.yml", "did you mean incast.yaml?"},
		{"run incast", "did you mean incast.yaml?"},
		{"run incats.yaml", "did you mean incast.yaml?"},
		{"compare incast.yml --algorithm pc4", "did you mean incast.yaml?"},
		{"validate nowhere.yaml", "read scenario: open nowhere.yaml: no such file or directory\n"},
		{"run incast.yaml --set kmin=20KB", `--set kmin: unknown key of scenario "kmin": did you mean switch.ecn.kmin?`},
		{"run incast.yaml --set ecn.kmin=20KB", "did you mean switch.ecn.kmin?"},
		{"run incast.yaml --set swich.buffer=1MB", `did you mean "switch"?`},
		{"run incast.yaml --set dance=1", `unknown key of scenario "dance": allowed are`},
		{"run incast.yaml --seed 1,2", `--seed: seed: "1,2" is not a whole number`},
		{"run incast.yaml --seed 1..5", "did you mean --seeds 1..5?"},
		{"run incast.yaml --record-interval 20", "--record-interval: interval: 20 has no unit"},
		{"metrics fct", "rocelab: metrics needs flags only and got fct"},
		{"algorithm new", "rocelab: algorithm new needs NAME and got nothing"},
		{"help dance", `there is no command "dance" (see rocelab --help)`},
		{"help algorithm shw", `there is no command "shw" (did you mean rocelab algorithm show?)`},
		{"algorithm replay .", ". has no event logs, files that end in .jsonl: run --event-log FLOW writes them"},
		{"run .", ". is a folder: name a scenario in it, such as incast.yaml"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
		if s.stdout != "" {
			t.Errorf("%s: stdout %q", c.args, s.stdout)
		}
	}
}

// The error about a run folder names the file in it to run again.
func TestRunFolderIsNoScenario(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--variant", "fixed", "--out", "before")
	for _, args := range []string{"run before", "validate before", "compare before --algorithm pc4"} {
		t.Run(args, func(t *testing.T) {
			s.run(2, strings.Fields(args)...)
			if !strings.Contains(s.stderr, "before is a run folder: did you mean before/resolved.yaml?") &&
				!strings.Contains(s.stderr, "before is a run folder: did you mean before/scenario.yaml?") {
				t.Error(s.stderr)
			}
		})
	}
	s.run(2, "before")
	s.says(s.stderr, "did you mean rocelab run before")
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(2, "run", "empty")
	s.says(s.stderr, "empty is a folder without a scenario in it")
}

// A scenario may come in on stdin, and is then what the file would be.
func TestScenarioFromStdin(t *testing.T) {
	s := newShell(t)
	pipe := func(text string) {
		t.Helper()
		s.write("stdin", text)
		file, err := os.Open("stdin")
		if err != nil {
			t.Fatal(err)
		}
		before := os.Stdin
		os.Stdin = file
		t.Cleanup(func() { os.Stdin = before; file.Close() })
	}
	for _, args := range []string{"validate %", "run % --no-folder --seeds 2",
		"compare % --algorithm pc4,dcqcn --seeds 2"} {
		s.run(0, strings.Fields(strings.ReplaceAll(args, "%", "incast.yaml"))...)
		want := s.stdout
		pipe(incast)
		s.run(0, strings.Fields(strings.ReplaceAll(args, "%", "-"))...)
		if s.stdout != want {
			t.Errorf("%s from stdin prints\n%s\nand not\n%s", args, s.stdout, want)
		}
	}
	pipe(strings.Replace(incast, "name: incast\n", "", 1))
	s.run(0, "run", "-", "--variant", "fixed")
	if s.says(s.stdout, "run folder: rocelab-runs/stdin-1"); !exists("rocelab-runs/stdin-1/scenario.yaml") {
		t.Error("no scenario in the run folder")
	}
	pipe("name: x\ntopologie: {kind: star}\n")
	s.run(2, "run", "-")
	s.says(s.stderr, `<stdin>:2:1: unknown key of scenario "topologie": did you mean "topology"?`)
}
