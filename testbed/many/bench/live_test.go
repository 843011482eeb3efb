//go:build linux && !mem

package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The result of a run agrees with its record: both edges' lateness, the frames that left at the second for the rate,
// all that left for the processor time.
func TestLiveResult(t *testing.T) {
	timing := &result.Timing{Dilation: 1, Reference: time.Millisecond}
	timing.Edges = []result.EdgeTiming{{Name: "a", Sent: 50}, {Name: "b", Sent: 150}}
	for i := range 200 {
		timing.Edges[i/100].Lateness.Add(int64(199-i) * 1000)
	}
	timing.Bare.Lateness.Add(77_000)
	c := &LiveCase{Name: "live/x", MTU: 1500}
	r := liveResult(c, unit.Gbps, timing, 2*time.Millisecond)
	if r.Name != c.Name || r.Rate != unit.Gbps || r.Verdict != "green" || r.Green != 1 || r.Runs != 1 ||
		r.Why != "" {
		t.Errorf("%+v", r)
	}
	if r.Max != 199 || r.P50 < 99 || r.P50 > 106 || r.P99 < 197 || r.P999 < r.P99 || r.Bare != 77 {
		t.Errorf("lateness %v, %v, %v, %v us", r.P50, r.P99, r.P999, r.Max)
	}
	if want := 150 * 1538 * 8 / streamSpan.Seconds(); r.Carried != want || r.PerFrame != 10 {
		t.Errorf("%v bit/s carried, want %v; %v us a frame", r.Carried, want, r.PerFrame)
	}
	if r.Class != "normal" || r.Lost != 0 {
		t.Errorf("class %s, lost %d", r.Class, r.Lost)
	}
	c.Realtime = true
	timing.Priorities = []result.Priority{{Participant: "x", Given: true}, {Participant: "y", Lost: "no right"}}
	if r := liveResult(c, unit.Gbps, timing, 0); r.Class != "fifo" || r.Lost != 1 || r.WhyLost != "y: no right" {
		t.Errorf("class %s, lost %d, %s", r.Class, r.Lost, r.WhyLost)
	}
	timing.Reference = time.Microsecond
	if r := liveResult(c, unit.Gbps, timing, 0); r.Verdict != "red" || r.Green != 0 ||
		!strings.HasPrefix(r.Why, "edge a: frames left late: p50 is ") {
		t.Errorf("%+v", r)
	}
}

// Of several runs the median counts, and how many were green of all.
func TestMedianLive(t *testing.T) {
	r := medianLive([]LiveResult{{P99: 9, Verdict: "red", Lost: 1, WhyLost: "it spun"}, {P99: 1, Green: 1},
		{P99: 5, Green: 1, Verdict: "green"}})
	if r.P99 != 5 || r.Green != 2 || r.Runs != 3 || r.Verdict != "green" || r.Lost != 1 || r.WhyLost != "it spun" {
		t.Errorf("%+v", r)
	}
}

// A plan of a case has two edges on the interfaces that the stream is behind, at any rate.
func TestLivePlans(t *testing.T) {
	for _, c := range LiveCases() {
		if c.Daemons == "" {
			continue
		}
		for _, rate := range c.rates() {
			p, err := livePlan(&c, rate, "/run/x")
			if err != nil {
				t.Fatalf("%s at %v: %v", c.Name, rate, err)
			}
			if e := p.EdgeAt(p.Edges()[1]); len(p.Edges()) != 2 || e.Interface != "out1" || e.MTU != c.MTU ||
				p.Links[0].Forward.Rate != rate || p.Until != unit.Time(liveSpan) {
				t.Errorf("%s at %v: %+v", c.Name, rate, e)
			}
		}
	}
}
