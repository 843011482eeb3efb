package lstm

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// random returns a network with weights of [-scale, scale).
func random(seed uint64, scale float64) *Network {
	c := chance.New(seed, "network")
	n := &Network{}
	for i := range n.W {
		n.W[i] = (2*c.Float64() - 1) * scale
	}
	return n
}

// Section 3.4.1: 1169 parameters with one bias per gate.
func TestShape(t *testing.T) {
	if Parameters != 1169 || Index(Out, Hidden-1)+Row != Output {
		t.Errorf("%d parameters, the linear layer begins at %d", Parameters, Output)
	}
}

// Equations 4 to 8 by hand. Only unit 0 is used: every gate's sum is 0 but C~ = tanh(k) and, in o, 4 h[0]; out = 2
// h_3[0] + 0.25. With K = (artanh 0.5, 0, artanh 0.5):
//
//	step 1: f = i = o = 0.5, C~ = 0.5: C = 0.25,                    h = 0.5 tanh 0.25 = 0.12245933
//	step 2: o = sigma(0.48983732) = 0.62006811, C~ = 0: C = 0.125,   h = o tanh 0.125 = 0.07710733
//	step 3: o = sigma(0.30842932) = 0.57650183: C = 0.0625 + 0.25,   h = o tanh 0.3125 = 0.17451271
//	out = 0.34902543 + 0.25
func TestByHand(t *testing.T) {
	n := &Network{}
	n.W[Index(Candidate, 0)+Hidden] = 1
	n.W[Index(Out, 0)] = 4
	n.W[Output], n.W[Parameters-1] = 2, 0.25
	k := [Steps]float64{0.5493061443340548, 0, 0.5493061443340548}
	var tr Trace
	out := n.Forward(&k, &tr)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"C_1", tr[0].C[0], 0.25}, {"h_1", tr[0].H[0], 0.12245933}, {"o_2", tr[1].O[0], 0.62006811},
		{"C_2", tr[1].C[0], 0.125},
		{"h_2", tr[1].H[0], 0.07710733}, {"o_3", tr[2].O[0], 0.57650183}, {"C_3", tr[2].C[0], 0.3125},
		{"out", out, 0.59902543},
		{"f_2", tr[1].F[0], 0.5}, {"i_2", tr[1].I[0], 0.5}, {"C~_3", tr[2].C1[0], 0.5}, {"h_3 of unit 1", tr[2].H[1], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if math.Abs(c.got-c.want) > 1e-8 {
				t.Errorf("%s = %.9f, want %.8f", c.name, c.got, c.want)
			}
		})
	}
}

// naive is the network as the equations are printed: matrices times the vector
// [h, x], with package math.
func naive(n *Network, ks []float64) float64 {
	var matrix [Gates][Hidden][]float64
	var bias [Gates][Hidden]float64
	at := 0
	for g := range matrix {
		for u := range matrix[g] {
			matrix[g][u] = n.W[at : at+Hidden+1]
			bias[g][u] = n.W[at+Hidden+1]
			at += Hidden + 2
		}
	}
	h, c := make([]float64, Hidden), make([]float64, Hidden)
	for _, k := range ks {
		hx := append(append([]float64{}, h...), k)
		var z [Gates][Hidden]float64
		for g := range z {
			for u := range z[g] {
				for j, v := range hx {
					z[g][u] += matrix[g][u][j] * v
				}
				z[g][u] += bias[g][u]
			}
		}
		sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		for u := range h {
			c[u] = sigma(z[0][u])*c[u] + sigma(z[1][u])*math.Tanh(z[2][u])
			h[u] = sigma(z[3][u]) * math.Tanh(c[u])
		}
	}
	out := n.W[at+Hidden]
	for u := range h {
		out += n.W[at+u] * h[u]
	}
	return out
}

func TestAsPrinted(t *testing.T) {
	c := chance.New(7, "inputs")
	for seed := range uint64(200) {
		n := random(seed, []float64{0.1, 0.5, 3, 30}[seed%4])
		k := [Steps]float64{c.Float64() - 0.3, c.Float64()*4 - 1, c.Float64() - 0.5}
		got, want := n.Predict(k), naive(n, k[:])
		if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
			t.Fatalf("seed %d, K %v: %v, want %v", seed, k, got, want)
		}
	}
}

// The same bits on every machine that runs the tests, and on the next run.
func TestBits(t *testing.T) {
	c := chance.New(8, "inputs")
	h := uint64(14695981039346656037)
	for seed := range uint64(50) {
		n := random(seed, 0.7)
		k := [Steps]float64{c.Float64() - 0.5, c.Float64() - 0.5, c.Float64() - 0.5}
		out := n.Predict(k)
		if again := n.Predict(k); again != out {
			t.Fatalf("seed %d: %v, then %v", seed, out, again)
		}
		h = (h ^ math.Float64bits(out)) * 1099511628211
	}
	if want := uint64(0xc2904bf5ab5cf585); h != want {
		t.Errorf("digest %#x, want %#x", h, want)
	}
}

// A trace that was used before changes nothing.
func TestTraceIsOverwritten(t *testing.T) {
	var used, fresh Trace
	n := random(1, 0.7)
	n.Forward(&[Steps]float64{1, 2, 3}, &used)
	k := [Steps]float64{0.1, -0.2, 0.3}
	if a, b := n.Forward(&k, &used), n.Forward(&k, &fresh); a != b || used != fresh {
		t.Errorf("%v with a used trace, %v with a new one", a, b)
	}
}

var sink float64

func TestPredictAllocatesNothing(t *testing.T) {
	n := random(1, 0.7)
	if allocs := testing.AllocsPerRun(100, func() { sink = n.Predict([Steps]float64{0.1, 0.2, -0.1}) }); allocs != 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}

func BenchmarkPredict(b *testing.B) {
	n := random(1, 0.7)
	k := [Steps]float64{0.1, 0.2, -0.1}
	for b.Loop() {
		sink = n.Predict(k)
	}
}
