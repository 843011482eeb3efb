package result

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Two flows of 10 000 B that take 10 and 20 us: 160 000 b in 30 us. One that did
// not complete, or that has no size, has no completion time.
func TestFlowRate(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*Outcome)
		want   float64
	}{
		{"both", func(*Outcome) {}, 160.0 / 30},
		{"one did not complete", func(o *Outcome) { o.Flows[1].Sender.Completed = unit.Never }, 8},
		{"one has no size", func(o *Outcome) { o.Plan.Flows[1].Size = 0 }, 8},
		{"none completed", func(o *Outcome) {
			for i := range o.Flows {
				o.Flows[i].Sender.Completed = unit.Never
			}
		}, math.NaN()},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := star()
			c.change(o)
			got, ok := Summarise(o).Value("flow_rate_gbps")
			if !ok || !(math.Abs(got-c.want) < 1e-8) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%s: %v, %v, want %v", c.what, got, ok, c.want)
			}
		})
	}
}
