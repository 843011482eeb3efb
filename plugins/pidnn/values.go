package pidnn

import "math"

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	gains := &s.gains
	if s.learner != nil {
		gains = &s.learner.Gains
	}
	into[0] = s.predicted / psPerUs
	if s.outputs.n == 0 {
		into[0] = math.NaN()
	}
	into[1] = s.target.at / psPerUs
	into[2], into[3], into[4] = gains.Kp, gains.Ki, gains.Kd
}
