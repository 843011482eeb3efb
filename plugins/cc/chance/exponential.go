package chance

// Exponential returns an exponentially distributed number of mean 1, by von
// Neumann's comparison of uniforms ("Various techniques used in connection with
// random digits", 1951): no logarithm, so the same bits on every processor. Its
// resolution is 2^-53.
//
//	Draw u1, u2, ... while each is below the one before it; let n be how many
//	went down in a row, u1 included. n is odd with the probability e^-u1: the
//	number is k + u1, k the rounds before in which n was even.
func (s *Stream) Exponential() float64 {
	for k := 0.0; ; k++ {
		first := s.Float64()
		odd := true
		for last := first; ; odd = !odd {
			next := s.Float64()
			if next >= last {
				break
			}
			last = next
		}
		if odd {
			return k + float64(first) // inlined, its product could be fused with the sum
		}
	}
}
