//go:build linux && !mem

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/bench"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
)

// A rate counts as green where most of its runs were. A table has a case at one priority, and fits 80
// columns.
func TestBenchLivePrints(t *testing.T) {
	var b strings.Builder
	slow := bench.LiveResult{
		Name:     "live/switch/4096B/node",
		Class:    "fifo",
		Rate:     500 * unit.Mbps,
		Green:    20,
		Runs:     50,
		Verdict:  "amber",
		Why:      "edge a (out0): frames left late: p99 is 1.23ms, above R/2 = 50us, and much more than one line of it",
		Carried:  500e6,
		P50:      123_456.7,
		P99:      1_234.5,
		P999:     123_456_789,
		Max:      123_456_789,
		PerFrame: 123.45,
		Lost:     2,
		WhyLost:  "the pool's daemon: taken away",
	}
	err := liveFigures{[]bench.LiveResult{
		{
			Name:    "live/a",
			Class:   "normal",
			Rate:    50 * unit.Mbps,
			Green:   2,
			Runs:    3,
			Verdict: "green",
			Carried: 45e6,
		},
		{
			Name:    "live/a",
			Class:   "normal",
			Rate:    100 * unit.Mbps,
			Green:   1,
			Runs:    2,
			Verdict: "amber",
			P99:     210.4,
			Bare:    150.2,
		},
		{
			Name:     "live/a",
			Class:    "fifo",
			Rate:     4 * unit.Gbps,
			Green:    3,
			Runs:     3,
			Verdict:  "green",
			Carried:  2e9,
			PerFrame: 7.94,
		},
		slow,
	}}.document().Print(&b, page.FormatTable, page.Page{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "│", " ")), " ")
	for _, words := range []string{
		"live/a, K = 1, normal priority",
		"50Mbps 2/3 green 90.0 % ",
		"100Mbps 1/2 amber 0.0 % 0s 210us 0s 150us ",
		"the highest green rate is 50Mbps live/a, K = 1, real-time priority",
		"0s 7.9us └",
		"the highest rate tried was green: 4Gbps not all frames were carried",
		"at 500Mbps the median run was amber: edge a (out0): frames left late: p99 is 1.23ms, above R/2 = 50us, and",
		"no rate was green: at 500Mbps 20 of 50 runs were green.",
		"at 500Mbps real-time priority was lost before the end in 2 of 50 runs: the pool's daemon: taken away",
	} {
		t.Run(fmt.Sprintf("%.50q", words), func(t *testing.T) {
			if !strings.Contains(text, words) {
				t.Errorf("no %q in %s", words, text)
			}
		})
	}
	if strings.Count(text, "not all frames were carried") != 1 {
		t.Errorf("a stream that had what it needs was blamed: %s", text)
	}
	for line := range strings.Lines(b.String()) {
		if width := utf8.RuneCountInString(strings.TrimSpace(line)); width > 80 && !strings.HasPrefix(line, "at ") {
			t.Errorf("%d columns: %s", width, line)
		}
	}
}

// A case runs from the lowest rate up, and stops once it is no longer green, at normal and then with real-time
// priority; that rate depends on the host.
func TestBenchLive(t *testing.T) {
	tier.Slow(t)
	s, _ := newLab(t)
	s.process(2, "bench", "--on", "live", "nothing")
	s.says(s.stderr, "there are live/switch/1500B/pool, ")
	s.process(2, "bench", "--on", "live", "--runs", "0")
	s.says(s.stderr, "--runs 0: allowed are 1 and above")
	if err := realtime.Check(); err != nil {
		t.Skip(err)
	}
	s.process(0, "bench", "--on", "live", "switch/1500B/pool", "--realtime", "--runs", "1", "--format", "json")
	s.says(s.stderr, "2/2 live/switch/1500B/pool, real-time priority: 50Mbps, ")
	var f liveFigures
	if err := json.Unmarshal([]byte(s.stdout), &f); err != nil || len(f.Rates) < 2 {
		t.Fatalf("%v in %s", err, s.stdout)
	}
	for i, r := range f.Rates {
		last := i == len(f.Rates)-1 || f.Rates[i+1].Class != r.Class
		if r.Runs != 1 || r.Carried <= 0 || r.Max < r.P999 || r.P999 < r.P99 || r.P99 < r.P50 || !last && r.Green != 1 {
			t.Errorf("%+v", r)
		}
	}
	if f.Rates[0].Class != "normal" || f.Rates[len(f.Rates)-1].Class != "fifo" {
		t.Errorf("classes %s to %s", f.Rates[0].Class, f.Rates[len(f.Rates)-1].Class)
	}
}
