package sonic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A profile's size counts its headroom in from xon + xoff on, as Spectrum has it: what is left of it is
// the guarantee, at least xon. A smaller size, and one beside an xon of 0, is the guarantee itself.
func TestSizeThatCountsHeadroom(t *testing.T) {
	const profile = `"size": "1248", "dynamic_th": "-3",
            "xon": "0", "xon_offset": "2288", "xoff": "71000"`
	if !strings.Contains(string(leaf(t)), profile) {
		t.Fatalf("no profile has %s", profile)
	}
	for _, x := range []struct{ size, xon, reserve unit.Bytes }{
		{71_999, 1000, 71_999},
		{72_000, 1000, 1000}, // xon + xoff
		{72_001, 1000, 1001},
		{71_000, 1, 71_000},
		{71_001, 1, 1},
		{71_000, 0, 71_000},
		{71_001, 0, 71_001},
	} {
		t.Run(fmt.Sprintf("size=%v,xon=%v", x.size, x.xon), func(t *testing.T) {
			changed := fmt.Sprintf(`"size": "%d", "dynamic_th": "-3", "xon": "%d", "xon_offset": "2288", "xoff": "71000"`,
				x.size, x.xon)
			imported, err := Import("leaf.json", []byte(strings.Replace(string(leaf(t)), profile, changed, 1)))
			if err != nil {
				t.Fatal(err)
			}
			p, err := planOf(imported.Scenario)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Switches[0].Profile.Reserve; got != x.reserve {
				t.Errorf("size %v, xon %v, xoff 71000 B: guarantee %v, want %v", x.size, x.xon, got, x.reserve)
			}
		})
	}
}
