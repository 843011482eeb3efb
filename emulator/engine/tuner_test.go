package engine

import (
	"testing"
	"time"
)

// runTuned runs windows with the given number of hops, each of which costs alone or together nanoseconds, and returns
// how many windows ran on all workers.
func runTuned(windows, hops int, alone, together time.Duration) (parallel int) {
	now := time.Unix(0, 0)
	t := newTuner(func() time.Time { return now })
	for w := range windows {
		cost := alone
		if t.choose(uint64(w * hops)) {
			parallel++
			cost = together
		}
		now = now.Add(time.Duration(hops) * cost)
	}
	return parallel
}

// Fast, in tier -short.
func TestTuner(t *testing.T) {
	for _, c := range []struct {
		name            string
		windows, hops   int
		alone, together time.Duration
		least, most     int
	}{
		// 8192 hosts: a whole run may have 136 windows of 143 000 hops.
		{
			name:     "a short run of a large fabric",
			windows:  136,
			hops:     143_000,
			alone:    200,
			together: 105,
			least:    128,
			most:     134,
		},
		// 1024 hosts, flows of 500 KB.
		{
			name:     "a run of 300 windows",
			windows:  300,
			hops:     25_500,
			alone:    200,
			together: 105,
			least:    285,
			most:     298,
		},
		{
			name:     "a second worker that does not pay",
			windows:  10_000,
			hops:     25_500,
			alone:    100,
			together: 99,
			least:    1,
			most:     400,
		},
		{
			name:     "windows of few hops",
			windows:  50_000,
			hops:     20,
			alone:    100,
			together: 50,
			least:    0,
			most:     0,
		},
		{
			name:     "windows of many hops, a long run",
			windows:  50_000,
			hops:     640,
			alone:    100,
			together: 70,
			least:    47_000,
			most:     49_800,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := runTuned(c.windows, c.hops, c.alone, c.together); got < c.least || got > c.most {
				t.Errorf("%s: %d of %d windows ran on all workers, want %d to %d", c.name, got, c.windows, c.least, c.most)
			}
		})
	}
}
