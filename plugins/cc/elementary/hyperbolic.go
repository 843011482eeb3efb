package elementary

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
