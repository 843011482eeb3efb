package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	// measuresVariable is the file to which measures are appended, one a line.
	measuresVariable = "ROCELAB_RUN_MEASURES"
)

// measures reports whether the tests are measured: a caller's own -exec runs them in
// another way, and Windows has no sh.
func (a arguments) measures() bool { return !a.has("exec") && runtime.GOOS != "windows" }

// measure is what a test program took.
type measure struct {
	// Folder is the folder of its package.
	Folder string `json:"folder"`
	// CPU is its CPU time and that of all processes that it has waited for, user and
	// system together, in s.
	CPU float64 `json:"cpu_seconds"`
}

// read reads measures, and adds them up by package.
func (s suites) cpu(measures io.Reader) (map[string]float64, error) {
	took := map[string]float64{}
	for lines := bufio.NewScanner(measures); lines.Scan(); {
		var m measure
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return took, fmt.Errorf("read what tests took: %w", err)
		}
		path, known := s.at[m.Folder]
		if !known {
			path = m.Folder
		}
		took[path] += m.CPU
	}
	return took, nil
}

// runMeasured runs a test program with its arguments, appends what it took, and ends as it
// ended.
func runMeasured(program string, args []string) (code int, err error) {
	runtime.LockOSThread() // the program ends with this thread
	to := os.Getenv(measuresVariable)
	os.Unsetenv(selfVariable)
	os.Unsetenv(measuresVariable)
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
	if err := (measure{CPU: seconds(command.ProcessState)}).append(to); err != nil {
		return 1, err
	}
	if code = command.ProcessState.ExitCode(); code < 0 { // by a signal, which go test would print
		fmt.Println(ended)
		code = 1
	}
	return code, nil
}

func seconds(of *os.ProcessState) float64 { return (of.UserTime() + of.SystemTime()).Seconds() }

// append appends the measure, which is this folder's, to the file.
func (m measure) append(path string) (err error) {
	if m.Folder, err = os.Getwd(); err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
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
