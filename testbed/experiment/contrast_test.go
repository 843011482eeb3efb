package experiment

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Sentences are made of the decimals that summary.json has, as the page has no others: a time
// of 0.0066 us counts as 0.007. Tier: -short.
func TestContrastsHaveTheDecimalsOfTheFiles(t *testing.T) {
	of := func(duration float64) Run { return Run{Summary: &result.Summary{DurationUS: duration}} }
	v := variant{"a", []Run{of(0.0066), of(math.NaN()), of(17.4)}}
	got := v.values("duration_us")
	if len(got) != 3 || got[0] != 0.007 || !math.IsNaN(got[1]) || got[2] != 17.4 {
		t.Errorf("%v, want 0.007, NaN, 17.4", got)
	}
}
