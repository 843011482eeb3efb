package diff

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// The figures of both sides have the signs of the edges that they are.
func TestFiguresOfBothSides(t *testing.T) {
	m, _ := result.MetricOf("queueing_p99_us")
	f := figure{
		Difference: compare.Difference{Metric: m},
		valuesA:    []float64{1.4, 1.5, 1.6},
		valuesB:    []float64{700},
		edgeA:      result.AtMost,
	}
	a, b := f.figures()[0], f.figures()[1]
	if a.Text != "\u2264 1.500 us" || b.Text != "700 us" || a.Alone != "[1.400..1.600] us" {
		t.Errorf("%+v %+v", a, b)
	}
}
