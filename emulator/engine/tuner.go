package engine

import "time"

// tuner decides whether windows are worth all workers. It measures a stretch
// of windows each way, keeps the faster for a while, and measures again: loads
// change, and so does the machine. It reads the wall clock, which is why its
// choice may never show in a result.
type tuner struct {
	mode    bool // true: all workers
	trial   int  // 0: keeping the winner; 1, 2: measuring alone, together
	windows int  // left in this stretch
	began   time.Time
	hops    uint64
	alone   float64 // ns a hop
}

const (
	// trialWindows is long enough to drown the clock's own cost, keepFactor
	// makes trials 4 % of a run, and worthwhile is the gain that a second
	// worker must show, so that noise does not choose it.
	trialWindows = 128
	keepFactor   = 50
	worthwhile   = 0.95
	// sparse is the number of hops a window below which no trial is made,
	// for a barrier would cost about as much.
	sparse = 64
)

// together reports whether the next window should run on all workers.
func (t *tuner) together(e *Engine) bool {
	if t.windows > 0 {
		t.windows--
		return t.mode
	}
	now, hops := time.Now(), e.Hops()
	cost := float64(now.Sub(t.began)) / float64(max(hops-t.hops, 1))
	busy := hops-t.hops >= sparse*trialWindows
	switch t.trial {
	case 0:
		t.trial, t.mode, t.windows = 1, false, trialWindows
	case 1:
		if !busy {
			t.windows = trialWindows * keepFactor / 5
			t.trial = 0
			break
		}
		t.alone = cost
		t.trial, t.mode, t.windows = 2, true, trialWindows
	case 2:
		t.mode = cost < t.alone*worthwhile
		t.trial, t.windows = 0, trialWindows*keepFactor
	}
	t.began, t.hops = now, hops
	t.windows--
	return t.mode
}
