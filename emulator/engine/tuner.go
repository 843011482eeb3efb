package engine

import "time"

// tuner decides whether windows are worth all workers. It measures a stretch of windows each way, keeps the faster for
// a while, and measures again, because loads and the machine change. It reads the wall clock, so its choice must never
// show in a result.
type tuner struct {
	clock func() time.Time
	// parallel is the choice in force: true for all workers.
	parallel bool
	phase    phase
	// The current stretch has run windows windows; it ends after lastWindow of them, or with the window in which the
	// engine's hops reach lastHop.
	windows, lastWindow int
	firstHop, lastHop   uint64
	began               time.Time
	// costAlone and together are the costs that the trials found, in ns a hop.
	costAlone, costParallel float64
}

// phase is the use that the tuner makes of a stretch of windows.
type phase uint8

const (
	keeping phase = iota
	firstTrial
	secondTrial
)

const (
	// A trial of trialWindows outweighs the cost of the clock itself; so does one of trialHops, in a few windows of a
	// large fabric, since a short run may have no more than a hundred.
	trialWindows = 128
	trialHops    = 1 << 16
	// keepFactor makes trials 4 % of a run, and worthwhile is the gain that a
	// second worker must show, so that noise does not choose it.
	keepFactor = 50
	worthwhile = 0.95
	// sparse is the number of hops a window below which no second trial is
	// made, for a barrier would cost about as much; from dense on the first
	// trial is of all workers, which then are almost surely faster.
	sparse = 64
	dense  = 2000
)

// newTuner returns a tuner that runs the first window alone, to see how many
// hops it has.
func newTuner(clock func() time.Time) tuner {
	return tuner{clock: clock, began: clock(), lastWindow: 1, lastHop: never}
}

const never = 1<<64 - 1

// choose reports whether the next window should run on all workers. hops is
// the number of hops so far.
func (t *tuner) choose(hops uint64) bool {
	if t.windows == t.lastWindow || hops >= t.lastHop {
		t.nextStretch(hops)
	}
	t.windows++
	return t.parallel
}

// nextStretch ends a stretch and begins the next.
func (t *tuner) nextStretch(hops uint64) {
	now, ran, done := t.clock(), uint64(t.windows), hops-t.firstHop
	cost := float64(now.Sub(t.began)) / float64(max(done, 1))
	if t.parallel {
		t.costParallel = cost
	} else {
		t.costAlone = cost
	}
	last := trialWindows
	switch t.phase {
	case keeping:
		t.phase, t.parallel = firstTrial, done >= dense*ran
	case firstTrial:
		if done < sparse*ran {
			t.phase, t.parallel, last = keeping, false, trialWindows*keepFactor/5
			break
		}
		t.phase, t.parallel = secondTrial, !t.parallel
	case secondTrial:
		t.phase, t.parallel, last = keeping, t.costParallel < t.costAlone*worthwhile, t.windows*keepFactor
	}
	t.windows, t.lastWindow, t.began = 0, last, now
	t.firstHop, t.lastHop = hops, never
	if t.phase != keeping {
		t.lastHop = hops + trialHops
	}
}
