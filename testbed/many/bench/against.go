package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// LeastRounds is the number of rounds from which on a comparison of two programs is judged.
const LeastRounds = 7

// maxAbove is the number of pairs out of LeastRounds that may have a ratio above 1 if the first program is to be called
// the faster one.
const maxAbove = 1

// manyParts is the number of hosts or flows from which on memory is reported per host or flow: with fewer it is mostly
// the buffers' and the page's.
const manyParts = 1000

// errProgram is a program that did not run a case.
var errProgram = errors.New("did not run the case")

// Match is the result of two programs for one case.
type Match struct {
	Name    string `json:"name"`
	Workers int    `json:"workers"`
	// This and Other are the two programs.
	This  Side `json:"this"`
	Other Side `json:"other"`
	// Ratios are the processor time of this program as a multiple of the other's, of each pair of runs in their order;
	// Ratio is their median.
	Ratios []float64 `json:"processor_time_ratios"`
	Ratio  float64   `json:"processor_time_ratio"`
	// Above is the number of pairs above 1.
	Above int `json:"pairs_above_1"`
}

// Side is one of the two.
type Side struct {
	// CPU is the processor time of each run, of all threads and of processes that it waited for, in user mode and in the
	// kernel (wait4(2)). Unit: s.
	CPU []float64 `json:"processor_time_s"`
	// Peak is the largest resident set of any run and Idle that of a run of two hosts. Linux counts what this
	// process has at the start of a run, too, so that smaller ones do not show. Unit: bytes; 0 where the system has none.
	Peak int64 `json:"peak_rss_bytes"`
	Idle int64 `json:"idle_rss_bytes"`
	// PerHost and PerFlow are the peak less the idle one, over the numbers of hosts and of flows; 0 if there are below
	// manyParts of them. Unit: bytes.
	PerHost int64 `json:"bytes_per_host"`
	PerFlow int64 `json:"bytes_per_flow"`
	// Trace is the fingerprint of the runs.
	Trace string `json:"trace"`
}

// Same reports whether both programs made the same run.
func (m *Match) Same() bool { return m.This.Trace == m.Other.Trace }

// Faster reports whether this program is the faster one by the rule for changes that are kept: enough pairs, their
// median below 1, and one of seven above 1 at most.
func (m *Match) Faster() bool {
	return len(m.Ratios) >= LeastRounds && m.Ratio < 1 && m.Above*LeastRounds <= maxAbove*len(m.Ratios)
}

// arena runs cases in two programs. It has a folder for what they need, which Close removes.
type arena struct {
	// This and Other are the paths of the two programs.
	This, Other string
	Workers     int
	folder      string
}

// newArena checks that the programs are there.
func newArena(this, other string, workers int) (*arena, error) {
	for _, program := range []*string{&this, &other} {
		found, err := exec.LookPath(*program)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: allowed is the path of another build's rocelab", *program, missing(err))
		}
		if *program, err = filepath.Abs(found); err != nil {
			return nil, err
		}
	}
	folder, err := os.MkdirTemp("", "rocelab-bench-*")
	if err != nil {
		return nil, err
	}
	return &arena{This: this, Other: other, Workers: workers, folder: folder}, nil
}

// Close removes the folder.
func (a *arena) Close() error { return os.RemoveAll(a.folder) }

// Fight runs a case in both programs in turn, in a changed order in each round, and calls tell after each.
func (a *arena) Fight(ctx context.Context, c Contest, rounds int, tell func(round int, ratio float64)) (Match, error) {
	m := Match{Name: c.Name, Workers: a.Workers}
	sides := []struct {
		program string
		side    *Side
	}{{a.This, &m.This}, {a.Other, &m.Other}}
	idle := Contest{
		Name:   "of two flows",
		Page:   c.Page,
		source: incast,
		flags:  []string{"--variant", "none"},
		set:    []string{"topology.hosts=3", "traffic.senders=2", "traffic.size=1KB"},
	}
	for _, of := range sides {
		ran, err := a.run(ctx, of.program, &idle, nil)
		if err != nil {
			return m, err
		}
		of.side.Idle = ran.peak
	}
	for round := range rounds {
		for _, of := range sides {
			ran, err := a.run(ctx, of.program, &c, nil)
			if err != nil {
				return m, err
			}
			if err := of.side.add(&ran, c.Hosts); err != nil {
				return m, fmt.Errorf("%s: %s: %w", of.program, c.Name, err)
			}
		}
		ratio := m.This.CPU[round] / m.Other.CPU[round]
		m.Ratios = append(m.Ratios, ratio)
		if ratio > 1 {
			m.Above++
		}
		tell(round+1, ratio)
		slices.Reverse(sides)
	}
	m.Ratio = compare.Median(m.Ratios)
	return m, nil
}

// Typical is the median processor time of a run, in s.
func (s *Side) Typical() float64 { return compare.Median(s.CPU) }

// add takes a run in.
func (s *Side) add(ran *ran, hosts int64) error {
	if s.Trace != "" && s.Trace != ran.trace {
		return fmt.Errorf("two runs gave the traces %s and %s", s.Trace, ran.trace)
	}
	s.Trace = ran.trace
	s.CPU = append(s.CPU, ran.cpu.Seconds())
	s.Peak = max(s.Peak, ran.peak)
	if hosts >= manyParts {
		s.PerHost = max(0, s.Peak-s.Idle) / hosts
	}
	if ran.flows >= manyParts {
		s.PerFlow = max(0, s.Peak-s.Idle) / ran.flows
	}
	return nil
}

// ran is the result of a program's run.
type ran struct {
	cpu   time.Duration
	peak  int64
	flows int64
	trace string
}

// run runs a case with more overrides in a program, and waits for it. before is the program that runs it, with its
// arguments; nil for none.
func (a *arena) run(ctx context.Context, program string, c *Contest, before []string, over ...string) (ran, error) {
	file := filepath.Join(a.folder, "scenario.yaml")
	if err := os.WriteFile(file, c.source, 0o600); err != nil {
		return ran{}, err
	}
	args := append(slices.Clone(before), program, "run", file, "--format", "json", "--progress", "none", "--workers",
		strconv.Itoa(a.Workers))
	args = append(args, c.arguments(over...)...)
	if c.Page {
		out := filepath.Join(a.folder, "run")
		defer os.RemoveAll(out)
		args = append(args, "--out", out)
	} else {
		args = append(args, "--no-folder")
	}
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Env = append(os.Environ(), countEnvironment(before != nil)...)
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err := command.Run()
	if ctx.Err() != nil {
		return ran{}, context.Canceled
	}
	if command.ProcessState == nil {
		return ran{}, err
	}
	got, read := readRun(out.Bytes())
	if read != nil { // the exit code of a run that is not green is no fault
		return ran{}, fmt.Errorf("%s %w %s: %s", program, errProgram, c.Name, complained(&complaint, errors.Join(err, read)))
	}
	got.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	got.peak = largestSet(command.ProcessState)
	return got, nil
}

// readRun reads what rocelab run prints as JSON.
func readRun(printed []byte) (ran, error) {
	var document struct {
		Runs []runfolder.Summary `json:"runs"`
	}
	if err := json.Unmarshal(printed, &document); err != nil {
		return ran{}, err
	}
	if len(document.Runs) != 1 || document.Runs[0].Trace == "" {
		return ran{}, errors.New("it printed no run with a trace")
	}
	run := &document.Runs[0]
	flows, err := strconv.ParseInt(string(run.Metrics["flows"]), 10, 64)
	if err != nil {
		return ran{}, errors.New("it printed no number of flows")
	}
	return ran{trace: run.Trace, flows: flows}, nil
}

// complained returns the first line that a program printed on stderr, without valgrind's, or an error if there is none.
func complained(printed *bytes.Buffer, err error) string {
	for line := range strings.Lines(printed.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "==") {
			return line
		}
	}
	return err.Error()
}

// peakOf returns a peak for people, "-" if the system has none.
func peakOf(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return unit.Bytes(bytes).String()
}

// missing returns the reason why there is no program, without the failed calls.
func missing(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return errors.Unwrap(err)
}
