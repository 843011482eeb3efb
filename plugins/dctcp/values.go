package dctcp

// Values implements cc.Valued.
func (r *rdma) Values(into []float64) { into[0] = r.alpha }

// Values implements cc.Valued.
func (w *window) Values(into []float64) { into[0] = w.alpha }
