package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// Go test runs each test program by -exec, as a child of this program in another mode,
// which waits for it and so knows the CPU time that it took (getrusage(2)).
//
// The value of -exec is part of the key under which go test keeps results, hence it is
// the same for each build of this program: the path is in the environment.
const (
	measureCommand = `sh -c 'exec "$` + selfVariable + `" measure "$@"' sh`
	// selfVariable is the path of this program.
	selfVariable = "ROCELAB_RUN_SELF"
)

// measures reports whether the tests are measured: a caller's own -exec runs them in
// another way, and Windows has no sh.
func (a arguments) measures() bool { return !a.has("exec") && runtime.GOOS != "windows" }

// cpuMark begins the line that measure prints after the output of a test program: a number follows it, the CPU time
// in s of the program and of all processes that it has waited for, user and system together. Go test keeps the line
// with the result, so that of a cached run it is known as well.
const cpuMark = "TESTS TOOK CPU SECONDS "

// runMeasured runs a test program with its arguments, prints its CPU time, and ends as it ended.
func runMeasured(program string, args []string) (code int, err error) {
	runtime.LockOSThread() // the program ends with this thread
	os.Unsetenv(selfVariable)
	command := exec.Command(program, withLog(program, args)...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.SysProcAttr = tied()
	// A signal to go test's process group reaches the program as well; others are for it alone.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM)
	if err := command.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			if s != os.Interrupt { // only a terminal sends it, to all
				command.Process.Signal(s)
			}
		}
	}()
	ended := command.Wait()
	if exit := (*exec.ExitError)(nil); ended != nil && !errors.As(ended, &exit) {
		return 1, ended
	}
	state := command.ProcessState
	if code = state.ExitCode(); code < 0 { // by a signal, which go test would print
		fmt.Println(ended)
		code = 1
	}
	fmt.Printf("%s%.2f\n", cpuMark, (state.UserTime() + state.SystemTime()).Seconds())
	return code, nil
}

// programOfGoTest matches where go test links a test program to run it.
var programOfGoTest = regexp.MustCompile(`/go-build[0-9]+/b[0-9]+/[^/]+\.test$`)

// withLog has the program write the log of its inputs where go test looks for it. Without
// that log go test keeps no result, and it does not ask for it where it has -exec
// (cmd/go/internal/test, runTestActor).
func withLog(program string, args []string) []string {
	const name = "-test.testlogfile="
	for _, arg := range args {
		if strings.HasPrefix(arg, name) {
			return args
		}
	}
	if !programOfGoTest.MatchString(filepath.ToSlash(program)) {
		return args
	}
	return append([]string{name + filepath.Join(filepath.Dir(program), "testlog.txt")}, args...)
}
