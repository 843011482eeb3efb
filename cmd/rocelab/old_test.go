package main

import (
	"strings"
	"testing"
)

// The spellings of the last release are still accepted, do the same as the new ones, and name those in one line.
func TestOldSpellings(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ old, now string }{
		{"algorithms", "algorithm list"},
		{"algorithms pc4", "algorithm show pc4"},
		{"algorithms pc4 --format json", "algorithm show pc4 --format json"},
		{"run incast.yaml --no-folder --algorithms builtin", "run incast.yaml --no-folder --run-as builtin"},
		{"validate incast.yaml --algorithms=builtin", "validate incast.yaml --run-as builtin"},
		{"compare incast.yaml --seeds 1 --algorithms pc4,dcqcn:set=paper",
			"compare incast.yaml --seeds 1 --algorithm pc4,dcqcn:set=paper"},
		{"compare incast.yaml --seeds 1 --algorithms pc4 --algorithms dcqcn",
			"compare incast.yaml --seeds 1 --algorithm pc4 --algorithm dcqcn"},
	} {
		t.Run(c.old, func(t *testing.T) {
			s.run(0, strings.Fields(c.now)...)
			want := s.stdout
			if s.stderr != "" {
				t.Errorf("%s: stderr %q", c.now, s.stderr)
			}
			s.run(0, strings.Fields(c.old)...)
			if s.stdout != want {
				t.Errorf("%s prints\n%s\nand %s\n%s", c.old, s.stdout, c.now, want)
			}
			s.says(s.stderr, " is an old spelling, which the next release will refuse: write ")
			for line := range strings.Lines(s.stderr) { // each says what to write
				_, now, _ := strings.Cut(strings.TrimSuffix(line, "\"\n"), `write "`)
				s.says(c.now, now)
			}
		})
	}
}

// An old spelling that is refused names the one that was meant.
func TestOldSpellingsThatAreNone(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ args, words string }{
		{"run incast.yaml --algorithms pc4,dcqcn", "did you mean --algorithm pc4,dcqcn?"},
		{"validate incast.yaml --algorithms pc4", "did you mean --algorithm pc4?"},
		{"bench --json=false", "write --format table"},
		{"inspect a b", "rocelab: inspect needs flags only and got a b"},
	} {
		t.Run(c.args, func(t *testing.T) {
			s.run(2, strings.Fields(c.args)...)
			s.says(s.stderr, c.words)
			if strings.Contains(s.stderr, "old spelling") || s.stdout != "" {
				t.Errorf("%s: stdout %q, stderr %q", c.args, s.stdout, s.stderr)
			}
		})
	}
}

// Old names of testbeds reach the same testbeds.
func TestOldNamesOfTestbeds(t *testing.T) {
	s := newShell(t)
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for _, c := range []struct {
		code     int
		old, now string
	}{
		{2, "inspect a", "inspect --testbed a"},
		{0, "destroy a b", "destroy --testbed a --testbed b"},
		{2, "deploy incast.yaml --name ../a", "deploy incast.yaml --testbed ../a"},
	} {
		t.Run(c.old, func(t *testing.T) {
			s.run(c.code, strings.Fields(c.now)...)
			stdout, stderr := s.stdout, s.stderr
			s.run(c.code, strings.Fields(c.old)...)
			line, rest, _ := strings.Cut(s.stderr, "\n")
			if s.stdout != stdout || rest != stderr {
				t.Errorf("%s prints\n%s%s\nand %s\n%s%s", c.old, s.stdout, rest, c.now, stdout, stderr)
			}
			_, now, _ := strings.Cut(strings.TrimSuffix(line, `"`), `write "`)
			s.says(c.now, now)
		})
	}
}

// No help and no completion has an old spelling.
func TestOldSpellingsAreInNoHelp(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ args, old string }{
		{"--help", "\n  algorithms "},
		{"run --help", "--algorithms"},
		{"compare --help", "--algorithms"},
		{"deploy --help", "--name"},
		{"bench --help", "--json"},
		{"inspect --help", "[TESTBED]"},
		{"__complete run incast.yaml --algo", "--algorithms"},
		{"__complete algo", "\nalgorithms"},
	} {
		t.Run(c.args, func(t *testing.T) {
			s.run(0, strings.Fields(c.args)...)
			if strings.Contains("\n"+s.stdout, c.old) || s.stdout == "" {
				t.Errorf("%s has %s:\n%s", c.args, c.old, s.stdout)
			}
		})
	}
}
