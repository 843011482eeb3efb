package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// SwingEdges are the bounds between the steps that Swing counts in.
var SwingEdges = [...]float64{0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2}

// swingNewest is the weight of the newest RTT in the running average (LSTM+PIDNN thesis,
// section 3.3.1).
const swingNewest = 0.2

// Swing measures the steadiness of a flow's sampled RTTs: the distance of each from their running average, as a share
// of that.
//
//	S_0 = R_0; S_t = 0.2 R_t + 0.8 S_(t-1)
//	|K_t| = |R_t - S_t|/S_t
//
// (LSTM+PIDNN thesis, equations 2 and 3.) The first sample is its own average and does not count.
// The zero value has seen no sample.
type Swing struct {
	// Counts[i] counts |K| from SwingEdges[i-1] to below SwingEdges[i]: the first step begins at 0, the
	// last one has no end.
	Counts [len(SwingEdges) + 1]uint32
	// Sum is the sum of all |K|.
	Sum float64
	// Average is S_t in ps, 0 before the first sample.
	Average float64
}

// Add takes in the next sample, which is above 0.
func (s *Swing) Add(rtt unit.Duration) {
	sample := float64(rtt)
	if s.Average == 0 {
		s.Average = sample
		return
	}
	s.Average = float64(swingNewest*sample) + float64((1-swingNewest)*s.Average)
	off := (sample - s.Average) / s.Average
	off = max(off, -off)
	s.Sum += off
	step := 0
	for step < len(SwingEdges) && off >= SwingEdges[step] {
		step++
	}
	s.Counts[step]++
}

// Merge adds the samples of another flow, nil for none. The result does not take further samples.
func (s *Swing) Merge(other *Swing) {
	if other == nil {
		return
	}
	for i, n := range other.Counts {
		s.Counts[i] += n
	}
	s.Sum += other.Sum
}

// Count returns the number of samples that count, 0 for nil.
func (s *Swing) Count() (n uint64) {
	if s == nil {
		return 0
	}
	for _, c := range s.Counts {
		n += uint64(c)
	}
	return n
}
