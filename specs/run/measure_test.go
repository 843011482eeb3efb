package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
)

// burns is set where the test program is a process that takes the CPU time burnt.
const (
	burns = "ROCELAB_SPECS_RUN_BURNS"
	burnt = 100 * time.Millisecond
)

// burn takes CPU time.
func burn() {
	for took := time.Duration(0); took < burnt; {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			panic(err)
		}
		took = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
}

// measured runs a shell's command as go test runs a test program, and returns its output, exit
// code and CPU time in seconds.
func measured(t *testing.T, script string) (output string, code int, cpu float64) {
	t.Helper()
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shell := strings.TrimSuffix(strings.TrimPrefix(measureCommand, "sh -c '"), "' sh")
	c := exec.Command("sh", "-c", shell, "sh", "/bin/sh", "-c", script)
	c.Env = append(os.Environ(), itself+"=1", selfVariable+"="+here)
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	output, text, marked := strings.Cut(string(out), cpuMark)
	if cpu, err = strconv.ParseFloat(strings.TrimSpace(text), 64); !marked || err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	return output, c.ProcessState.ExitCode(), cpu
}

// A test program's CPU time has that of the processes which it waited for; its end is its own, and it
// sees nothing of who measures it.
func TestMeasures(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	busy := fmt.Sprintf("%s=1 '%s'; env | grep -c ROCELAB_RUN_; exit 3", burns, program)
	output, code, cpu := measured(t, busy)
	if cpu < burnt.Seconds() || cpu > 60 {
		t.Errorf("measured %v s", cpu)
	}
	if code != 3 || output != "0\n" {
		t.Errorf("exit code %d, output %q", code, output)
	}
	if output, code, _ := measured(t, "kill -KILL $$"); code != 1 || output != "signal: killed\n" {
		t.Errorf("killed: exit code %d, output %q", code, output)
	}
	if _, code, _ := measured(t, "trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.01; done"); code != 5 {
		t.Errorf("a signal to who measures does not reach the program: exit code %d", code)
	}
}

// Only for a program that go test has linked is a log of its inputs asked for.
func TestLogOfInputs(t *testing.T) {
	const program = "/tmp/go-build123/b001/run.test"
	args := []string{"-test.short=true"}
	want := append([]string{"-test.testlogfile=" + filepath.FromSlash("/tmp/go-build123/b001/testlog.txt")}, args...)
	if got := withLog(program, args); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := withLog("/home/me/run.test", args); !slices.Equal(got, args) {
		t.Errorf("of a program elsewhere: %q", got)
	}
	if got := withLog(program, want); !slices.Equal(got, want) {
		t.Errorf("of one that has it: %q", got)
	}
}

// More CPU time than the bound is a failure that names the three largest.
func TestMostCPUSeconds(t *testing.T) {
	for most, want := range map[float64]int{9: 1, 10: 0, 0: 0} {
		t.Run(fmt.Sprintf("most=%v", most), func(t *testing.T) {
			var b strings.Builder
			r := &reader{to: &b, took: []suite{{pkg: "a", cpu: 1}, {pkg: "b", cpu: 4}, {pkg: "c", cpu: 2}, {pkg: "d", cpu: 3}}}
			const text = "\nFAIL: the tests took 10.0 s of CPU time, more than -most-cpu-seconds 9: b 4.0, d 3.0, c 2.0\n"
			code, err := r.conclude(arguments{most: most}, 0, nil)
			if err != nil || code != want || strings.Contains(b.String(), text) != (want == 1) {
				t.Errorf("most %v: exit code %d, %v\n%s", most, code, err, b.String())
			}
			if code, _ := r.conclude(arguments{most: most}, 2, nil); code != 2 {
				t.Errorf("most %v: go test's exit code 2 became %d", most, code)
			}
		})
	}
}

// Tests that go test runs are measured, and one that does not end in its time says so.
func TestGoTestIsMeasured(t *testing.T) {
	tier.Everyday(t) // it builds and runs tests
	text, err := program(t, "-count=1", "-timeout=1s", "-most-cpu-seconds=0.000001",
		"./testdata/hangs", "./testdata/misses")
	if err == nil || !strings.Contains(text, "\nFAIL: the tests took ") ||
		!strings.Contains(text, "github.com/rocelab/rocelab/specs/run/testdata/hangs 0.") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, want := range []string{"lines left out", "line 299\npanic: test timed out after 1s\n", "hangs.TestHangs(",
		"/2] FAIL\tgithub.com/rocelab/rocelab/specs/run/testdata/hangs", "/2] ok  \tgithub.com/"} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("lacks %q:\n%s", want, text)
			}
		})
	}
	if strings.Contains(text, "a test that ended") {
		t.Errorf("prints what a test that passed did:\n%s", text)
	}
}
