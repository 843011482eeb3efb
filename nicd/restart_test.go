package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var restartFacts = cc.Facts{LineRate: 100 * unit.Gbps, MTU: 1000, BaseRTT: 4 * us} // 50 kB in flight

// With line what the algorithm decided counts no more until it allows less. Tier: -short. Red: with the comparison in
// bound turned round.
func TestRestartAtLineRate(t *testing.T) {
	r := newRestart(profile.Restart{Rule: profile.RestartLine}, &restartFacts)
	step := func(name string, asked, want cc.Decision) {
		t.Helper()
		got := asked
		if r.bound(&got); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	slow, line := cc.Decision{Rate: 10 * unit.Gbps, Window: 9000}, cc.Decision{Rate: 100 * unit.Gbps}
	step("before", slow, slow)
	r.begin()
	step("the same again", slow, line)
	step("more", cc.Decision{Rate: 11 * unit.Gbps, Window: 9500}, line)
	step("less window", cc.Decision{Rate: 12 * unit.Gbps, Window: 9000}, cc.Decision{Rate: 12 * unit.Gbps, Window: 9000})
	step("more", line, line)
	r.begin()
	step("less rate", slow, slow)
}

// With slow ten packets may be unacknowledged at first, and the bound ends with a full round trip.
// Red: with the bound kept at full in acknowledged.
func TestRestartSlowly(t *testing.T) {
	r := newRestart(profile.Restart{Rule: profile.RestartSlow}, &restartFacts)
	window := func() unit.Bytes {
		d := r.asked
		r.bound(&d)
		return d.Window
	}
	if r.acknowledged(1000) || window() != 0 {
		t.Error("a bound before the first restart")
	}
	r.begin()
	for _, want := range []unit.Bytes{10_000, 20_000, 30_000, 40_000, 0} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := window(); got != want {
				t.Errorf("window %d, want %d", got, want)
			}
			r.acknowledged(10_000)
		})
	}
	r.asked.Window = 5000
	r.begin()
	if got := window(); got != 5000 {
		t.Errorf("the algorithm's own window becomes %d", got)
	}
}

// A QP is idle after the key's time, else after its timeout; keep has no restart.
func TestRestartIsDue(t *testing.T) {
	for _, c := range []struct {
		idle, since unit.Duration
		want        bool
	}{{0, 3 * ms, false}, {0, 4 * ms, true}, {10 * us, 9 * us, false}, {10 * us, 10 * us, true}} {
		t.Run(fmt.Sprintf("idle=%v,since=%v", c.idle, c.since), func(t *testing.T) {
			r := newRestart(profile.Restart{Rule: profile.RestartLine, Idle: c.idle}, &restartFacts)
			if got := r.due(at(ms), at(ms+c.since), 4*ms); got != c.want {
				t.Errorf("idle %v, for %v: %t", c.idle, c.since, got)
			}
		})
	}
	if newRestart(profile.Restart{}, &restartFacts) != nil {
		t.Error("keep is a restart")
	}
}
