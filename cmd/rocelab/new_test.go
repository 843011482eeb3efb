package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// Each command of the six tasks is there, and so is each of the demo's end. Tier: -short. Red: with "sweep run" as
// "sweep start" in printTasks.
func TestTasksAreCommands(t *testing.T) {
	s := newShell(t)
	s.run(0)
	tasks := s.stdout
	var next strings.Builder
	if err := printNext(&next); err != nil {
		t.Fatal(err)
	}
	code := 0
	root := rootCommand(&code)
	lines := regexp.MustCompile(`rocelab ([a-z]+(?: [a-z]+)*)`).FindAllStringSubmatch(tasks+next.String(), -1)
	if len(lines) < 9 {
		t.Fatalf("%d commands in\n%s", len(lines), tasks)
	}
	for _, line := range lines[1:] { // the first is a sentence
		if found, _, err := root.Find(strings.Fields(line[1])); err != nil || found == root {
			t.Errorf("%q is not a command: %v", line[0], err)
		}
	}
	s.run(0, "--all")
	if !strings.Contains(s.stdout, "Available Commands:") {
		t.Errorf("--all prints\n%s", s.stdout)
	}
}

// The demo has three verdicts, a table and a picture, and leaves nothing behind. Tier: everyday, half a second.
func TestDemo(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.run(0, "demo")
	for _, want := range []string{"PASS        hpcc", "│ queue_max_bytes", "longest queue, from 0 to", "dcqcn |",
		"This was:"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(s.stdout, want) {
				t.Errorf("no %q in\n%s", want, s.stdout)
			}
		})
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v; want the shell's own file", left, err)
	}
}

// A new scenario runs as it is, is not written over, and wrong values are named. Tier: -short. Red: without O_EXCL's
// question in newCommand, the second call succeeds.
func TestNewScenario(t *testing.T) {
	s := newShell(t)
	s.run(0, "new", "mine", "--hosts", "4", "--rate", "100Gbps", "--algorithm", "dcqcn", "--length", "100us")
	s.run(0, "run", "mine.yaml", "--no-folder")
	s.run(2, "new", "mine")
	if !strings.Contains(s.stderr, "mine.yaml exists already") {
		t.Errorf("stderr is %s", s.stderr)
	}
	for want, flags := range map[string][]string{
		"--hosts many: write a whole number":              {"--hosts", "many"},
		"--rate 100: ":                                    {"--rate", "100"},
		"topology ring: allowed are star, leaf-spine":     {"--topology", "ring"},
		"did you mean dcqcn?":                             {"--algorithm", "dqcqn"},
		"hosts 20: a fat tree of k-port switches has":     {"--topology", "fat-tree", "--hosts", "20"},
		"job storage: allowed are incast, all-reduce":     {"--traffic", "storage"},
		"length 0s: allowed is above 0, such as 1ms":      {"--length", "0s"},
		"new needs NAME and got one two (see rocelab new": {"one", "two"},
	} {
		t.Run(want, func(t *testing.T) {
			args := append([]string{"new", "other"}, flags...)
			if flags[0] == "one" {
				args = []string{"new", "one", "two"}
			}
			s.run(2, args...)
			if !strings.Contains(s.stderr, want) {
				t.Errorf("%v: want %q in %s", flags, want, s.stderr)
			}
			if _, err := os.Stat("other.yaml"); err == nil {
				t.Errorf("%v: a scenario is written all the same", flags)
			}
		})
	}
}
