package result

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The thresholds of a queue follow its port's rate; a queue without a marking class and a NIC have none.
func TestThresholdsOfAQueue(t *testing.T) {
	o := star()
	o.Plan.Links[2].Forward.Rate, o.Plan.Links[2].Backward.Rate = 25*unit.Gbps, 25*unit.Gbps
	for n := range o.Plan.EachNode {
		place := portPlace{o.Plan, &n, 0}
		if n.Kind == plan.KindSwitch {
			place.port = 2
		}
		kmin, kmax, marks := place.marking(3)
		if want := n.Kind == plan.KindSwitch; marks != want || want && (kmin != 100*unit.KB || kmax != 400*unit.KB) {
			t.Errorf("%s: %v, %v, %v", n.Name, kmin, kmax, marks)
		}
		if _, _, marks := place.marking(0); marks {
			t.Errorf("%s: queue 0 marks", n.Name)
		}
		if n.Kind == plan.KindSwitch && place.rate() != 25*unit.Gbps {
			t.Errorf("%s: rate %v", n.Name, place.rate())
		}
	}
}
