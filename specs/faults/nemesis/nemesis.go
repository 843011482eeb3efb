//go:build linux

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rocelab/rocelab/specs/program"
)

// nemesis carries cases out, each in a process of its own.
type nemesis struct {
	options
	ctx context.Context
	log io.Writer
	own string // folder of the programs that it built
	// snakeless is set if no Python here runs plugins.
	snakeless bool
}

// open builds the programs, and looks for a Python that runs plugins.
func (n *nemesis) open() (err error) {
	n.settings.Path = os.Getenv("PATH")
	if python := python(n.ctx); python != "" {
		n.settings.Path = python + ":" + n.settings.Path
	} else {
		n.snakeless = true
	}
	if n.own, err = os.MkdirTemp("/tmp", "nm-programs-"); err != nil {
		return err
	}
	n.settings.Own = n.own
	if n.settings.Programs == "" {
		n.settings.Programs = n.own
		err = program.Build(n.own, []string{"cmd/rocelab", "cmd/rocelab-cc"})
	}
	if err == nil {
		err = writeSnake(n.ctx, n.settings.Programs, n.own)
	}
	if err != nil {
		n.close()
		return err
	}
	help, err := exec.CommandContext(n.ctx, filepath.Join(n.settings.Programs, "rocelab"), "run", "--help").Output()
	if err == nil && bytes.Contains(help, []byte("--plugin-start")) {
		n.settings.Start = cmp.Or(n.settings.Start, startBound)
	}
	return err
}

// startBound is the time limit for a plugin's start in the cases.
const startBound = 8 * time.Second

func (n *nemesis) close() {
	if n.own != "" {
		os.RemoveAll(n.own)
	}
}

// writeSnake has the rocelab of a folder, which may be a release, write the algorithm in Python.
func writeSnake(ctx context.Context, programs, folder string) error {
	c := exec.CommandContext(ctx, filepath.Join(programs, "rocelab"), "algorithm", "new", pythonPlugin, "--lang", "python")
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%q: %w: %s", c.Args, err, out)
	}
	return nil
}

// python returns the folder of a Python that runs plugins, "" if there is none.
func python(ctx context.Context) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(ctx, name, "-c", "import grpc, google.protobuf").Run() == nil {
			path, _ := exec.LookPath(name)
			return filepath.Dir(path)
		}
	}
	return ""
}

func (n *nemesis) isStopped() bool { return n.ctx.Err() != nil }

// run carries all cases out, prints their results and returns the exit code.
func (n *nemesis) run(cases []*Case, out io.Writer) (int, error) {
	var results []*Result
	var mutex sync.Mutex
	var found atomic.Bool
	var group sync.WaitGroup
	began, next := time.Now(), make(chan *Case)
	for range max(1, n.jobs) {
		group.Go(func() {
			for c := range next {
				r := n.carryOutAlone(c)
				if n.isStopped() {
					continue
				}
				mutex.Lock()
				results = append(results, r)
				n.report(r)
				found.Store(found.Load() || len(r.Wrong) > 0)
				if len(results)%50 == 0 {
					fmt.Fprintf(n.log, "%d of %d cases in %v\n", len(results), len(cases), time.Since(began).Round(time.Second))
				}
				mutex.Unlock()
			}
		})
	}
	without := 0
	for _, c := range cases {
		if n.isStopped() || n.first && found.Load() {
			break
		}
		if n.snakeless && c.Algorithm == "python" {
			without++
			continue
		}
		next <- c
	}
	close(next)
	group.Wait()
	if without > 0 {
		fmt.Fprintf(n.log, "%d cases are left out: no python3 here has grpc and google.protobuf\n", without)
	}
	return n.conclude(results, out)
}

// conclude prints the table; the exit code is 1 when anything went wrong.
func (n *nemesis) conclude(results []*Result, out io.Writer) (int, error) {
	rows := tally(results)
	code := 0
	for _, r := range results {
		if len(r.Wrong) > 0 {
			code = 1
		}
	}
	if n.isStopped() {
		code = 130
	}
	if n.format == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return code, encoder.Encode(map[string]any{"rows": rows, "results": results})
	}
	return code, printTally(out, rows)
}

// report prints a case that went wrong, and the command that repeats it.
func (n *nemesis) report(r *Result) {
	if len(r.Wrong) == 0 && n.only == "" {
		return
	}
	if n.shrink && len(r.Wrong) > 0 {
		fmt.Fprintf(n.log, "%s: %v\n", r.Wrong[0].Kind, &r.Case)
		r = n.shrunk(r)
	}
	fmt.Fprintf(n.log, "%v\n  %s; exit code %d after %v\n", &r.Case, r.State, r.Code, r.Took.Round(time.Millisecond))
	for _, note := range r.Notes {
		fmt.Fprintf(n.log, "  %s\n", note)
	}
	for _, f := range r.Wrong {
		fmt.Fprintf(n.log, "  %s: %s\n", f.Kind, indent(f.Text))
	}
	if r.Complaint != "" {
		fmt.Fprintf(n.log, "  stderr: %s\n", indent(r.Complaint))
	}
	fmt.Fprintf(n.log, "  again: %s\n", r.Case.command(Faults))
}

// most is the printed length of a text.
const most = 1500

func indent(text string) string {
	text = string(bytes.ReplaceAll(bytes.TrimSpace([]byte(text)), []byte("\n"), []byte("\n    ")))
	if len(text) > most {
		text = text[:most] + " ..."
	}
	return text
}

// carryOutAlone carries a case out and, when the host is the nemesis's alone, compares
// the whole of it.
func (n *nemesis) carryOutAlone(c *Case) *Result {
	if !n.exclusive {
		return n.carryOut(c)
	}
	then := survey()
	r := n.carryOut(c)
	if more := then.since(); len(more) > 0 {
		r.wrong(wrongLeftAfter, "on the host: %s", strings.Join(more, "\n"))
	}
	return r
}

// carryOut carries a case out in a process of its own.
func (n *nemesis) carryOut(c *Case) *Result {
	failed := func(err error) *Result {
		r := &Result{Case: *c, Kind: find(c.Fault).Kind, State: "too late"}
		r.wrong(wrongHost, "%v", err)
		return r
	}
	self, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	args := []string{"--part", "--only", fmt.Sprintf("%d/%d", c.Seed, c.Index), "--programs", n.settings.Programs,
		"--own", n.settings.Own,
		"--bound", n.settings.Bound.String(), "--standstill", n.settings.Standstill.String(),
		"--plugin-start", n.settings.Start.String()}
	if set := c.differences(choose(c.Seed, c.Index, Faults)); set != "" {
		args = append(args, "--set", set)
	}
	part := exec.CommandContext(n.ctx, self, args...)
	part.Cancel = func() error { return part.Process.Signal(syscall.SIGTERM) } // it clears up
	part.WaitDelay = time.Minute
	part.Env = append(os.Environ(), "PATH="+n.settings.Path)
	part.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	var out, complaint bytes.Buffer
	part.Stdout, part.Stderr = &out, &complaint
	if err := part.Run(); err != nil {
		return failed(fmt.Errorf("%w: %s", err, complaint.String()))
	}
	r := new(Result)
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return failed(err)
	}
	return r
}
