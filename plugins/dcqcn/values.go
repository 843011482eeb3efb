package dcqcn

// Values implements cc.Valued.
func (r *rates) Values(into []float64) {
	into[0] = r.alpha
	into[1] = r.rt / 1e9
	into[2] = float64(r.timeStage)
	into[3] = float64(r.byteStage)
}
