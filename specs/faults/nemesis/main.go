//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

func main() {
	code, err := start(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "nemesis:", err)
	}
	os.Exit(code)
}

// options are the flags.
type options struct {
	seed                          uint64
	count, jobs                   int
	kinds                         words
	only, set, format             string
	list, shrink, exclusive, part bool
	first                         bool
	settings                      Settings
}

// words is a flag that may be repeated.
type words []string

func (w *words) String() string     { return strings.Join(*w, ", ") }
func (w *words) Set(s string) error { *w = append(*w, s); return nil }

func start(args []string, out, log io.Writer) (int, error) {
	var o options
	flags := flag.NewFlagSet("nemesis", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.Uint64Var(&o.seed, "seed", 1, "chooses the cases")
	flags.IntVar(&o.count, "count", 200, "how many cases")
	flags.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many at the same time")
	flags.Var(&o.kinds, "kind", "only the cases of these faults: part of a name or kind, _ for a space (repeatable)")
	flags.StringVar(&o.only, "only", "", "one case alone: SEED/INDEX")
	flags.StringVar(&o.set, "set", "", "change parameters of that case: key=value,key=value")
	flags.BoolVar(&o.shrink, "shrink", false, "look for a simpler case for each that goes wrong")
	flags.BoolVar(&o.first, "first", false, "end with the first case that goes wrong")
	flags.BoolVar(&o.list, "list", false, "list the faults, or with --kind some of them, and end")
	flags.StringVar(&o.format, "format", "table", "table or json")
	flags.BoolVar(&o.exclusive, "exclusive", false, "compare the whole host, too: nobody else may use it")
	flags.DurationVar(&o.settings.Bound, "bound", 45*time.Second, "how long a command may take after its fault")
	flags.DurationVar(&o.settings.Standstill, "standstill", 3*time.Second, "rocelab's --standstill")
	flags.StringVar(&o.settings.Programs, "programs", "", "folder with rocelab and rocelab-cc (default: they are built)")
	flags.StringVar(&o.settings.Own, "own", "", "folder of the nemesis' own files (for the nemesis itself)")
	flags.DurationVar(&o.settings.Start, "plugin-start", 0, "rocelab's --plugin-start, where it has that")
	flags.BoolVar(&o.part, "part", false, "carry out --only and print the result (for the nemesis itself)")
	if err := flags.Parse(args); err != nil {
		return 2, err
	}
	if programs := o.settings.Programs; programs != "" { // cases have folders of their own
		whole, err := filepath.Abs(programs)
		if err != nil {
			return 2, err
		}
		o.settings.Programs = whole
	}
	if o.list {
		return 0, list(out, o.kinds)
	}
	if o.exclusive && o.jobs != 1 {
		return 2, errors.New("--exclusive needs --jobs 1")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	n := &nemesis{options: o, ctx: ctx, log: log}
	cases, err := n.cases()
	if err != nil {
		return 2, err
	}
	if o.part {
		o.settings.Path = os.Getenv("PATH")
		return 0, json.NewEncoder(out).Encode(try(cases[0], o.settings, ctx.Done()))
	}
	if err := doctor.Required(); err != nil {
		return 4, err
	}
	if err := n.open(); err != nil {
		return 4, err
	}
	defer n.close()
	return n.run(cases, out)
}

// list prints the faults.
func list(w io.Writer, kinds words) error {
	for _, f := range Faults {
		if kinds.hold(&f) {
			fmt.Fprintf(w, "%-32s %s\n", f.Name, f.Kind)
		}
	}
	return nil
}

// hold reports whether a fault is among the chosen ones.
func (w words) hold(f *Fault) bool {
	for _, word := range w {
		word = strings.ReplaceAll(word, "_", " ")
		if strings.Contains(f.Name, word) || strings.Contains(f.Kind, word) {
			return true
		}
	}
	return len(w) == 0
}

// cases returns the cases that the flags select.
func (n *nemesis) cases() (list []*Case, err error) {
	if n.only == "" {
		for i := range n.count {
			if c := choose(n.seed, i, Faults); n.kinds.hold(find(c.Fault)) {
				list = append(list, c)
			}
		}
		return list, nil
	}
	seed, index, _ := strings.Cut(n.only, "/")
	s, err1 := strconv.ParseUint(seed, 10, 64)
	i, err2 := strconv.Atoi(index)
	if err := errors.Join(err1, err2); err != nil || i < 0 {
		return nil, fmt.Errorf("--only %s: it is SEED/INDEX, such as 1/37", n.only)
	}
	c := choose(s, i, Faults)
	if err := c.set(n.set); err != nil {
		return nil, err
	}
	if f := find(c.Fault); f == nil || !f.fits(c) {
		return nil, fmt.Errorf("there is no such case: %v", c)
	}
	return []*Case{c}, nil
}
