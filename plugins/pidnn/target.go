package pidnn

// target is a flow's RTT target in ps, and RTTch, which moves it to where the
// flow's RTTs are if they stay on one side of it (thesis, section 3.5.4). The low
// bound is the first target, in the literal reading the base RTT; the high one is
// ten base RTTs.
type target struct {
	at        float64
	low, high float64 // what RTTch keeps to
	literal   bool
	many      int // RTTch_num

	count int
	sum   float64
	n     float64
}

// observe takes in a sample (Table 2):
//
//	b = R > target ? 1 : -1
//	count b >= 0: the RTT stays on its side, count on; else count = 0
//	count > RTTch_num: target += mean of all (R_i - target), count = 0   equations 27 and 28
//
// As printed (literal) count only goes up, so that below the target it flips
// between 0 and 1 and never fires. Otherwise it goes down there, and fires beyond
// -RTTch_num too. The mean of all R_i - target is taken with the target as it is,
// so that the new target is the mean of all R_i: so section 4.4.2 has it.
//
// Differs from the paper: the target is bounded. On both sides of it, that is not
// below the one that the flow began with: on an empty path the RTT lies below the
// target because the rate is low, and a target that followed would keep it low (a
// lone flow at 100 Gb/s then gets 19 Gb/s).
func (t *target) observe(rtt float64) {
	t.sum += rtt
	t.n++
	b := -1
	if rtt > t.at {
		b = 1
	}
	switch {
	case t.count*b < 0:
		t.count = 0
	case t.literal:
		t.count++
	default:
		t.count += b
	}
	if t.count > t.many || -t.count > t.many {
		t.at = min(max(t.sum/t.n, t.low), t.high)
		t.count = 0
	}
}
