package mem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// star is an n-to-1 incast on one switch.
func star(n int, size unit.Bytes, algorithm string) *plan.Plan {
	p := &plan.Plan{
		Name:       algorithm,
		Seed:       1,
		MTU:        1000,
		Limit:      unit.Time(unit.Second),
		EndGrid:    10 * unit.Microsecond,
		Controller: plan.Controller{Latency: 10 * unit.Microsecond},
	}
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	s := plan.Switch{Name: "s0", Profile: profile.DefaultSwitch()}
	for i := range n + 1 {
		p.NICs = append(p.NICs, plan.NIC{Name: fmt.Sprint("h", i), Profile: profile.DefaultNIC(), Link: i,
			IP: plan.FirstIP + uint32(i)})
		p.Links = append(p.Links, plan.Link{A: plan.End{Node: plan.NodeID(1 + i)}, B: plan.End{Node: 0, Port: i},
			Forward: ch, Backward: ch})
		s.Links = append(s.Links, i)
		s.Routes = append(s.Routes, uint16(i))
		s.NextHops = append(s.NextHops, []uint16{uint16(i)})
	}
	p.Switches = []plan.Switch{s}
	a := &plan.Algorithm{Name: algorithm}
	for i := range n {
		p.Flows = append(p.Flows, plan.Flow{
			Name:      fmt.Sprint("f", i),
			Src:       1 + i,
			Dst:       0,
			Size:      size,
			DSCP:      -1,
			Start:     unit.Time(i * 5000),
			Algorithm: a,
			Path:      fabric.PathOf(ch, ch),
			Back:      fabric.PathOf(ch, ch),
		})
	}
	return p
}

func run(t *testing.T, p *plan.Plan, o mem.Options) *result.Outcome {
	t.Helper()
	return runSo(t, p, o, enginetest.Windows{})
}

// runSo is run with windows of its own.
func runSo(t *testing.T, p *plan.Plan, o mem.Options, so enginetest.Windows) *result.Outcome {
	t.Helper()
	o.Algorithms = shipped.Find
	out, err := mem.Run(enginetest.With(context.Background(), so), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// An incast of n flows on one port takes at least the wire time of all their
// bytes: 16 x 10 000 packets of 1082 B at 100 Gb/s are 13.85 ms.
func TestIncastFillsTheBottleneck(t *testing.T) {
	out := run(t, star(16, 10*unit.MB, "fixed"), mem.Options{Workers: 1})
	wire := (100 * unit.Gbps).SerialTime(16 * 10_000 * 1082)
	if end := unit.Duration(out.End); out.Exhausted || end < wire || end > wire+wire/50 {
		t.Errorf("ended at %v (exhausted: %v), want at most 2 %% after %v", out.End, out.Exhausted, wire)
	}
	for i := range out.Flows {
		if f := &out.Flows[i]; f.Sender.Acked != 10*unit.MB || f.Receiver.Bytes != 10*unit.MB ||
			f.Sender.Completed == unit.Never {
			t.Errorf("flow %d: acknowledged %v, received %v, completed %v", i, f.Sender.Acked, f.Receiver.Bytes,
				f.Sender.Completed)
		}
	}
}

func TestWorkersAndCodecLeaveTheTraceAsItIs(t *testing.T) {
	for _, algorithm := range []string{"pc4", "dcqcn"} {
		t.Run(algorithm, func(t *testing.T) {
			want := run(t, star(8, unit.MB, algorithm), mem.Options{Workers: 1}).Trace
			for _, c := range []struct {
				workers    int
				codec, all bool
			}{
				{workers: 2},
				{workers: 3, all: true},
				{workers: 1, codec: true},
				{workers: 2, codec: true, all: true},
			} {
				so := enginetest.Windows{AllWorkers: c.all}
				out := runSo(t, star(8, unit.MB, algorithm), mem.Options{Workers: c.workers, Codec: c.codec}, so)
				if out.Trace != want {
					t.Errorf("%s, %+v: trace %016x, want %016x", algorithm, c, out.Trace, want)
				}
				if c.all && out.Workers != c.workers {
					t.Errorf("%s, %+v: %d workers ran", algorithm, c, out.Workers)
				}
			}
			other := star(8, unit.MB, algorithm)
			other.Seed = 2
			if run(t, other, mem.Options{Workers: 1}).Trace == want {
				t.Errorf("%s: another seed gave the same trace", algorithm)
			}
		})
	}
}

func TestAnotherCutOfWindowsLeavesTheTraceAsItIs(t *testing.T) {
	p := star(8, unit.MB, "dcqcn")
	want := run(t, p, mem.Options{Workers: 1})
	rng := chance.New(3, "cuts")
	cut := func(unit.Time) unit.Duration { return 1 + unit.Duration(rng.Below(uint64(p.Lookahead()))) }
	got := runSo(t, star(8, unit.MB, "dcqcn"), mem.Options{Workers: 1}, enginetest.Windows{Cut: cut})
	if got.Trace != want.Trace {
		t.Errorf("windows cut at random: trace %016x, want %016x", got.Trace, want.Trace)
	}
	if got.Windows <= want.Windows {
		t.Errorf("%d windows, %d without a cut", got.Windows, want.Windows)
	}
}

func TestCancelledRunBringsBackWhatThereIs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := star(16, 100*unit.MB, "fixed")
	out, err := mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: shipped.Find,
		Progress: func(model.Progress) { cancel() }})
	if err != nil || !out.Interrupted || out.Exhausted || out.End == 0 {
		t.Fatalf("interrupted %v, exhausted %v, end %v, %v", out.Interrupted, out.Exhausted, out.End, err)
	}
}

func TestFabricThatDeliversNothingIsExhausted(t *testing.T) {
	p := star(1, unit.MB, "fixed")
	p.Links[0].Loss = 1
	p.Limit = unit.Time(50 * unit.Millisecond)
	if out := run(t, p, mem.Options{Workers: 1}); !out.Exhausted || out.End != p.Limit {
		t.Errorf("exhausted %v at %v, want at %v", out.Exhausted, out.End, p.Limit)
	}
}

// broken answers a rate that no NIC can send at.
type broken struct{ cc.Algorithm }

func (b broken) New(p cc.Params) (cc.Controller, error) {
	c, err := b.Algorithm.New(p)
	return brokenController{c}, err
}

type brokenController struct{ cc.Controller }

func (c brokenController) NewSender(cc.Facts) cc.Sender { return brokenSender{} }

type brokenSender struct{}

func (brokenSender) Handle(_ *cc.Event, d *cc.Decision) { d.Rate = -1 }

func TestNonsenseOfAnAlgorithmIsNamed(t *testing.T) {
	fixed, _ := shipped.Find("fixed")
	p := star(2, unit.MB, "fixed")
	p.Limit = unit.Time(50 * unit.Millisecond)
	_, err := mem.Run(context.Background(), p,
		mem.Options{Workers: 1, Algorithms: func(string) (cc.Algorithm, bool) { return broken{fixed}, true }})
	var fault *model.AlgorithmError
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "rate -1") {
		t.Errorf("got %v, want an algorithm fault that names the rate", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestCaptureOnAFullDiskFailsOnce(t *testing.T) {
	_, err := mem.Run(context.Background(), star(2, 100*unit.KB, "fixed"),
		mem.Options{Algorithms: shipped.Find, Captures: []string{"s0:0"}, CaptureTo: fullDisk{}})
	if !errors.Is(err, errFull) || strings.Count(err.Error(), "no space left") != 1 {
		t.Error(err)
	}
}

func TestCapturesOfUnknownPortsAreRefused(t *testing.T) {
	p := star(2, unit.MB, "fixed")
	for name, part := range map[string]string{"s0": "which port", "s0:9": "ports 0 to 2", "h0:1": "port 0 only",
		"x:1": "no node", "s0:a": "not a port number"} {
		t.Run(name, func(t *testing.T) {
			if err := model.CheckCaptures(p, []string{name}); err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got %v, want something about %q", name, err, part)
			}
		})
	}
	if err := model.CheckCaptures(p, []string{"s0:2", "h0", "h1:0"}); err != nil {
		t.Error(err)
	}
}

func BenchmarkIncast(b *testing.B) {
	for _, algorithm := range []string{"pc4", "dcqcn"} {
		b.Run(algorithm, func(b *testing.B) {
			b.ReportAllocs()
			hops := uint64(0)
			for b.Loop() {
				out, err := mem.Run(context.Background(), star(16, 10*unit.MB, algorithm),
					mem.Options{Workers: 1, Algorithms: shipped.Find})
				if err != nil {
					b.Fatal(err)
				}
				hops += out.Hops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds()/1e6, "Mhops/s")
		})
	}
}

func TestAnalysisAgreesWithTheRun(t *testing.T) {
	for _, algorithm := range []string{"pc4", "dcqcn"} {
		t.Run(algorithm, func(t *testing.T) {
			p := star(2, unit.MB, algorithm)
			said := scenario.Analyse(p, model.Extensions(shipped.Find)).Paths[0].BaseRTT
			if used := run(t, p, mem.Options{Workers: 1}).Flows[0].BaseRTT; said != used {
				t.Errorf("%s: the analysis says a base RTT of %v, the run used %v", algorithm, said, used)
			}
		})
	}
}
