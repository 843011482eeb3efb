package proximal

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const window = 50 * unit.Microsecond

// senders makes flows send into an empty queue once a window, live of them at an instant, and returns the last known
// numbers at the end of each window.
func senders(c *Census, from, to unit.Time, live func(unit.Time) int, known func(at unit.Time, live, lately int)) {
	for at := from; at < to; at += 10 * us {
		for i := range live(at) {
			place := c.Add(flow(i), 7, 100, func(Flow) int { return 1 })
			c.Remove(place, 100)
			if n, lately, ok := c.Senders(at, window); ok {
				known(at, n, lately)
			}
		}
	}
}

// New flows are known within two windows, ended flows within two windows and two milliseconds; the numbers of a queue
// that was silent begin again.
func TestCrowd(t *testing.T) {
	var c Census
	const more, fewer, end = 10 * ms, 20 * ms, 25 * ms
	live := func(at unit.Time) int {
		switch {
		case at < more:
			return 4
		case at < fewer:
			return 6
		}
		return 2
	}
	windows := 0
	senders(&c, 0, end, live, func(at unit.Time, n, lately int) {
		windows++
		switch {
		case at < more && n != 4, at >= more+100*us && at < fewer && (n != 6 || lately < 6),
			at >= fewer+150*us && n != 2:
			t.Errorf("at %v: %d flows, lately %d", at, n, lately)
		case at >= 3*ms && at < more && lately != 4, at >= fewer && at < fewer+ms && lately != 6,
			at >= fewer+3*ms && lately != 2:
			t.Errorf("at %v: %d flows lately", at, lately)
		case at < ms && lately != maxQueuedFlows:
			t.Errorf("at %v: %d flows lately, want none said before a span is over", at, lately)
		}
	})
	if windows < 490 || windows > 500 {
		t.Errorf("%d windows in 25 ms, want one each 50 us but for the first", windows)
	}
	senders(&c, 2*end, 2*end+60*us, func(unit.Time) int { return 3 }, func(at unit.Time, n, lately int) {
		if n != 3 || lately != maxQueuedFlows {
			t.Errorf("at %v after a silence: %d flows, lately %d", at, n, lately)
		}
	})
}

// A flow that sends is known by its place although no byte of it is in the queue, and
// one that no longer does makes room.
func TestCensusKeepsThoseWhoSend(t *testing.T) {
	var c Census
	listed := func() (n int) {
		c.ByDevice(func(*QueuedFlow) bool { return true }, func(_ int, flows []*QueuedFlow) { n += len(flows) })
		return n
	}
	senders(&c, 0, ms, func(unit.Time) int { return 200 }, func(at unit.Time, n, _ int) {
		if n != 200 {
			t.Errorf("at %v: %d flows, want 200", at, n)
		}
	})
	if n := listed(); n != 200 {
		t.Errorf("%d flows are listed, want those that send", n)
	}
	senders(&c, 2*ms, 3*ms, func(unit.Time) int { return 1 }, func(unit.Time, int, int) {})
	if n := listed(); n != 1 {
		t.Errorf("%d flows are listed, want the one that sends", n)
	}
	c.Add(Flow{9, 9, 9}, 7, 100, func(Flow) int { return 1 })
	if len(c.index) > 3 {
		t.Errorf("%d flows are kept", len(c.index))
	}
}
