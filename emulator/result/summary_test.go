package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestSummary(t *testing.T) {
	o := star()
	drop(o, fabric.DropNoBuffer)
	o.NICs[2].Drops = map[fabric.DropReason]uint64{fabric.DropOutOfOrder: 5}
	o.Switches[0].Ports[1].RxLostFrames = 2
	o.Switches[0].Ports[1].Classes.Of(3).SentXOFF = 6
	o.NICs[1].Classes.Of(3).Paused = 7 * unit.Microsecond
	o.NICs[1].Busy = 19 * unit.Microsecond
	s := Summarise(o)
	for name, want := range map[string]float64{
		"flows": 2, "completed": 2, "incomplete": 0, "duration_us": 20,
		"fct_mean_us": 15, "fct_p50_us": 10, "fct_p99_us": 20, "fct_max_us": 20,
		// FCT over 5 us, the time of each flow without the other.
		"slowdown_mean": 3, "slowdown_p99": 4, "slowdown_max": 4,
		"goodput_gbps": 8,    // 20000 B in 20 us
		"utilisation":  0.75, // s0:2 sent for 15 of 20 us
		// 10000 B in 10 us and in 20 us: (1 + 1/2)^2 / (2 x (1 + 1/4)).
		"jain":        0.9,
		"rtt_mean_us": 8.5, "rtt_max_us": 13,
		"queueing_mean_us": 2, "queueing_max_us": 2, "queue_max_bytes": 5410, "buffer_max_bytes": 5000,
		"marks": 4, "cnps": 4, "pauses": 6, "paused_us": 7,
		"drops": 3, "drops_injected": 2, "drops_no_buffer": 1, "drops_headroom": 0, "discards_out_of_order": 5,
		"retransmits": 1, "naks": 0, "timeouts": 0, "decisions": 4,
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := s.Value(name)
			if !ok || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s = %v, %v, want %v", name, got, ok, want)
			}
		})
	}
	if s.Bottleneck != "s0:2" || s.Algorithm != "dcqcn" || s.Variant != "a" || s.JainBasis != "lifetimes" {
		t.Errorf("bottleneck %q, algorithm %q, variant %q, basis %q", s.Bottleneck, s.Algorithm, s.Variant, s.JainBasis)
	}
}

func TestUnmeasuredIsNotZero(t *testing.T) {
	o := star()
	for i := range o.Flows {
		o.Flows[i] = Flow{Sender: record.NewSender(), Receiver: record.NewReceiver()}
		o.Flows[i].Sender.Started, o.Flows[i].Sender.Completed = unit.Never, unit.Never
	}
	s := Summarise(o)
	for _, name := range []string{"fct_mean_us", "slowdown_p99", "rtt_max_us", "goodput_gbps", "jain", "duration_us"} {
		t.Run(name, func(t *testing.T) {
			if v, _ := s.Value(name); !math.IsNaN(v) {
				t.Errorf("%s = %v, want NaN", name, v)
			}
		})
	}
	if s.Incomplete != 2 {
		t.Errorf("%d incomplete, want 2", s.Incomplete)
	}
}

func TestQuantileIsNearestRank(t *testing.T) {
	v := make([]float64, 200)
	for i := range v {
		v[i] = float64(200 - i) // 200 down to 1: distribution sorts
	}
	d := distribution(v)
	if d.P50 != 100 || d.P99 != 198 || d.Max != 200 || d.Mean != 100.5 {
		t.Errorf("%+v", d)
	}
	if d := distribution([]float64{7}); d != (Distribution{7, 7, 7, 7}) {
		t.Errorf("one sample: %+v", d)
	}
}

func TestMetricNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] || m.Doc == "" || strings.ToLower(m.Name) != m.Name {
			t.Errorf("metric %q is double, undocumented or not lower case", m.Name)
		}
		seen[m.Name] = true
		if !slices.Contains(MetricNames(), m.Name) {
			t.Errorf("%s is not known", m.Name)
		}
	}
	for r := fabric.DropNone + 1; r < fabric.NumDropReasons; r++ {
		if reasons[r] == "" || !r.IsInjected() && !seen["drops_"+r.String()] && !seen["discards_"+r.String()] {
			t.Errorf("drop reason %v has no metric or no explanation", r)
		}
	}
	if len(MetricNames()) != len(Metrics()) {
		t.Errorf("%d names of %d metrics", len(MetricNames()), len(Metrics()))
	}
}

func TestJain(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1, 1, 1, 1}, 1}, {[]float64{5, 0, 0, 0}, 0.25}, {[]float64{0, 0}, 1},
		// Jain, Chiu, Hawe: the index of shares 3 and 1 is 16 / (2 x 10).
		{[]float64{3, 1}, 0.8},
	} {
		if got := Jain(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Jain(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	if !math.IsNaN(Jain([]float64{1})) || !math.IsNaN(Jain(nil)) {
		t.Error("the index of one flow is not NaN")
	}
}

// A single flow for 10 us at 10, then two that share: 5 and 5 is fair, for any earlier rate of the first. With 8 and 2
// for the second half of the common time the index over the piece is the index of 13 and 7 thousand bytes.
func TestJainComparesOnlyFlowsActiveTogether(t *testing.T) {
	for _, c := range []struct {
		first, second []uint32
		start         unit.Time
		want          float64
	}{
		{[]uint32{10, 5, 5}, []uint32{0, 5, 5}, 10 * us, 1},
		{[]uint32{10, 5, 8}, []uint32{0, 5, 2}, 10 * us, 400.0 / (2 * (169 + 49))},
		// A bin during part of which the second flow was active does not count.
		{[]uint32{10, 8, 5}, []uint32{0, 2, 5}, 15 * us, 1},
	} {
		t.Run(fmt.Sprintf("start=%v,want=%v", c.start, c.want), func(t *testing.T) {
			o := star()
			o.Plan.Record.Interval = 10 * unit.Microsecond
			o.End = 30 * us
			for i, bins := range [][]uint32{c.first, c.second} {
				s := o.Flows[i].Sender
				s.Started, s.Completed = c.start*unit.Time(i), 30*us
				s.Over = &record.Progress{Acked: record.Series{Bins: bins}}
			}
			got := fairnessFigures(o)
			if math.Abs(got.Jain-c.want) > 1e-12 || got.JainBasis != "epochs" {
				t.Errorf("%v and %v: %+v, want %v", c.first, c.second, got, c.want)
			}
		})
	}
}

func TestJainTakesTheFlowsOfThePeak(t *testing.T) {
	o := star()
	late := another(&o.Flows[0]) // alone, after the others
	late.Sender.Started, late.Sender.Completed, late.Sender.Acked = 20*us, 21*us, 10000
	o.Flows = append(o.Flows, late)
	o.Plan.Flows = append(o.Plan.Flows, o.Plan.Flows[0])
	o.End = 30 * us
	if got := fairnessFigures(o).Jain; math.Abs(got-0.9) > 1e-12 {
		t.Errorf("jain = %v, want the 0.9 of the two that met", got)
	}
}

// At 10 us h0's flow ends and a third starts: the two never met.
func TestAFlowThatEndsMakesRoomFirst(t *testing.T) {
	o := star()
	third := another(&o.Flows[1])
	third.Sender.Started, third.Sender.Acked = 10*us, 1000
	o.Flows = append(o.Flows, third)
	o.Plan.Flows = append(o.Plan.Flows, o.Plan.Flows[1])
	o.Flows[1].Sender.Acked = 20000
	if got := fairnessFigures(o).Jain; math.Abs(got-1) > 1e-12 {
		t.Errorf("jain = %v, want 1 for the first two", got)
	}
}
