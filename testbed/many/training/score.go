package training

// Score is the quality of a predictor on a set of pairs.
type Score struct {
	// Loss is the mean of |L - out| (thesis, equation 11), MAPE the mean of
	// |out - L| / (1 + L), the relative error of the predicted RTT (equation
	// 13, as a fraction).
	Loss float64 `json:"loss"`
	MAPE float64 `json:"mape"`
}

// tally sums what becomes a Score.
type tally struct {
	n          int
	loss, mape float64
}

func (t *tally) add(out float64, p *pair) {
	miss := max(out-p.L, p.L-out)
	t.n++
	t.loss += miss
	t.mape += miss / (1 + p.L)
}

func (t *tally) score() Score { return Score{t.loss / float64(t.n), t.mape / float64(t.n)} }

func score(pairs []pair, predict func(k [steps]float64) float64) Score {
	var t tally
	for i := range pairs {
		t.add(predict(pairs[i].K), &pairs[i])
	}
	return t.score()
}

// The naive predictors: the RTT will be its average, or what it is now.
func average([steps]float64) float64  { return 0 }
func newest(k [steps]float64) float64 { return k[steps-1] }
