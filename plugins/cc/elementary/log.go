package elementary

import "math"

const (
	// ln 2 in two parts: the first is a multiple of 2^-42, as are the ones of the
	// table, so that sums and products with whole numbers are exact.
	ln2Hi = 0x1.62e42fefa38p-01
	ln2Lo = 0x1.ef35793c7673p-45

	smallestNormal = 0x1p-1022
	mantissa       = 1<<52 - 1
	oneBits        = 1023 << 52 // 1.0
)

// Log returns the natural logarithm of x. Log(+Inf) = +Inf, Log(0) = -Inf,
// Log(x < 0) = NaN, Log(NaN) = NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x > maxFloat:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	hi, lo := logSum(x)
	return hi + lo
}

const maxFloat = 0x1.fffffffffffffp1023

// logSum returns ln x as a sum of two numbers, good to about 2^-67 of it. Range of x:
// above 0, finite.
//
//	x = 2^k m, 1 <= m < 2; j = 128/m rounded; z = m j/128 - 1, |z| <= 2^-7
//	ln x = k ln2 + ln(128/j) + z - z²/2 + z³ (1/3 - z/4 + ... - z^7/10)
func logSum(x float64) (hi, lo float64) {
	k := 0.0
	if x < smallestNormal {
		x *= 0x1p54
		k = -54
	}
	bits := math.Float64bits(x)
	k += float64(int64(bits>>52) - 1023)
	m := math.Float64frombits(bits&mantissa | oneBits)
	j := int(128/m + 0.5)
	c := float64(j) / 128

	// z is exact: the first 25 bits of m times c, less 1, and the rest times c.
	first := math.Float64frombits(math.Float64bits(m) &^ (1<<27 - 1))
	z := float64(first*c) - 1
	z += float64((m - first) * c)

	// z²/2 = s + sLow
	s, sLow := product(z, z*0.5)
	p := 1.0/9 - float64(z*(1.0/10))
	p = 1.0/8 - float64(z*p)
	p = 1.0/7 - float64(z*p)
	p = 1.0/6 - float64(z*p)
	p = 1.0/5 - float64(z*p)
	p = 1.0/4 - float64(z*p)
	p = 1.0/3 - float64(z*p)
	cubic := float64(float64(float64(z*z)*z) * p)

	t := logs[j-64]
	base := float64(k*ln2Hi) + t[0]
	hi, lo = sum(base, z)
	hi, low := sum(hi, -s)
	lo = lo + low + (float64(k*ln2Lo) + t[1] - sLow) + cubic
	return sum(hi, lo)
}

// sum returns a + b and its rounding error. |a| >= |b|, or a = 0.
func sum(a, b float64) (s, low float64) {
	s = a + b
	return s, b - (s - a)
}

// product returns a x b and its rounding error (Dekker). Range: a and b below
// 2^990, their product above 2^-960 or 0.
func product(a, b float64) (p, low float64) {
	p = float64(a * b) // or it might be fused into the difference below
	aHi, aLo := split(a)
	bHi, bLo := split(b)
	low = float64(aHi*bHi) - p
	low += float64(aHi * bLo)
	low += float64(aLo * bHi)
	low += float64(aLo * bLo)
	return p, low
}

// split returns a as a sum of two numbers of 26 bits each.
func split(a float64) (hi, lo float64) {
	c := float64(a * (1<<27 + 1))
	hi = c - (c - a)
	return hi, a - hi
}

// logs are ln(128/j) for j = 64 to 128, in two parts.
var logs = [65][2]float64{
	{0x1.62e42fefa38p-01, 0x1.ef35793c7673p-45}, {0x1.5af405c3648p-01, 0x1.dfa63ac10c9fbp-45},
	{0x1.5322e268678p-01, 0x1.5ccc45d257531p-47}, {0x1.4b6fd6f971p-01, -0x1.f047750959d5fp-44},
	{0x1.43d9ff2f92p-01, 0x1.e267b0b7efae1p-44}, {0x1.3c6080c36cp-01, -0x1.2b7367cfe13c2p-47},
	{0x1.35028ad9d9p-01, -0x1.bd1f01ab60655p-44}, {0x1.2dbf557b0ep-01, -0x1.7a6e507b9dc11p-46},
	{0x1.269621134d8p-01, 0x1.c93c1df5bb3b6p-44}, {0x1.1f8635fc618p-01, -0x1.a7242c9fe81d3p-45},
	{0x1.188ee40f24p-01, -0x1.accec41d52e6cp-44}, {0x1.11af823c758p-01, 0x1.53cdc223111a7p-44},
	{0x1.0ae76e2d058p-01, -0x1.82de51de06076p-44}, {0x1.04360be76p-01, 0x1.d6774030d58c4p-44},
	{0x1.fb358af7a5p-02, -0x1.def40b87d36d9p-44}, {0x1.ee2a156b41p-02, 0x1.f27f45a470251p-45},
	{0x1.e148a1a272p-02, 0x1.b36537e3375b2p-44}, {0x1.d490246dfp-02, -0x1.652280b2c4c2cp-44},
	{0x1.c7ff9c7455p-02, 0x1.324911f56db29p-44}, {0x1.bb9611b80ep-02, 0x1.7d85bf40a666dp-45},
	{0x1.af5295248dp-02, -0x1.17cc552774458p-45}, {0x1.a33440225p-02, -0x1.61cdd40314305p-44},
	{0x1.973a343135p-02, 0x1.ab73b16bf4984p-44}, {0x1.8b639a88b3p-02, -0x1.05ae1e5e7047p-45},
	{0x1.7fafa3bd81p-02, 0x1.46fb79bf6d4cbp-44}, {0x1.741d876c68p-02, -0x1.13a7b5b11cfa7p-44},
	{0x1.68ac83e9c7p-02, -0x1.7af966c548a3p-44}, {0x1.5d5bddf596p-02, -0x1.a0b2a08a465dcp-47},
	{0x1.522ae0738ap-02, 0x1.ebe708164c759p-45}, {0x1.4718dc271cp-02, 0x1.06c18fb4c14c5p-44},
	{0x1.3c25277333p-02, 0x1.83b54b606bd5cp-46}, {0x1.314f1e1d36p-02, -0x1.8e27ad3213cb8p-45},
	{0x1.269621134ep-02, -0x1.1b61f10522625p-44}, {0x1.1bf99635a7p-02, -0x1.1ac89575c2125p-44},
	{0x1.1178e8227ep-02, 0x1.1ef78ce2d07f2p-44}, {0x1.07138604d6p-02, -0x1.e76324e912b17p-44},
	{0x1.f991c6cb3cp-03, -0x1.90d04cd7cc834p-44}, {0x1.e530effe72p-03, -0x1.fdbdbb13f7c18p-44},
	{0x1.d1037f2656p-03, -0x1.84a7e75b6f6e4p-47}, {0x1.bd087383bep-03, -0x1.d4bc4595412b6p-45},
	{0x1.a93ed3c8aep-03, -0x1.8724350562169p-45}, {0x1.95a5adcf7p-03, 0x1.7f22858a0ff6fp-47},
	{0x1.823c16551ap-03, 0x1.e0ddb9a631e83p-46}, {0x1.6f0128b756p-03, 0x1.577390d31ef0fp-44},
	{0x1.5bf406b544p-03, -0x1.27023eb68981cp-46}, {0x1.4913d8333cp-03, -0x1.53e43558124c4p-44},
	{0x1.365fcb015ap-03, -0x1.fd3a0afb9691bp-44}, {0x1.23d712a49cp-03, 0x1.00d238fd3df5cp-46},
	{0x1.1178e8227ep-03, 0x1.1ef78ce2d07f2p-45}, {0x1.fe89139dbcp-04, 0x1.56594d82f7a82p-44},
	{0x1.da72763844p-04, 0x1.a89401fa71733p-46}, {0x1.b6ac88dad4p-04, 0x1.b1bdff50225c7p-44},
	{0x1.9335e5d594p-04, 0x1.3115c3abd47dap-45}, {0x1.700d30aeacp-04, 0x1.c1e8da99ded32p-49},
	{0x1.4d3115d208p-04, -0x1.53a2582f4e1efp-48}, {0x1.2aa04a447p-04, 0x1.7a48ba8b1cb41p-44},
	{0x1.08598b59e4p-04, -0x1.7e5dd7009902cp-46}, {0x1.ccb73cddd8p-05, 0x1.965c36e09f5fep-44},
	{0x1.894aa149f8p-05, 0x1.9a19a8be97661p-44}, {0x1.466aed42ep-05, -0x1.c167375bdfd28p-45},
	{0x1.0415d89e78p-05, -0x1.dddc7f461c516p-44}, {0x1.8492528c9p-06, -0x1.aa0ba325a0c34p-45},
	{0x1.020565893p-06, 0x1.611d27c8e8417p-44}, {0x1.010157588p-07, 0x1.bce251998b506p-44},
	{0x0p+00, 0x0p+00},
}
