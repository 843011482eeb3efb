package result

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Two flows: the samples of one are 4/11 and 0 off, the only sample of the other does not count.
func TestSwingSheet(t *testing.T) {
	o := star()
	if steps := swingSteps(o.Flows); len(steps) != 0 {
		t.Fatalf("no samples make %+v", steps)
	}
	for _, rtt := range []unit.Duration{10, 15, 11} {
		o.Flows[0].Sender.Swing.Add(rtt * unit.Microsecond)
	}
	o.Flows[1].Sender.Swing.Add(unit.Microsecond)
	var b strings.Builder
	if _, err := swingSheet.write(&b, runLabel{"a", 1}, rowsOf(swingSteps(o.Flows))); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 12 || lines[0] != "variant,seed,off_min,off_max,samples,share_below" ||
		lines[1] != "a,1,0.00,0.01,1,0.500000" || lines[11] != "a,1,0.30,0.50,1,1.000000" {
		t.Errorf("%s", b.String())
	}
	if s := Summarise(o); math.Abs(s.Swing-2.0/11) > 1e-12 {
		t.Errorf("mean %v, want %v", s.Swing, 2.0/11)
	}
	o.Flows[0].Sender.Swing = nil
	o.Flows[1].Sender.Swing.Add(10 * unit.Microsecond) // 7.2/2.8
	if steps := swingSteps(o.Flows); len(steps) != 14 || !math.IsInf(steps[13].high, 1) || steps[13].below != 1 {
		t.Errorf("the last step is %+v", steps[len(steps)-1])
	}
}
