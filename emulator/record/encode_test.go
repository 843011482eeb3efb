package record

import (
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestHistogramSurvivesItsEncoding(t *testing.T) {
	luck := chance.New(1, "encode")
	var h Histogram
	for range 1000 {
		h.Add(unit.Duration(luck.Between(-100_000, 1<<luck.Below(45))))
	}
	b, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Histogram
	if err := back.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(h, back) {
		t.Errorf("%v: got %+v, want %+v", err, back, h)
	}
	for n := range b {
		if err := new(Histogram).UnmarshalBinary(b[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes pass for a histogram", n, len(b))
		}
	}
}
