package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseSeeds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "[]"},
		{"1", "[1]"},
		{"5", "[1 2 3 4 5]"},
		{"5,", "error"},
		{"5-5", "[5]"},
		{"1..3", "[1 2 3]"},
		{"1-3", "[1 2 3]"},
		{"0..1", "[0 1]"},
		{"1,2,7", "[1 2 7]"},
		{"7,1..2", "[7 1 2]"},
		{"0", "error"},
		{"1...3", "error"},
		{"1..", "error"},
		{"3..1", "error"},
		{"-1", "error"},
		{"1001", "error"},
		{"1..1001", "error"},
		{"2..4,3", "error"},
		{"five", "error"},
	} {
		t.Run(fmt.Sprintf("text=%q", c.text), func(t *testing.T) {
			seeds, err := parseSeeds(c.text)
			got := fmt.Sprint(seeds)
			if err != nil {
				got = "error"
			}
			if got != c.want {
				t.Errorf("--seeds %q: %v, %v, want %s", c.text, seeds, err, c.want)
			}
		})
	}
}

// A number of seeds and one seed are two flags, in every command that has seeds.
func TestSeedsMeanTheSameEverywhere(t *testing.T) {
	s := newShell(t)
	seeds := func(args ...string) string {
		c := s.compared(append([]string{"--algorithm", "fixed"}, args...)...)
		return fmt.Sprint(c.Seeds)
	}
	if got := seeds("--seeds", "2"); got != "[1 2]" {
		t.Error(got)
	}
	if got := seeds("--seed", "2"); got != "[2]" {
		t.Error(got)
	}
	s.run(0, "run", "incast.yaml", "--no-folder", "--variant", "fixed", "--seeds", "2", "--format", "csv")
	if lines := strings.Count(s.stdout, "\n"); lines != 3 {
		t.Errorf("%d lines: %s", lines, s.stdout)
	}
	for _, command := range []string{"run incast.yaml", "compare incast.yaml --algorithm pc4", "test --algorithm pc4",
		"algorithm check pc4"} {
		s.run(2, append(strings.Fields(command), "--seed", "1", "--seeds", "2")...)
		s.says(s.stderr, "--seed and --seeds exclude each other")
		s.run(0, append(strings.Fields(command), "--help")...)
		help := strings.Join(strings.Fields(s.stdout), " ")
		s.says(help, "5 means five seeds, 1 to 5 (--seed 5 is only seed 5); also 1..5, 1-5, or 1,2,7")
	}
	s.run(2, "compare", "incast.yaml", "--algorithm", "pc4", "--seed", "x")
	s.says(s.stderr, `--seed "x": allowed is a number`)
}
