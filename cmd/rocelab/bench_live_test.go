//go:build linux && !mem

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/tools/bench"
)

// A rate counts as green where most of its runs were.
func TestBenchLivePrints(t *testing.T) {
	var b strings.Builder
	err := liveFigures{[]bench.LiveResult{
		{
			Name:    "live/a",
			Rate:    50 * unit.Mbps,
			Green:   2,
			Runs:    3,
			Verdict: "green",
			Carried: 45e6,
		},
		{
			Name:    "live/a",
			Rate:    100 * unit.Mbps,
			Green:   1,
			Runs:    2,
			Verdict: "amber",
			P99:     210.4,
		},
		{
			Name:     "live/b",
			Rate:     50 * unit.Mbps,
			Green:    0,
			Runs:     3,
			Verdict:  "red",
			PerFrame: 7.94,
		},
	}}.print(&b)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, words := range []string{
		"│ live/a │ 50Mbps │ 2 of 3 │ green │ 90.0 % │",
		"│ live/a │ 100Mbps │ 1 of 2 │ amber │ 0.0 % │ 0 │ 210 │",
		"│ 7.9 │",
		"live/a: the highest green rate is 50Mbps",
		"live/b: the highest green rate is none",
	} {
		if !strings.Contains(text, words) {
			t.Errorf("no %q in %s", words, text)
		}
	}
}

// A case runs from below, and stops where it is no more green; what that is depends on the host.
func TestBenchLive(t *testing.T) {
	tier.Slow(t)
	s, _ := newLab(t)
	s.process(2, "bench", "--on", "live", "nothing")
	s.says(s.stderr, "there are live/switch/1500B/pool, ")
	s.process(0, "bench", "--on", "live", "switch/1500B/pool", "--runs", "1", "--format", "json")
	var f liveFigures
	if err := json.Unmarshal([]byte(s.stdout), &f); err != nil || len(f.Rates) == 0 {
		t.Fatalf("%v in %s", err, s.stdout)
	}
	for i, r := range f.Rates {
		if r.Runs != 1 || r.Carried <= 0 || r.Max < r.P999 || r.P999 < r.P99 || r.P99 < r.P50 ||
			i < len(f.Rates)-1 && r.Green != 1 {
			t.Errorf("%+v", r)
		}
	}
}
