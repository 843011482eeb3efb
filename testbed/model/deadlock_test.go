package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// triangle is a plan of three switches in a ring, each with one host. Port 1 of a switch leads to the next one's port
// 2, but that of s2 to port 1 of s0, whose port 2 leads to s1.
func triangle(t *testing.T, more string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("ring", []byte(`
algorithm: none
topology:
  kind: explicit
  nodes:
    [{name: s0, kind: switch}, {name: s1, kind: switch}, {name: s2, kind: switch}, {name: h0}, {name: h1}, {name: h2}]
  links:
    - {endpoints: ["h0:0", "s0:0"]}
    - {endpoints: ["h1:0", "s1:0"]}
    - {endpoints: ["h2:0", "s2:0"]}
    - {endpoints: ["s0:1", "s1:2"]}
    - {endpoints: ["s1:1", "s2:2"]}
    - {endpoints: ["s2:1", "s0:2"]}
traffic: [{from: h0, to: h1, size: 1MB}]
`+more), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

func TestDeadlockPeriod(t *testing.T) {
	for _, c := range []struct {
		more string
		want unit.Duration
	}{
		{"", unit.Millisecond},
		{"run: {until: 3ms}", 750 * unit.Microsecond},
		{"run: {limit: 1ms}", 250 * unit.Microsecond},
		{"run: {until: 4s}", unit.Millisecond},
		{"switches: {s1: {watchdog: {detect: 2ms}}}", 500 * unit.Microsecond},
		{"switches: {s0: {watchdog: {detect: 3ms}}, s2: {watchdog: {detect: 1ms}}}", 250 * unit.Microsecond},
		{"switches: {s1: {watchdog: {detect: 2ms, enabled: false}}}", unit.Millisecond},
		{"switch: {pfc: {enabled: false}, watchdog: {detect: 2ms}}", unit.Millisecond},
	} {
		t.Run(fmt.Sprintf("more=%q", c.more), func(t *testing.T) {
			if got := DeadlockPeriod(triangle(t, c.more)); got != c.want {
				t.Errorf("%q: samples every %v, want %v", c.more, got, c.want)
			}
		})
	}
}

// A cycle is a deadlock if none of its queues moved for a period. It is named once, and again if it was broken and has
// come back.
func TestDeadlocksAreCyclesThatStandStill(t *testing.T) {
	const ms = unit.Time(unit.Millisecond)
	// around lists the queues of the ring, which have stood still since these times; 0 for one that does not.
	around := func(since ...unit.Time) [][]switchd.Blocked {
		list := make([][]switchd.Blocked, 3)
		for sw, at := range since {
			if at > 0 {
				list[sw] = []switchd.Blocked{{Port: 1, Class: 3, Since: at, From: []switchd.Source{{Port: 2, Class: 3}}}}
			}
		}
		return list
	}
	const all = "s0:1/3 s1:1/3 s2:1/3"
	for _, c := range []struct {
		name    string
		samples map[unit.Time][][]switchd.Blocked
		want    string
	}{
		{"at the second sample after the last queue stopped",
			map[unit.Time][][]switchd.Blocked{ms: around(1, 7, 3), 2 * ms: around(1, 7, 3), 3 * ms: around(1, 7, 3)},
			"2000000000 since 7 " + all},
		{"not if one moved between two samples",
			map[unit.Time][][]switchd.Blocked{ms: around(1, 7, 3), 2 * ms: around(1, ms+9, 3), 3 * ms: around(1, 2*ms+9, 3)},
			""},
		{"not if one is not blocked", map[unit.Time][][]switchd.Blocked{ms: around(1, 0, 3), 2 * ms: around(1, 0, 3)}, ""},
		{"at the end of the run only after a period",
			map[unit.Time][][]switchd.Blocked{ms: around(1, ms-1, 3), 2*ms - 1: around(1, ms-1, 3)}, ""},
		{"at the end of the run after a period",
			map[unit.Time][][]switchd.Blocked{ms: around(1, 9, 3), ms + 10: around(1, 9, 3)}, "1000000010 since 9 " + all},
		{"once more if it came back", map[unit.Time][][]switchd.Blocked{
			ms: around(1, 7, 3), 2 * ms: around(1, 7, 3), 3 * ms: around(1, 0, 3), 4 * ms: around(3*ms+5, 3*ms+6, 3*ms+7),
			5 * ms: around(3*ms+5, 3*ms+6, 3*ms+7), 6 * ms: around(3*ms+5, 3*ms+6, 3*ms+7),
		}, "2000000000 since 7 " + all + "; 5000000000 since 3000000007 " + all},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewDeadlocks(triangle(t, ""))
			var at []unit.Time
			for now := range c.samples {
				at = append(at, now)
			}
			slices.Sort(at)
			for _, now := range at {
				d.Sample(now, c.samples[now])
			}
			var got []string
			for _, f := range d.Found {
				got = append(got, fmt.Sprintf("%d since %d %s", f.At, f.Since, strings.Join(f.Queues, " ")))
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("%s: found %q, want %q", c.name, text, c.want)
			}
		})
	}
}
