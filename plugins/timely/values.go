package timely

import "math"

const psPerUs = 1e6

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	into[0], into[1] = math.NaN(), math.NaN()
	if s.sampled {
		into[0], into[1] = s.rttDiff/s.dMinRTT, s.prevRTT/psPerUs
	}
}
