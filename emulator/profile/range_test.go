package profile

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Thresholds may be equal and 0, a probability 0 and 1; beyond is refused.
func TestEdgesOfMarking(t *testing.T) {
	for _, c := range []struct {
		kmin, kmax unit.Bytes
		pmax       float64
		want       string
	}{
		{0, 0, 0, ""},
		{1000, 1000, 1, ""},
		{1001, 1000, 1, "kmin is 1.001KB, above kmax of 1KB: allowed is kmin <= kmax"},
		{-1, 1000, 1, "kmin is -1B: allowed is 0B and above"},
		{0, 0, 1.01, "pmax is 1.01: allowed is 0 to 1"},
		{0, 0, -0.01, "pmax is -0.01: allowed is 0 to 1"},
		{0, 0, math.NaN(), "pmax is NaN: allowed is 0 to 1"},
	} {
		t.Run(fmt.Sprintf("kmin=%v,kmax=%v,pmax=%v", c.kmin, c.kmax, c.pmax), func(t *testing.T) {
			got := ""
			if err := CheckMarking(c.kmin, c.kmax, c.pmax); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%v, %v, %v: %q, want %q", c.kmin, c.kmax, c.pmax, got, c.want)
			}
		})
	}
	port := DCIPort{Buffer: 30, XOFF: 10, Headroom: 5, Classes: 2}
	if !port.Fits() {
		t.Error("what fills the memory does not fit")
	}
	if port.Buffer--; port.Fits() {
		t.Error("more than the memory fits")
	}
}
