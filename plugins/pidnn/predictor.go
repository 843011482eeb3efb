package pidnn

import "github.com/rocelab/rocelab/plugins/pidnn/lstm"

// predictor says what the next RTT will be.
type predictor struct {
	// network is nil without one.
	network *lstm.Network
	// newest predicts R_t itself: out = K_t.
	newest bool
}

// predict is equation 12, RTTpred(t) = (1 + out) S_t. In place of the network's,
// out is
//
//	0    before the third sample, and with predictor smoothed
//	K_t  with predictor off: the prediction is R_t (thesis, section 4.2.3)
func (p *predictor) predict(f *Features, r float64) float64 {
	switch {
	case p.newest:
		return r
	case p.network == nil || !f.Ready():
		return f.S
	}
	return (1 + p.network.Predict(f.K)) * f.S
}
