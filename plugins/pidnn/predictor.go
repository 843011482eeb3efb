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

// Features are the predictor's knowledge of a flow's RTTs. Times may be in any unit. The zero value has seen no sample.
type Features struct {
	// S is the smoothed RTT; K are K_(t-2), K_(t-1) and K_t, 0 where there was
	// no sample.
	S float64
	K [lstm.Steps]float64
	// Samples counts them.
	Samples int
}

// Sigma is the smoothing factor of the thesis (section 3.3.1).
const Sigma = 0.2

// Observe takes in the sample R_t. Range of rtt: above 0; of sigma: (0, 1].
//
//	S_t = R_t                              t = 0
//	S_t = sigma R_t + (1 - sigma) S_(t-1)  t >= 1   equation 2
//	K_t = (R_t - S_t)/S_t                           equation 3
func (f *Features) Observe(rtt, sigma float64) {
	if f.Samples == 0 {
		f.S = rtt
	} else {
		f.S = float64(sigma*rtt) + float64((1-sigma)*f.S)
	}
	copy(f.K[:], f.K[1:])
	f.K[lstm.Steps-1] = (rtt - f.S) / f.S
	f.Samples++
}

// Ready reports whether there are as many K as the predictor takes.
func (f *Features) Ready() bool { return f.Samples >= lstm.Steps }
