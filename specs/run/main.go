// Run runs go test, and ends with a line that counts the published criteria that
// passing specs miss, so that green hides none:
//
//	go run ./specs/run ./...                      # as go test ./..., then what is missed
//	ROCELAB_SLOW=1 go run ./specs/run ./specs/...
//	go run ./specs/run -v -run PSN ./specs/recovery
//	go run ./specs/run -short -count=1 -most-cpu-seconds 90 ./...
//
// Its arguments are those of go test, and -most-cpu-seconds: more CPU time of the tests
// together is a failure, which names the three suites that took the most. Of a
// cached run what it took when it ran counts. A suite's CPU time is that of its test program and of all processes that
// it, or they, waited for; not of go's compiler and linker unless a test runs them.
//
// It prints what go test prints: a line for each package, behind how many have ended of how
// many, and what tests of a package that fails print; everything with -v. Of a package that
// fails in another way, such as by its time limit, it prints the last lines of the output.
// Packages are tested in an order of its own: first those that see the most in the least time,
// then the long ones. The time limit of a package is 20 minutes unless -timeout gives
// another. At the end are minutes and CPU seconds of each suite that takes long, and how many
// tests and Ginkgo specs were skipped, for each reason.
//
// What a cached run missed or skipped counts too. It ends with go test's exit code (of which `go run`
// makes 1 whatever it was).
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

func main() {
	args, start := os.Args[1:], run
	if len(args) > 1 && args[0] == "measure" && os.Getenv(selfVariable) != "" {
		start = func(args []string) (int, error) { return runMeasured(args[1], args[2:]) }
	}
	code, err := start(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
	}
	os.Exit(code)
}

// run runs go test with these arguments, and returns its exit code.
func run(args []string) (code int, err error) {
	a, err := parse(args)
	if err != nil {
		return 2, err
	}
	if a.most > 0 && !a.measures() {
		return 2, fmt.Errorf("-%s measures by -exec: give no other -exec", mostFlag)
	}
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	found := list(a)
	r := &reader{to: os.Stdout, verbose: a.verbose(), of: len(found)}
	command := exec.Command("go", a.command(found)...)
	command.Env = environment(self)
	command.Stdin, command.Stderr = os.Stdin, os.Stderr
	code, err = r.follow(command)
	return r.conclude(a, code, err)
}

// follow runs go test, prints what is to be printed while it runs, and returns its exit code.
func (r *reader) follow(command *exec.Cmd) (code int, err error) {
	events, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	// Go test ends on an interrupt, and what it has is printed.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			command.Process.Signal(s)
		}
	}()
	failed := r.read(events)
	ended := command.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(ended, &exit) {
		return max(1, exit.ExitCode()), failed
	}
	if err := errors.Join(failed, ended); err != nil {
		return 1, err
	}
	return 0, nil
}

// conclude prints what the suites took, the skipped tests and all misses, and returns the exit code.
func (r *reader) conclude(a arguments, code int, failed error) (int, error) {
	r.times(a.measures())
	if a.most > 0 && r.exceeds(a.most) {
		code = max(code, 1)
	}
	r.skips.print(r.to)
	r.misses()
	if failed != nil {
		code = max(code, 1)
	}
	return code, failed
}
