package training

import (
	"github.com/rocelab/rocelab/plugins/cc/elementary"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

// hidden is the width of every network's hidden layer, Steps the number of
// inputs K that a prediction is made from (thesis, section 3.4.1).
const (
	hidden = lstm.Hidden
	steps  = lstm.Steps
)

// state is a hidden layer's values, or their derivatives.
type state [hidden]float64

// Parameters lie as the LSTM's: a gate has a row for each output, the weights of h, the weight of x, and the bias. The
// linear layer at the end is one row without x.
const (
	rowLen  = lstm.Row
	gateLen = hidden * rowLen
	headLen = hidden + 1
)

// affine is z = W [h, x] + b.
func affine(w []float64, h *state, x float64) (z state) {
	for j := range z {
		row := w[j*rowLen : (j+1)*rowLen]
		sum := row[hidden+1] + float64(row[hidden]*x)
		for i, v := range h {
			sum += float64(row[i] * v)
		}
		z[j] = sum
	}
	return z
}

// affineBack adds what dz means for the parameters to g and for h to dh.
func affineBack(w, g []float64, h *state, x float64, dz, dh *state) {
	for j, d := range dz {
		row, slope := w[j*rowLen:(j+1)*rowLen], g[j*rowLen:(j+1)*rowLen]
		for i, v := range h {
			slope[i] += float64(d * v)
			dh[i] += float64(d * row[i])
		}
		slope[hidden] += float64(d * x)
		slope[hidden+1] += d
	}
}

// head is out = w h + b.
func head(w []float64, h *state) float64 {
	sum := w[hidden]
	for i, v := range h {
		sum += float64(w[i] * v)
	}
	return sum
}

// headBack adds what dout means for the parameters to g and returns what it
// means for h.
func headBack(w, g []float64, h *state, dout float64) (dh state) {
	for i, v := range h {
		g[i] += float64(dout * v)
		dh[i] = dout * w[i]
	}
	g[hidden] += dout
	return dh
}

func sigmoids(z state) state {
	for j, v := range z {
		z[j] = elementary.Sigmoid(v)
	}
	return z
}

func tanhs(z state) state {
	for j, v := range z {
		z[j] = elementary.Tanh(v)
	}
	return z
}

// sigmoidSlope and tanhSlope are the derivatives at the point where the
// function is y.
func sigmoidSlope(y float64) float64 { return y * (1 - y) }
func tanhSlope(y float64) float64    { return 1 - float64(y*y) }
