package elementary

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// ulps returns the distance of got from want in units in the last place of want, or of the smallest normal number if
// want is below that.
func ulps(got float64, want *big.Float) float64 {
	if got-got != 0 {
		return math.Inf(1)
	}
	d, _ := zero().Sub(of(got), want).Float64()
	w, _ := want.Float64()
	w = max(math.Abs(w), smallestNormal)
	_, e := math.Frexp(w)
	return math.Abs(d) / math.Ldexp(1, max(e-53, -1074))
}

type draw struct{ *chance.Stream }

// between returns a number of [a, b).
func (d draw) between(a, b float64) float64 {
	return a + float64((b-a)*d.Float64())
}

// positive returns a number above 0 of any size, subnormal ones included.
func (d draw) positive() float64 {
	return math.Float64frombits(1 + d.Below(math.Float64bits(math.MaxFloat64)))
}

// The errors that doc.go states are kept over the whole range, and where the
// method changes.
func TestErrors(t *testing.T) {
	d := draw{chance.New(1, "elementary")}
	one := func(f func(float64) float64, exact func(*big.Float) *big.Float) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return ulps(f(x), exact(of(x))) }
	}
	exp, log, tanh, sigmoid := one(Exp, exactExp), one(Log, exactLog), one(Tanh, exactTanh), one(Sigmoid, exactSigmoid)
	pow := func(x, y float64) float64 { return ulps(Pow(x, y), exactPow(of(x), of(y))) }
	for _, c := range []struct {
		name    string
		allowed float64
		err     func(x, y float64) float64
		x       func() float64
		y       func(x float64) float64
	}{
		{"Exp", 1.1, exp, func() float64 { return d.between(-708, 709.78) }, nil},
		{"Exp near 0", 1.1, exp, func() float64 { return d.between(-1, 1) }, nil},
		{"Exp, small results", 2.1, exp, func() float64 { return d.between(-745.1, -708) }, nil},
		{"Log", 0.6, log, d.positive, nil},
		{"Log near 1", 0.6, log, func() float64 { return d.between(0.7, 1.5) }, nil},
		{"Log very near 1", 0.6, log, func() float64 { return 1 + d.between(-1e-6, 1e-6) }, nil},
		{"Tanh", 2, tanh, func() float64 { return d.between(-20, 20) }, nil},
		{"Tanh, middle", 2, tanh, func() float64 { return d.between(-1, 1) }, nil},
		{"Tanh, small", 2, tanh, func() float64 { return d.between(-1e-5, 1e-5) }, nil},
		{"Sigmoid", 3, sigmoid, func() float64 { return d.between(-708, 40) }, nil},
		{"Sigmoid, middle", 3, sigmoid, func() float64 { return d.between(-3, 3) }, nil},
		{"Sigmoid, small results", 4, sigmoid, func() float64 { return d.between(-745, -708) }, nil},
		{"Pow", 1.1, pow, d.positive, func(x float64) float64 { return d.between(-708, 709) / math.Log(x) }},
		{"Pow near 1", 1.1, pow, func() float64 { return 1 + d.between(-1e-3, 1e-3) },
			func(x float64) float64 { return d.between(-700, 700) / math.Log(x) }},
		{"Pow, usual", 1.1, pow, func() float64 { return d.between(0, 20) },
			func(float64) float64 { return d.between(-3, 3) }},
		{"Pow, small results", 2.1, pow, d.positive, func(x float64) float64 {
			return -d.between(708, 745) / math.Abs(math.Log(x)) * math.Copysign(1, math.Log(x))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			worst, at, with := 0.0, 0.0, 0.0
			for range 2000 {
				x := c.x()
				var y float64
				if c.y != nil {
					y = c.y(x)
				}
				if e := c.err(x, y); e > worst || e != e {
					worst, at, with = e, x, y
				}
			}
			t.Logf("%s: %.3f ulp at %v, %v", c.name, worst, at, with)
			if !(worst <= c.allowed) {
				t.Errorf("%s: wrong by %.3f ulp at %v, %v; %v allowed", c.name, worst, at, with, c.allowed)
			}
		})
	}
}

// What Pow builds on: ln x as a sum, far better than a float64 can hold.
func TestLogSum(t *testing.T) {
	d := draw{chance.New(4, "elementary")}
	worst, at := 0.0, 0.0
	for i := range 6000 {
		x := d.positive()
		switch i % 3 {
		case 1:
			x = d.between(0.5, 2)
		case 2:
			x = 1 + d.between(-0.02, 0.02)
		}
		hi, lo := logSum(x)
		want := exactLog(of(x))
		off := zero().Sub(zero().Add(of(hi), of(lo)), want)
		if e, _ := off.Quo(off, want).Float64(); math.Abs(e) > worst {
			worst, at = math.Abs(e), x
		}
	}
	t.Logf("2^%.1f at %v", math.Log2(worst), at)
	if worst > 0x1p-67 {
		t.Errorf("wrong by %v of the logarithm at %v, 2^-67 is allowed", worst, at)
	}
}

// Beside package math, which is itself good to about an ulp.
func TestBesideMath(t *testing.T) {
	d := draw{chance.New(2, "elementary")}
	for range 100_000 {
		x, y := d.between(-700, 700), d.between(1e-6, 1e6)
		for _, c := range []struct{ got, want float64 }{
			{Exp(x), math.Exp(x)}, {Log(y), math.Log(y)}, {Tanh(x / 100), math.Tanh(x / 100)}, {Sqrt(y), math.Sqrt(y)},
		} {
			t.Run(fmt.Sprintf("got=%v", c.got), func(t *testing.T) {
				if ulps(c.got, of(c.want)) > 3 {
					t.Fatalf("x = %v, y = %v: %v, math has %v", x, y, c.got, c.want)
				}
			})
		}
	}
}

func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func TestSpecialValues(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name string
		f    func(float64) float64
		x, y float64
	}{
		{"Exp", Exp, 0, 1}, {"Exp", Exp, minus0, 1}, {"Exp", Exp, inf, inf}, {"Exp", Exp, -inf, 0}, {"Exp", Exp, nan, nan},
		{"Exp", Exp, 710, inf}, {"Exp", Exp, 709.782712893384, 1.7976931348622732e308}, {"Exp", Exp, -745.2, 0},
		{"Exp", Exp, -745.13, 5e-324}, {"Exp", Exp, 1e-320, 1},
		{"Log", Log, 1, 0}, {"Log", Log, 0, -inf}, {"Log", Log, minus0, -inf}, {"Log", Log, -1, nan},
		{"Log", Log, -inf, nan}, {"Log", Log, inf, inf}, {"Log", Log, nan, nan},
		{"Log", Log, 5e-324, -744.4400719213812}, {"Log", Log, math.MaxFloat64, 709.782712893384},
		{"Tanh", Tanh, 0, 0}, {"Tanh", Tanh, minus0, minus0}, {"Tanh", Tanh, inf, 1}, {"Tanh", Tanh, -inf, -1},
		{"Tanh", Tanh, nan, nan},
		{"Tanh", Tanh, 400, 1}, {"Tanh", Tanh, -400, -1}, {"Tanh", Tanh, 5e-324, 5e-324},
		{"Sigmoid", Sigmoid, 0, 0.5}, {"Sigmoid", Sigmoid, inf, 1}, {"Sigmoid", Sigmoid, -inf, 0},
		{"Sigmoid", Sigmoid, nan, nan}, {"Sigmoid", Sigmoid, 40, 1}, {"Sigmoid", Sigmoid, -800, 0},
		{"Sqrt", Sqrt, 2.25, 1.5}, {"Sqrt", Sqrt, minus0, minus0}, {"Sqrt", Sqrt, inf, inf}, {"Sqrt", Sqrt, -1, nan},
		{"Sqrt", Sqrt, nan, nan},
	} {
		t.Run(fmt.Sprintf("name=%s,x=%v", c.name, c.x), func(t *testing.T) {
			if y := c.f(c.x); !same(y, c.y) {
				t.Errorf("%s(%v) = %v, want %v", c.name, c.x, y, c.y)
			}
		})
	}
	// Pow has the special values of math.Pow, sign of zero included; elsewhere math.Pow may be wrong by some ulp
	// itself.
	values := []float64{0, minus0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 4, 1e-300, -1e-300, 1e300, 1 << 53,
		1<<53 + 2, 1<<53 - 1,
		-(1<<53 - 1), 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64, inf, -inf, nan}
	for _, x := range values {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			for _, y := range values {
				got, want := Pow(x, y), math.Pow(x, y)
				if !same(got, want) && !(got-got == 0 && want-want == 0 && ulps(got, of(want)) < 10) {
					t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
				}
			}
		})
	}
}

// Functions rise if the true ones rise, also at a change of table entry or method.
func TestMonotonous(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
		at   float64
	}{{"Tanh", Tanh, 0.55}, {"Sigmoid", Sigmoid, 0}, {"Exp", Exp, 0.5 / by32Ln2}, {"Log", Log, 1},
		{"Log", Log, 256.0 / 255}} {
		t.Run(fmt.Sprintf("name=%s,at=%v", c.name, c.at), func(t *testing.T) {
			for _, step := range []float64{1e-12, 1e-9, 1e-6} {
				for i := -100.0; i < 100; i++ {
					if a, b := c.f(c.at+float64(i*step)), c.f(c.at+float64((i+1)*step)); !(a < b) {
						t.Fatalf("%s falls from %v to %v at %v", c.name, a, b, c.at+float64(i*step))
					}
				}
			}
		})
	}
}

// The tables hold what they say.
func TestTables(t *testing.T) {
	for j, x := range rootsOf2 {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			if e := ulps(x, exactExp(zero().Quo(zero().Mul(exactLn2, of(float64(j))), of(32)))); e > 0.5 {
				t.Errorf("2^(%d/32) is wrong by %v ulp", j, e)
			}
		})
	}
	for i, x := range logs {
		want := exactLog(zero().Quo(of(128), of(float64(i+64))))
		lo, _ := zero().Sub(want, of(x[0])).Float64()
		if lo != x[1] || x[0]*0x1p42 != math.Trunc(x[0]*0x1p42) {
			t.Errorf("ln(128/%d): low part %v, want %v", i+64, x[1], lo)
		}
	}
	for name, c := range map[string]struct {
		hi, lo, by float64
	}{"ln2": {ln2Hi, ln2Lo, 1}, "ln2/32": {ln2By32Hi, ln2By32Lo, 32}} {
		t.Run(name, func(t *testing.T) {
			if lo, _ := zero().Sub(zero().Quo(exactLn2, of(c.by)), of(c.hi)).Float64(); lo != c.lo {
				t.Errorf("%s: low part %v, want %v", name, c.lo, lo)
			}
		})
	}
}

// A digest of many results: the same on every machine that runs the tests.
func TestBits(t *testing.T) {
	d := draw{chance.New(3, "elementary")}
	h := uint64(14695981039346656037)
	for range 20_000 {
		x, y := d.between(-30, 30), d.between(1e-3, 50)
		for _, v := range []float64{Exp(x), Log(y), Tanh(x), Tanh(x / 64), Sigmoid(x), Pow(y, x/10), Sqrt(y)} {
			h = (h ^ math.Float64bits(v)) * 1099511628211
		}
	}
	if want := uint64(0xb578f38648b17723); h != want {
		t.Errorf("digest %#x, want %#x", h, want)
	}
}

var sink float64

func benchmark(b *testing.B, f func(float64) float64) {
	x := 0.1
	for b.Loop() {
		sink = f(x)
		if x += 0.37; x > 3 {
			x -= 2.9
		}
	}
}

func BenchmarkExp(b *testing.B)     { benchmark(b, Exp) }
func BenchmarkLog(b *testing.B)     { benchmark(b, Log) }
func BenchmarkTanh(b *testing.B)    { benchmark(b, Tanh) }
func BenchmarkSigmoid(b *testing.B) { benchmark(b, Sigmoid) }
func BenchmarkPow(b *testing.B)     { benchmark(b, func(x float64) float64 { return Pow(x, 0.75) }) }
func BenchmarkSqrt(b *testing.B)    { benchmark(b, Sqrt) }
func BenchmarkMathExp(b *testing.B) { benchmark(b, math.Exp) }
