package picture

import (
	"math"
	"strings"
	"testing"
)

// spread are n slowdowns from 1 on, many small and few large.
func spread(n int, factor float64) (list []float64) {
	for i := range n {
		list = append(list, 1+factor*math.Pow(float64(i)/float64(n), 6))
	}
	return list
}

// Tier: -short, as all of this file.
func TestCompletion(t *testing.T) {
	golden(t, "completion", Completion{Lines: []Slowdowns{
		{Key{"pc4", 0}, spread(16, 20), 16},
		{Key{"dcqcn", 1}, spread(16, 300), 20},
		{Key{evil, 2}, []float64{3}, 3},
		{Key{"a variant with a very long name that no legend has room for in a line of its own", 3}, spread(5, 4), 5},
	}}.Draw())
	golden(t, "completion-empty", Completion{Lines: []Slowdowns{{Key{"pc4", 0}, nil, 4}}}.Draw())
	for _, values := range [][]float64{{1}, {1, 1, 1}, {0, math.NaN(), math.Inf(1)}, {1e-9, 1e12}, spread(1000, 1e6)} {
		proper(t, Completion{Lines: []Slowdowns{{Key{"one", 9}, values, 1000}}}.Draw())
	}
}

// The picture has the quantiles that summary.json has: of 200 flows the 100th and the 198th.
func TestCompletionQuantiles(t *testing.T) {
	s := Slowdowns{Flows: 400}
	for i := range 200 {
		s.Values = append(s.Values, float64(i+1))
	}
	if value, share := s.quantile(50); value != 100 || share != 0.25 {
		t.Error(value, share)
	}
	if value, _ := s.quantile(99); value != 198 {
		t.Error(value)
	}
}

// Ten thousand flows are drawn with what can be seen, and the curve is the same to a pixel.
func TestCompletionThins(t *testing.T) {
	many := Completion{Lines: []Slowdowns{{Key{"many", 0}, spread(10_000, 500), 10_000}}}.Draw()
	proper(t, many)
	if size := len(many.Element()); size > 20_000 {
		t.Errorf("%d B", size)
	}
	s := Slowdowns{Values: spread(10_000, 500), Flows: 10_000}
	f := frame{x: scale{1, 501, 0, 400, true}, y: scale{0, 1, 230, 0, false}}
	drawn := strings.Count(s.curve(f).String(), "V")
	if drawn > 1300 || drawn < 230 {
		t.Errorf("%d steps", drawn)
	}
	if !strings.HasSuffix(s.curve(f).String(), "V0") && !strings.Contains(s.curve(f).String(), "V0H") {
		t.Error("the curve does not reach all flows")
	}
}

func TestSizes(t *testing.T) {
	var a, b []SizeBin
	for i := range 20 {
		size := math.Pow(10, 3+float64(i)/5)
		a = append(a, SizeBin{size, 1 + float64(i)/4, 3 + float64(i)})
		b = append(b, SizeBin{size, 2 + float64(i)/2, 5 + 10*float64(i)})
	}
	b[7] = SizeBin{b[7].Most, math.NaN(), math.NaN()}
	lines := []BySize{{Key{"pc4", 0}, a}, {Key{evil, 1}, b}}
	golden(t, "sizes", Sizes{Group: "web & search", Lines: lines}.Draw())
	golden(t, "sizes-empty", Sizes{Lines: []BySize{{Key{"pc4", 0}, []SizeBin{{0, math.NaN(), math.NaN()}}}}}.Draw())
	proper(t, Sizes{Lines: []BySize{{Key{"one", 0}, []SizeBin{{1000, 2, 2}}}}}.Draw())
}
