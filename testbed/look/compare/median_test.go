package compare

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 5}, 5}, {[]float64{7, 1, 3, 100}, 5},
	} {
		given := slices.Clone(c.values)
		if got := Median(c.values); got != c.want || !slices.Equal(given, c.values) {
			t.Errorf("Median(%v) = %v, want %v", given, got, c.want)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("a median of nothing")
	}
}
