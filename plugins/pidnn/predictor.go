package pidnn

import "github.com/rocelab/rocelab/plugins/pidnn/lstm"

// predictor predicts the next RTT.
type predictor struct {
	// network is nil without one.
	network *lstm.Network
	// newest predicts R_t itself: out = K_t.
	newest bool
}

// predict is equation 12, RTTpred(t) = (1 + out) S_t. In place of the network's,
// out is
//
//	K_t  with predictor off: the prediction is R_t (thesis, section 4.2.3), and
//	     so before the third sample, when there is nothing to run the network on
//	0    with predictor smoothed
func (p *predictor) predict(features *Features, rtt float64) float64 {
	switch {
	case p.newest || p.network != nil && !features.Ready():
		return rtt
	case p.network == nil:
		return features.S
	}
	return (1 + p.network.Predict(features.K)) * features.S
}
