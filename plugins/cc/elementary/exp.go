package elementary

import "math"

const (
	// ln 2 / 32 in two parts: the first has 36 bits, so that its product with a
	// whole number of up to 16 bits is exact.
	ln2By32Hi = 0x1.62e42fefap-06
	ln2By32Lo = 0x1.cf79abc9e3b3ap-45
	by32Ln2   = 0x1.71547652b82fep+05 // 32 / ln 2

	// Adding and taking away 1.5 x 2^52 rounds to a whole number.
	whole = 0x1.8p52

	expLargest  = 0x1.62e42fefa39efp+9  // ln(MaxFloat64): beyond it the result is +Inf
	expSmallest = -0x1.74910d52d3051p+9 // ln(2^-1075): below it the result is 0
)

// Exp returns e^x. Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN.
func Exp(x float64) float64 {
	return expSum(x, 0)
}

// expSum returns e^(x + tail); tail is less than an ulp or so of x.
//
//	x = (32 n + j) ln2/32 + r, |r| <= ln2/64:  e^x = 2^n 2^(j/32) (1 + p(r))
//
// with the series of e^r - 1 up to r^6/720; what is left out is below 2^-58.
func expSum(x, tail float64) float64 {
	switch {
	case x != x:
		return x
	case x > expLargest:
		return math.Inf(1)
	case x < expSmallest:
		return 0
	}
	k := float64(x*by32Ln2) + whole - whole
	r := x - float64(k*ln2By32Hi)
	r = r - float64(k*ln2By32Lo) + tail
	r2 := float64(r * r)
	high := 1.0/24 + float64(r*(1.0/120)) + float64(r2*(1.0/720))
	low := 0.5 + float64(r*(1.0/6))
	p := r + float64(r2*(low+float64(r2*high)))

	i := int64(k)
	t := rootsOf2[i&31]
	n := i >> 5 // rounds down
	y := t + float64(t*p)
	switch {
	case n > 1023: // 2^n alone is beyond the range
		return y * 2 * power2(1023)
	case n < -1022: // the result may be below the smallest normal number
		return y * power2(n+600) * power2(-600)
	}
	return y * power2(n)
}

// power2 returns 2^n. Range of n: -1022 to 1023.
func power2(n int64) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// rootsOf2 are 2^(j/32).
var rootsOf2 = [32]float64{
	0x1p+00, 0x1.059b0d3158574p+00, 0x1.0b5586cf9890fp+00, 0x1.11301d0125b51p+00,
	0x1.172b83c7d517bp+00, 0x1.1d4873168b9aap+00, 0x1.2387a6e756238p+00, 0x1.29e9df51fdee1p+00,
	0x1.306fe0a31b715p+00, 0x1.371a7373aa9cbp+00, 0x1.3dea64c123422p+00, 0x1.44e086061892dp+00,
	0x1.4bfdad5362a27p+00, 0x1.5342b569d4f82p+00, 0x1.5ab07dd485429p+00, 0x1.6247eb03a5585p+00,
	0x1.6a09e667f3bcdp+00, 0x1.71f75e8ec5f74p+00, 0x1.7a11473eb0187p+00, 0x1.82589994cce13p+00,
	0x1.8ace5422aa0dbp+00, 0x1.93737b0cdc5e5p+00, 0x1.9c49182a3f09p+00, 0x1.a5503b23e255dp+00,
	0x1.ae89f995ad3adp+00, 0x1.b7f76f2fb5e47p+00, 0x1.c199bdd85529cp+00, 0x1.cb720dcef9069p+00,
	0x1.d5818dcfba487p+00, 0x1.dfc97337b9b5fp+00, 0x1.ea4afa2a490dap+00, 0x1.f50765b6e454p+00,
}

// Tanh returns the hyperbolic tangent of x. Tanh(±Inf) = ±1, Tanh(±0) = ±0,
// Tanh(NaN) = NaN.
//
// Up to 0.55 it is Lambert's continued fraction x/(1 + x²/(3 + x²/(5 + ...)))
// cut after 15, written as x less a quotient; what is left out is below 2^-58 of
// it. Beyond it is 1 - 2/(e^2|x| + 1).
func Tanh(x float64) float64 {
	switch {
	case x == 0:
		return x // with its sign
	case x > 0.55:
		return 1 - 2/(Exp(2*x)+1)
	case x < -0.55:
		return 2/(Exp(-2*x)+1) - 1
	}
	y := float64(x * x)
	above := 675675 + float64(y*(45045+float64(y*(594+y))))
	below := 2027025 + float64(y*(945945+float64(y*(51975+float64(y*(630+y))))))
	return x - float64(x*(float64(y*above)/below))
}

// Sigmoid returns the logistic function 1/(1 + e^-x). Sigmoid(+Inf) = 1,
// Sigmoid(-Inf) = 0, Sigmoid(NaN) = NaN.
func Sigmoid(x float64) float64 {
	if x < 0 { // e^-x would overflow long before the result vanishes
		e := Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + Exp(-x))
}
