package swift

import "math"

const psPerUs = 1e6

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	into[0] = s.fabric.cwnd
	into[1] = (s.path + s.flowTarget(s.fabric.cwnd)) / psPerUs
	into[2], into[3] = math.NaN(), math.NaN()
	if s.endpoint {
		into[2] = s.end.cwnd
	}
	if s.sampled {
		into[3] = s.endDelay / psPerUs
	}
}
