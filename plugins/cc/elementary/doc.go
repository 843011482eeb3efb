// Package elementary is Exp, Log, Tanh, Sigmoid, Pow and Sqrt with the same bits on every processor. The functions of
// package math choose instructions by the machine (assembly, fused multiply-add), so that an algorithm that used them
// would decide otherwise elsewhere.
//
// All is plain Go: sums, products and quotients of float64, each rounded as IEEE
// 754 prescribes, no product fused into a sum. Sqrt is math.Sqrt, which the
// standard requires to be rounded correctly and which therefore has no room to
// differ.
//
// Largest error, in units in the last place of the result (ulp), by comparison
// with arithmetic of 200 bits over the whole range:
//
//	Exp     1.1     Log  0.6      Tanh  2
//	Sigmoid 3       Pow  1.1      Sqrt  0.5 (correctly rounded)
//
// Results below the smallest normal number (2^-1022) may be wrong by one more unit.
//
// Methods, with tables in place of long series: P. T. P. Tang, "Table-driven
// implementation of the exponential function in IEEE floating-point arithmetic"
// (ACM TOMS 15, 1989) and "... of the logarithm function ..." (ACM TOMS 16,
// 1990); exact products by T. J. Dekker, "A floating-point technique for
// extending the available precision" (Numerische Mathematik 18, 1971).
package elementary
