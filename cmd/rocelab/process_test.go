package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// asProgram makes the test binary the program.
const asProgram = "ROCELAB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	becomePart()
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Unsetenv("SUDO_UID") // the files of tests are root's own, where root runs them
	debug.SetGCPercent(400) // a third of the tests' time was the collector's, of a heap that is small
	os.Exit(m.Run())
}

// program prepares a command line of the program as a process of its own.
func (s *shell) program(args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd = exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// process expects an exit code of a command line, run as a process.
func (s *shell) process(want int, args ...string) {
	s.t.Helper()
	cmd, stdout, stderr := s.program(args...)
	err := cmd.Run()
	s.stdout, s.stderr = stdout.String(), stderr.String()
	if got := cmd.ProcessState.ExitCode(); got != want {
		s.t.Errorf("rocelab %s: exit code %d, want %d (%v); stderr: %s", strings.Join(args, " "), got, want, err, s.stderr)
	}
}
