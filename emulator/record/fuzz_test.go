package record

import (
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// FuzzHistogram decodes any bytes as a histogram of another process. An accepted histogram can be read and merged, and
// is written as it was read.
func FuzzHistogram(f *testing.F) {
	var h Histogram
	for _, d := range []unit.Duration{0, 1, unit.Microsecond, 8 * unit.Microsecond} {
		text, _ := h.MarshalBinary()
		f.Add(text)
		h.Add(d)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var h, again, sum Histogram
		if h.UnmarshalBinary(text) != nil {
			return
		}
		_ = h.Mean()
		for _, q := range []float64{0, 0.5, 0.99, 1} {
			h.Quantile(q)
		}
		sum.Add(unit.Microsecond)
		sum.Merge(&h)
		sum.Add(unit.Second)
		written, err := h.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalBinary(written); err != nil || !reflect.DeepEqual(h, again) && h.Total() == h.Total() {
			t.Errorf("%+v, was %+v: %v", again, h, err)
		}
	})
}
