//go:build unix && !mem

package main

import (
	"os"
	"syscall"
	"testing"
)

// Without rights the checks that need containers are skipped, with what is lacking; if no others were requested, the
// host is to blame.
func TestJudgementWithoutRights(t *testing.T) {
	s := newShell(t)
	program, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile("rocelab", program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(want int, args ...string) {
		t.Helper()
		cmd, stdout, stderr := s.program(args...)
		cmd.Path, cmd.Dir = "./rocelab", "."
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		err := cmd.Run()
		s.stdout, s.stderr = stdout.String(), stderr.String()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("exit code %d, want %d (%v); stderr: %s", got, want, err, s.stderr)
		}
	}
	run(0, "test", "--algorithm", "pc4", "--label", "veth || clocks")
	s.says(s.stdout, "PASS        pc4 2.0.0, built in: 1 of 2 checks pass, 1 skipped\n")
	s.says(s.stdout, "│ veth   │ skipped ")
	s.says(s.stdout, "root")
	run(4, "test", "--algorithm", "pc4", "--label", "veth")
	s.says(s.stdout, "SKIPPED     pc4 2.0.0, built in: 0 of 1 checks pass, 1 skipped\n")
	s.says(s.stderr, "root")
	run(4, "test", "--algorithm", "pc4", "--label", "clocks", "--on", "veth")
	s.says(s.stderr, "root")
	if s.stdout != "" {
		t.Error(s.stdout)
	}
}
