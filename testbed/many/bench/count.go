package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// errValgrind is a host without callgrind.
var errValgrind = errors.New("valgrind is not installed: --count needs its callgrind (Debian: apt install valgrind)")

// Count is the number of instructions of two programs for one case, in a smaller form.
type Count struct {
	Name string `json:"name"`
	// This and Other are the two programs, and Ratio what is left of this one without its empty run as a multiple of
	// the other's.
	This  Instructions `json:"this"`
	Other Instructions `json:"other"`
	Ratio float64      `json:"instruction_ratio"`
}

// Same reports whether both programs made the same run.
func (c *Count) Same() bool { return c.This.Trace == c.Other.Trace }

// Instructions counts the instructions of one program: of the whole process, with one worker and without garbage
// collection. Inclusive figures of single functions are not read: goroutine switches make cycles of callgrind's call
// graph.
type Instructions struct {
	Total int64 `json:"instructions"`
	// Empty counts the same run with almost no traffic: reading the scenario, making the nodes, printing.
	Empty int64 `json:"instructions_of_empty_run"`
	// Trace is the fingerprint of the run.
	Trace string `json:"trace"`
}

// Net returns the instructions for the traffic.
func (i *Instructions) Net() int64 { return i.Total - i.Empty }

// Count counts the instructions of a case in both programs.
func (a *arena) Count(ctx context.Context, c Contest) (Count, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return Count{}, errValgrind
	}
	count := Count{Name: c.Name}
	for _, of := range []struct {
		program string
		side    *Instructions
	}{{a.This, &count.This}, {a.Other, &count.Other}} {
		if of.side.Total, of.side.Trace, err = a.instructions(ctx, valgrind, of.program, &c, c.small); err != nil {
			return count, err
		}
		empty := slices.Concat(c.small, c.empty)
		if of.side.Empty, _, err = a.instructions(ctx, valgrind, of.program, &c, empty); err != nil {
			return count, err
		}
	}
	count.Ratio = float64(count.This.Net()) / float64(count.Other.Net())
	return count, nil
}

func (a *arena) instructions(ctx context.Context, valgrind, program string, c *Contest, over []string) (
	total int64, trace string, err error) {
	out := filepath.Join(a.folder, "callgrind.out")
	defer os.Remove(out)
	got, err := a.run(ctx, program, c, []string{valgrind, "--tool=callgrind", "--callgrind-out-file=" + out}, over...)
	if err != nil {
		return 0, "", err
	}
	printed, err := os.ReadFile(out)
	if err != nil {
		return 0, "", err
	}
	total, err = readTotal(printed)
	return total, got.trace, err
}

// readTotal reads the program's total from a file of callgrind.
func readTotal(printed []byte) (int64, error) {
	for line := range bytes.Lines(printed) {
		text := strings.TrimSpace(string(line))
		rest, ok := strings.CutPrefix(text, "totals: ")
		if !ok {
			rest, ok = strings.CutPrefix(text, "summary: ")
		}
		if ok {
			total, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return 0, fmt.Errorf("callgrind wrote %q", text)
			}
			return total, nil
		}
	}
	return 0, errors.New("callgrind wrote no total")
}

// countEnvironment has a Go program that is counted do the same in each run: no preemption by time, no collections.
func countEnvironment(counted bool) []string {
	if !counted {
		return nil
	}
	return []string{"GODEBUG=asyncpreemptoff=1", "GOGC=off"}
}
