// Run runs go test, and ends with a line that counts the published criteria that
// passing specs miss, so that green hides none:
//
//	go run ./specs/run ./...                      # as go test ./..., then what is missed
//	ROCELAB_SLOW=1 go run ./specs/run ./specs/...
//	go run ./specs/run -v -run PSN ./specs/recovery
//
// Its arguments are those of go test. It prints what go test prints: a line for
// each package, and what tests of a package that fails print; everything with
// -v. What a cached run missed counts too. It ends with go test's exit code (of
// which `go run` makes 1 whatever it was).
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
	}
	os.Exit(code)
}

// run runs go test with these arguments, and returns its exit code.
func run(args []string) (code int, err error) {
	verbose := slices.ContainsFunc(args, func(arg string) bool { return arg == "-v" || arg == "--v" || arg == "-v=true" })
	// Tests as root under sudo are root's own: theirs are files and programs that its
	// caller may not read.
	os.Unsetenv("SUDO_UID")
	command := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	command.Stdin, command.Stderr = os.Stdin, os.Stderr
	events, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	r := &reader{to: os.Stdout, verbose: verbose}
	failed := r.read(events)
	ended := command.Wait()
	r.summary()
	if exit := (*exec.ExitError)(nil); errors.As(ended, &exit) {
		return max(1, exit.ExitCode()), failed
	}
	if err := errors.Join(failed, ended); err != nil {
		return 1, err
	}
	return 0, nil
}
