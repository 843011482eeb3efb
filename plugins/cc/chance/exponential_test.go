package chance

import (
	"fmt"
	"math"
	"testing"
)

// A million draws: mean, variance and the tail at several points are within five standard errors of the exponential
// distribution's.
func TestExponential(t *testing.T) {
	const n = 1_000_000
	s := New(1, "exponential")
	sum, squares := 0.0, 0.0
	points := []float64{0.1, 0.5, 0.9, 1, 1.1, 2, 3, 5, 8}
	beyond := make([]int, len(points))
	for range n {
		x := s.Exponential()
		if x < 0 {
			t.Fatalf("drew %g", x)
		}
		sum += x
		squares += x * x
		for i, p := range points {
			if x > p {
				beyond[i]++
			}
		}
	}
	mean := sum / n
	if variance := squares/n - mean*mean; math.Abs(mean-1) > 0.005 || math.Abs(variance-1) > 0.015 {
		t.Errorf("mean %.4f, variance %.4f; want 1 and 1", mean, variance)
	}
	for i, p := range points {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			q := math.Exp(-p)
			if got := float64(beyond[i]) / n; math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/n) {
				t.Errorf("P(x > %g) is %.5f, want %.5f", p, got, q)
			}
		})
	}
}
