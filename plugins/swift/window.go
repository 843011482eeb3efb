package swift

import "github.com/rocelab/rocelab/plugins/cc/unit"

// window is Algorithm 1 for one delay and its target.
type window struct {
	*settings
	cwnd, most    float64 // packets
	tLastDecrease unit.Time
}

// canDecrease is line 3: now - t_last_decrease >= rtt, one decrease per RTT.
func (w *window) canDecrease(now unit.Time, rtt unit.Duration) bool {
	return now.Sub(w.tLastDecrease) >= rtt
}

// ack is lines 6 to 14 and 26 to 28. Delay and target in ps:
//
//	delay < target:  cwnd + ai num_acked / cwnd,  from one packet on
//	                 cwnd + ai num_acked,         below it
//	else:            cwnd max(1 - beta (delay - target)/delay, 1 - max_mdf), if can_decrease
func (w *window) ack(now unit.Time, rtt unit.Duration, delay, target, numAcked float64) {
	switch {
	case delay < target && w.cwnd >= 1:
		w.cwnd += float64(w.ai * numAcked / w.cwnd)
	case delay < target:
		w.cwnd += float64(w.ai * numAcked)
	case w.canDecrease(now, rtt):
		w.decrease(now, max(1-float64(w.beta*((delay-target)/delay)), 1-w.maxMDF))
	}
	w.cwnd = min(w.cwnd, w.most)
}

// decrease leaves the given share; t_last_decrease is the time at which the window last became smaller.
func (w *window) decrease(now unit.Time, share float64) {
	w.set(now, w.cwnd*share)
}

// set keeps the window between min_cwnd and max_cwnd, lines 26 to 28.
func (w *window) set(now unit.Time, cwnd float64) {
	before := w.cwnd
	w.cwnd = min(max(cwnd, w.minCwnd), w.most)
	if w.cwnd < before {
		w.tLastDecrease = now
	}
}

// lose is line 21 and line 25: a loss takes max_mdf, if can_decrease.
func (w *window) lose(now unit.Time, rtt unit.Duration) {
	if w.canDecrease(now, rtt) {
		w.decrease(now, 1-w.maxMDF)
	}
}
