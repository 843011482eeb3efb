package elementary

import "math/big"

// The references of the tests, with 200 bits.

func of(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
func zero() *big.Float        { return new(big.Float).SetPrec(200) }

// exactLn2 = ln 2 = 2 atanh(1/3).
var exactLn2 = atanh2(zero().Quo(of(1), of(3)))

// atanh2 returns 2 atanh(s) by its series.
func atanh2(s *big.Float) *big.Float {
	s2, term, total := zero().Mul(s, s), zero().Set(s), zero()
	for i := 1; term.Sign() != 0 && term.MantExp(nil)+260 > s.MantExp(nil); i += 2 {
		total.Add(total, zero().Quo(term, of(float64(i))))
		term.Mul(term, s2)
	}
	return total.Mul(total, of(2))
}

// exactLog returns ln x: x = 2^k m, 2 atanh((m-1)/(m+1)) + k ln 2 with m in [0.7, 1.4).
func exactLog(x *big.Float) *big.Float {
	m := zero()
	k := x.MantExp(m)
	if m.Cmp(of(0.7)) < 0 {
		m.Mul(m, of(2))
		k--
	}
	l := atanh2(zero().Quo(zero().Sub(m, of(1)), zero().Add(m, of(1))))
	return l.Add(l, zero().Mul(exactLn2, of(float64(k))))
}

// exactExp returns e^x: the series at (x - k ln2)/2^8, squared 8 times.
func exactExp(x *big.Float) *big.Float {
	q, _ := zero().Quo(x, exactLn2).Float64()
	k := int(q)
	r := zero().Sub(x, zero().Mul(exactLn2, of(float64(k))))
	r.Quo(r, of(256))
	total, term := of(1), of(1)
	for i := 1; i < 40; i++ {
		term.Mul(term, r)
		term.Quo(term, of(float64(i)))
		total.Add(total, term)
	}
	for range 8 {
		total.Mul(total, total)
	}
	return total.SetMantExp(total, k)
}

func exactTanh(x *big.Float) *big.Float {
	e := exactExp(zero().Mul(x, of(2)))
	return zero().Quo(zero().Sub(e, of(1)), zero().Add(e, of(1)))
}

func exactSigmoid(x *big.Float) *big.Float {
	return zero().Quo(of(1), zero().Add(of(1), exactExp(zero().Neg(x))))
}

func exactPow(x, y *big.Float) *big.Float { return exactExp(zero().Mul(y, exactLog(x))) }
