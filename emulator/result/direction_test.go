package result

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
)

// Times, losses and queues are better if lower, rates and fairness if higher; counts of signals or requests are
// neither.
func TestDirections(t *testing.T) {
	want := map[Direction][]string{
		Lower: {"duration_us", "fct_p99_us", "slowdown_mean", "rtt_max_us", "queue_max_bytes", "drops", "drops_headroom",
			"pauses", "retransmits", "deadlocks", "feedback_us", "iteration_mean_us", "incomplete"},
		Higher: {"completed", "goodput_gbps", "flow_rate_gbps", "utilisation", "jain", "busbw_gigabytes_s",
			"iterations_done"},
		None: {"flows", "marks", "cnps", "decisions", "notifications", "discards_out_of_order", "iterations",
			"bound_us", "free_us"},
	}
	for direction, names := range want {
		t.Run(fmt.Sprintf("direction=%v", direction), func(t *testing.T) {
			for _, name := range names {
				if m, ok := MetricOf(name); !ok || m.Better != direction {
					t.Errorf("%s: the better is %v, want %v", name, m.Better, direction)
				}
			}
		})
	}
	for _, m := range Metrics() {
		if m.Name == "bound_us" || m.Name == "free_us" { // of the plan: a run has no part in it
			continue
		}
		if strings.HasSuffix(m.Name, "_us") && m.Better != Lower || strings.HasSuffix(m.Name, "_gbps") && m.Better != Higher {
			t.Errorf("%s: the better is %v", m.Name, m.Better)
		}
	}
}

func TestBest(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		d          Direction
		a, b, want float64
	}{
		{Lower, 1, 2, 1},
		{Higher, 1, 2, 2},
		{Lower, nan, 2, 2},
		{Higher, 1, nan, 1},
		{None, 1, 2, nan},
		{Lower, nan, nan, nan},
	} {
		t.Run(fmt.Sprintf("d=%v,a=%v,b=%v", c.d, c.a, c.b), func(t *testing.T) {
			if got := c.d.Best(c.a, c.b); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%v of %v and %v: %v, want %v", c.d, c.a, c.b, got, c.want)
			}
		})
	}
}

// Flows without a size do not complete: they send until they are stopped.
func TestFlowsDone(t *testing.T) {
	for _, c := range []struct {
		flows, endless, incomplete uint64
		want                       string
	}{
		{8, 0, 0, "8 of 8 flows completed"},
		{8, 0, 1, "7 of 8 flows completed"},
		{2, 2, 0, "2 flows until stopped"},
		{10, 2, 3, "5 of 8 flows completed, 2 until stopped"},
		{0, 0, 0, "0 of 0 flows completed"},
	} {
		t.Run(fmt.Sprintf("flows=%v,endless=%v,incomplete=%v", c.flows, c.endless, c.incomplete), func(t *testing.T) {
			s := Summary{FlowFigures: FlowFigures{Flows: c.flows, Endless: c.endless, Incomplete: c.incomplete}}
			if got := s.FlowsDone(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	o := star()
	o.Plan.Flows[1].Size = 0
	if got := Summarise(o).FlowsDone(); got != "1 of 1 flows completed, 1 until stopped" {
		t.Errorf("%q", got)
	}
}

// What several seeds exercised is one line, with ranges, and with how many of
// them had what not all had.
func TestEffectOfSeveralSeeds(t *testing.T) {
	a, b := Summarise(star()), Summarise(star())
	b.Marks, b.Queueing.Mean = 9, math.NaN()
	text := EffectNote([]*Summary{a, b}, [][]Evidence{
		{{4, "marks"}, {0, "a queue beyond one BDP at s0:2"}},
		{{9, "marks"}},
	})
	want := "4 decisions, [4..9] marks, 4 CNPs, 0 pauses, 0 drops; mean wait in a queue 2.000us; congestion: " +
		"[4..9] marks, a queue beyond one BDP at s0:2 (in 1 of 2)"
	if text != want {
		t.Errorf("%q, want %q", text, want)
	}
	b.Queueing.Mean = 74.8
	if text := EffectText([]*Summary{a, b}, nil); !strings.HasSuffix(text, "mean wait in a queue [2.000..74.80] us") {
		t.Errorf("people read %q", text)
	}
	v := judge(star())
	if v.Findings[0].Subject != Effect || v.Findings[0].Text != EffectNote([]*Summary{a}, [][]Evidence{v.Congestion}) {
		t.Errorf("the first finding about effect is not the note: %+v", v.Findings)
	}
}

// A run with edges only is described by the frames that crossed it, and one at which nothing came in is void. Tier:
// -short.
func TestRunsOfEdgesAlone(t *testing.T) {
	o := &Outcome{
		Plan:    &plan.Plan{Devices: []plan.Device{{Kind: plan.KindEdge, Name: "a", Config: plan.Edge{}}}},
		Network: Network{Devices: []Device{{Ports: []record.Port{{SourcedFrames: 7, SunkFrames: 5}}}}},
	}
	s := Summarise(o)
	if got := s.FlowsDone(); got != "7 frames came in at edges, 5 left" {
		t.Errorf("%q", got)
	}
	if f := effect(o, s, nil); len(f) == 0 || f[0].Status != Pass {
		t.Errorf("with frames that came in: %v", f)
	}
	o.Devices[0].Ports[0] = record.Port{}
	if f := effect(o, Summarise(o), nil); len(f) != 1 || f[0].Status != Void {
		t.Errorf("without any: %v", f)
	}
}
