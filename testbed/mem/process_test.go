package mem_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// programs is a folder of plugins, the shipped ones and those in testdata, once
// a test needs them.
var programs string

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programs)
	os.Exit(code)
}

// processes returns a registry of programs.
func processes(t *testing.T) *registry.Registry {
	t.Helper()
	if programs == "" {
		var err error
		if programs, err = os.MkdirTemp("", "mem-test-"); err != nil {
			t.Fatal(err)
		}
		packages := []string{"plugins/shipped/cc-dcqcn", "plugins/shipped/cc-pc4", "plugins/shipped/cc-fixed",
			"testbed/mem/testdata/halved", "testbed/mem/testdata/crashing"}
		if err := program.Build(programs, packages); err != nil {
			t.Fatal(err)
		}
	}
	r := registry.New(registry.Config{Folders: []string{programs}, Mode: registry.Process})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// Algorithms as processes give the trace of those built in, with one worker
// and with two that take turns at the process; one that halves its rates does
// not.
func TestProcessesLeaveTheTraceAsItIs(t *testing.T) {
	tier.Everyday(t)
	r := processes(t)
	with := func(name string, o mem.Options) uint64 {
		o.Algorithms = r.Find
		ctx := enginetest.With(context.Background(), enginetest.Windows{AllWorkers: true})
		out, err := mem.Run(ctx, star(8, 300*unit.KB, name), o)
		if err != nil {
			t.Fatal(err)
		}
		return out.Trace
	}
	for _, name := range []string{"pc4", "dcqcn", "fixed"} {
		want := run(t, star(8, 300*unit.KB, name), mem.Options{Workers: 1}).Trace
		for _, o := range []mem.Options{{Workers: 1}, {Workers: 2}, {Workers: 1, Codec: true}} {
			if got := with(name, o); got != want {
				t.Errorf("%s, %d workers, codec %v: trace %016x, built in %016x", name, o.Workers, o.Codec, got, want)
			}
		}
	}
	if with("halved", mem.Options{Workers: 1}) == run(t, star(8, 300*unit.KB, "dcqcn"), mem.Options{Workers: 1}).Trace {
		t.Error("DCQCN at half its rates gave the same trace")
	}
}

// counted is an algorithm that notes the sizes of batches.
type counted struct {
	cc.Algorithm
	largest int
}

func (c *counted) New(p cc.Params) (cc.Controller, error) {
	inner, err := c.Algorithm.New(p)
	return countedController{inner, c}, err
}

func (c *counted) find(string) (cc.Algorithm, bool) { return c, true }

type countedController struct {
	cc.Controller
	all *counted
}

func (c countedController) NewSender(f cc.Facts) cc.Sender {
	inner := c.Controller.NewSender(f).(hosting.Batched)
	return &countedSender{inner, &countedBatcher{inner.Batcher(), c.all}}
}

type countedSender struct {
	hosting.Batched
	batcher *countedBatcher
}

func (s *countedSender) Batcher() hosting.Batcher { return *s.batcher }

type countedBatcher struct {
	hosting.Batcher
	all *counted
}

func (b countedBatcher) HandleAll(steps []hosting.Step) {
	inner := slices.Clone(steps)
	for i := range inner {
		inner[i].Sender = inner[i].Sender.(*countedSender).Batched
	}
	b.Batcher.HandleAll(inner)
	for i := range inner {
		steps[i].Decision = inner[i].Decision
	}
	b.all.largest = max(b.all.largest, len(steps))
}

// With a decision delay too: processes, which then get batches, and any cut of
// windows leave the trace as it is; the delay itself does not.
func TestDelayedDecisionsOfProcesses(t *testing.T) {
	tier.Everyday(t)
	r := processes(t)
	delayed := func(name string) *plan.Plan {
		p := star(8, 300*unit.KB, name)
		for i := range p.NICs {
			p.NICs[i].Profile.DecisionDelay = 2 * unit.Microsecond
		}
		return p
	}
	rng := chance.New(5, "cuts")
	for _, name := range []string{"pc4", "dcqcn", "fixed"} {
		t.Run(name, func(t *testing.T) {
			want := run(t, delayed(name), mem.Options{Workers: 1}).Trace
			if name != "fixed" && want == run(t, star(8, 300*unit.KB, name), mem.Options{Workers: 1}).Trace {
				t.Errorf("%s: the delay shows nowhere", name)
			}
			algorithm, err := r.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			batches := &counted{Algorithm: algorithm}
			lookahead := delayed(name).Lookahead()
			for _, cut := range []func(unit.Time) unit.Duration{nil,
				func(unit.Time) unit.Duration { return lookahead / 7 },
				func(unit.Time) unit.Duration { return unit.Duration(rng.Between(1, int64(lookahead))) },
			} {
				so := enginetest.Windows{Cut: cut}
				if got := runSo(t, delayed(name), mem.Options{Workers: 1}, so).Trace; got != want {
					t.Errorf("%s: a cut of windows gave trace %016x, want %016x", name, got, want)
				}
				ctx := enginetest.With(context.Background(), so)
				out, err := mem.Run(ctx, delayed(name), mem.Options{Workers: 1, Algorithms: batches.find})
				if err != nil {
					t.Fatal(err)
				}
				if out.Trace != want {
					t.Errorf("%s: processes gave trace %016x, want %016x", name, out.Trace, want)
				}
			}
			if name == "pc4" && batches.largest < 2 { // with ACKs every 700 ns
				t.Errorf("%s: the largest batch had %d events", name, batches.largest)
			}
		})
	}
}

// A plugin that crashes in the middle of a run ends it with its own last words.
func TestCrashOfAProcessIsAnAlgorithmFault(t *testing.T) {
	r := processes(t)
	for _, side := range []string{"sender", "receiver"} {
		t.Run(side, func(t *testing.T) {
			p := star(2, 300*unit.KB, "crashing")
			p.Flows[0].Algorithm.Params = map[string]string{"side": side}
			_, err := mem.Run(context.Background(), p, mem.Options{Workers: 1, Algorithms: r.Find})
			var fault *model.AlgorithmError
			if !errors.As(err, &fault) {
				t.Fatalf("%s: %v, want an algorithm fault", side, err)
			}
			for _, part := range []string{" of flow f", "algorithm crashing (plugin " + os.TempDir(), "exited with code 2 at ",
				"panic: the " + side + " gives up"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %q does not say %q", side, err, part)
				}
			}
			r.Close()
		})
	}
}
