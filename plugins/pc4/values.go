package pc4

import "math"

// psPerUs and bpsPerGbps are for values, which are for people.
const (
	psPerUs    = 1e6
	bpsPerGbps = 1e9
)

// Values implements cc.Valued. The rate is in the series of the flow.
func (s *sender) Values(into []float64) {
	into[0] = s.targetQtime() / psPerUs
	into[1] = float64(s.baseRecorded) / bpsPerGbps
	if s.baseRecorded == 0 {
		into[1] = math.NaN()
	}
	into[2] = s.cwnd
}
