// Package mutants holds what the check of algorithms must refuse.
package mutants

import "math"

const three = 3.0

func floats(x, y, z float64, n int) float64 {
	a := x*y + z     // want "product"
	a = z - (x * y)  // want "product"
	a = -(x * y) + z // want "product"
	a += x * y       // want "product"
	a -= y * 2       // want "product"
	var f float32
	f = float32(x)*float32(y) + f // want "product"
	a = float64(x*y) + z
	a += float64(x * y)
	a = x*y/z + z
	a = three*2 + z
	n = n*n + 1
	a += math.Exp(x) // want "math.Exp"
	g := math.FMA    // want "math.FMA"
	a += math.Abs(x) + math.Inf(1)
	return a + g(x, y, z) + float64(n) + float64(f)
}
