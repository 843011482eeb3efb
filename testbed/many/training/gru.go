package training

// gru is the gated recurrent unit (Cho et al., "Learning Phrase Representations
// using RNN Encoder-Decoder", EMNLP 2014, section 2.3), with biases:
//
//	r = sigmoid(W_r [h, x] + b_r)
//	z = sigmoid(W_z [h, x] + b_z)
//	n = tanh(W_n [r h, x] + b_n)
//	h' = (1 - z) n + z h
type gru struct {
	w     [3*gateLen + headLen]float64
	x     [steps]float64
	h     [steps + 1]state
	r, z  [steps]state
	n, rh [steps]state
}

func (g *gru) Name() string       { return "gru" }
func (g *gru) Weights() []float64 { return g.w[:] }

// split cuts a vector shaped as the parameters into its parts.
func (*gru) split(v []float64) (r, z, n, out []float64) {
	return v[:gateLen], v[gateLen : 2*gateLen], v[2*gateLen : 3*gateLen], v[3*gateLen:]
}

func (g *gru) Forward(k [steps]float64) float64 {
	g.x = k
	wr, wz, wn, out := g.split(g.w[:])
	for t, x := range k {
		h := &g.h[t]
		g.r[t] = sigmoids(affine(wr, h, x))
		g.z[t] = sigmoids(affine(wz, h, x))
		for j := range h {
			g.rh[t][j] = g.r[t][j] * h[j]
		}
		g.n[t] = tanhs(affine(wn, &g.rh[t], x))
		for j, z := range g.z[t] {
			g.h[t+1][j] = float64((1-z)*g.n[t][j]) + float64(z*h[j])
		}
	}
	return head(out, &g.h[steps])
}

func (g *gru) Backward(dout float64, grad []float64) {
	wr, wz, wn, out := g.split(g.w[:])
	gr, gz, gn, gout := g.split(grad)
	dh := headBack(out, gout, &g.h[steps], dout)
	for t := steps - 1; t >= 0; t-- {
		h, x := &g.h[t], g.x[t]
		var dr, dz, dn, drh, before state
		for j := range dh {
			z, n := g.z[t][j], g.n[t][j]
			dn[j] = dh[j] * (1 - z) * tanhSlope(n)
			dz[j] = dh[j] * (h[j] - n) * sigmoidSlope(z)
			before[j] = dh[j] * z
		}
		affineBack(wn, gn, &g.rh[t], x, &dn, &drh)
		for j := range dh {
			r := g.r[t][j]
			dr[j] = drh[j] * h[j] * sigmoidSlope(r)
			before[j] += float64(drh[j] * r)
		}
		affineBack(wr, gr, h, x, &dr, &before)
		affineBack(wz, gz, h, x, &dz, &before)
		dh = before
	}
}
