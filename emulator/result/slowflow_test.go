package result

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// starWay is the way of a flow of star.
func starWay(flow int) []Step {
	return []Step{
		{End: plan.End{Node: plan.NodeID(1 + flow)}, Share: 1},
		{End: plan.End{Node: 0, Port: 2}, Hop: 1, Share: 1},
	}
}

// The slowest come first, with what they met in their own time where ports have series, else in
// the whole run. Tier: -short. Red with a bin less at either end, and with lives that are not cut.
func TestFindSlow(t *testing.T) {
	o := series(star())
	o.Flows[1].Sender.Started = 5 * us // until 20 us; the first until 10 us
	o.FindSlow(starWay)
	if len(o.Slow) != 2 || o.Slow[0].Flow != 1 || o.Slow[1].Flow != 0 {
		t.Fatalf("%+v", o.Slow)
	}
	at := o.Slow[1].Ports[1]
	// 5410 B take 432.8 ns at 100 Gb/s, in the first of two bins.
	if !at.Alone || at.Depth != 5410 || at.Marked != 2 || at.Paused != 0 || at.Queue != 3 || at.Others != 1 ||
		math.Abs(at.wait-216_400) > 2000 || at.Flows != 1.5 || !slices.Equal(at.Beside, []string{"h1-h2"}) {
		t.Errorf("%+v", at)
	}
	late := o.Slow[0].Ports[1]
	if late.Depth != 1082 || late.Marked != 0 || late.Paused != 1_500_000 || math.Abs(late.Flows-4.0/3) > 1e-9 {
		t.Errorf("%+v", late)
	}
	if nic := o.Slow[0].Ports[0]; nic.Alone || nic.Queue != -1 || nic.WaitShare != 0 || nic.Flows != 1 || nic.Others != 0 {
		t.Errorf("%+v", nic)
	}

	o = star()
	o.Switches[0].Ports[2].Classes.Of(3).Paused = 7
	o.FindSlow(starWay)
	at = o.Slow[0].Ports[1]
	if at.Alone || at.Depth != 5410 || at.Marked != 4 || at.Paused != 7 || at.WaitShare != 1 {
		t.Errorf("of the whole run: %+v", at)
	}
}

// First are flows that did not complete, then those with the largest slowdown, then those
// without a size that got least; one that never began is none.
func TestSlowest(t *testing.T) {
	o := star()
	for range 4 {
		o.Plan.Flows, o.Flows = append(o.Plan.Flows, o.Plan.Flows[1]), append(o.Flows, another(&o.Flows[1]))
	}
	o.Flows[2].Sender.Completed = unit.Never
	o.Flows[2].Sender.Acked = 400
	o.Plan.Flows[3].Size, o.Flows[3].Sender.Acked = 0, 5000
	o.Plan.Flows[4].Size = 0
	o.Flows[5].Sender.Started = unit.Never
	if got := slowest(o, 9); !slices.Equal(got, []int{2, 1, 0, 3, 4}) {
		t.Error(got)
	}
	if got := slowest(o, 2); !slices.Equal(got, []int{2, 1}) {
		t.Error(got)
	}
}

// Of many ports those with most of the wait stay, in their order.
func TestPortsOfSlow(t *testing.T) {
	var s slowFlow
	for hop := range 40 {
		s.Ports = append(s.Ports, SlowPort{Step: Step{Hop: hop, Share: 1}, wait: float64(hop % 20)})
	}
	s.finish()
	if len(s.Ports) != portsOfSlow || s.Ports[0].Hop != 12 || s.Ports[portsOfSlow-1].Hop != 39 {
		t.Errorf("%d ports, from %d to %d", len(s.Ports), s.Ports[0].Hop, s.Ports[len(s.Ports)-1].Hop)
	}
}

// The sentence has what happened, and nothing that did not.
func TestSlowness(t *testing.T) {
	slow := Slowness{
		Flow:       "f",
		Size:       10000,
		Acked:      10000,
		Done:       true,
		Took:       20 * unit.Microsecond,
		Slowdown:   4,
		Message:    math.NaN(),
		Timeouts:   1,
		Marked:     7,
		Silence:    3 * unit.Microsecond,
		SilentFrom: 5 * us,
		Ports: []SlowPlace{
			{
				Node:      "h0",
				Port:      "0",
				Peer:      "s0",
				WaitShare: 0.25,
				Flows:     1,
				Paused:    2 * unit.Microsecond,
			},
			{
				Node:      "s0",
				Port:      "2",
				Peer:      "h2",
				WaitShare: 0.75,
				Flows:     2.5,
				Others:    4,
				Beside:    []string{"a", "b"},
			},
		},
	}
	want := "f took 20 us, 4 times as long as alone; s0:2 to h2 had 75 % of its wait in queues, shared by 2.5 flows at " +
		"a time: a, b and 2 more; 7 packets marked, 1 timeout, h0:0 paused by s0 for 2 us; no packet arrived for 3 us " +
		"from 5 us on"
	if got := slow.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	quiet := Slowness{Flow: "f", Acked: 400, Size: 10000, Slowdown: math.NaN()}
	if got := quiet.String(); got != "f did not complete, 400 B of 10 KB acknowledged; no packet marked or sent again, "+
		"no pause on its way" {
		t.Error(got)
	}
	if !quiet.SlowerThan(&slow) || slow.SlowerThan(&quiet) {
		t.Error("a flow that did not complete is not the slower one")
	}
	o := star()
	o.FindSlow(starWay)
	if text := o.Slowest().String(); !strings.HasPrefix(text, "h1-h2 took 20 us, 4 times as long as alone; s0:2 to h2 "+
		"had 100 %") || !strings.Contains(text, "2 packets marked, 2 CNPs") {
		t.Error(text)
	}
	for i := range o.Flows {
		o.Flows[i].Ideal = 20 * unit.Microsecond
	}
	if got := o.Slowest(); got != nil {
		t.Errorf("a flow that was not slow: %v", got)
	}
}

// The rate of a flow while it was held back is named with the free rate, and unknown figures are left out: without CNPs
// the brackets, without rates all of it. All CNPs of the flow are not named twice.
func TestHeldBackInWords(t *testing.T) {
	why := WhySlow{Algorithm: "dcqcn", Bottleneck: "s0:2"}
	why.Parts[attribution.HeldBack], why.Parts[attribution.Alone] = 3*unit.Microsecond, unit.Microsecond
	slow := Slowness{
		Flow:     "f",
		Size:     1,
		Acked:    1,
		Done:     true,
		Took:     4 * unit.Microsecond,
		Slowdown: 4,
		CNPs:     535,
		Why:      &why,
	}
	const before = "f took 4 us, 4 times as long as alone: 3 us held back "
	for _, c := range []struct {
		held HeldBack
		want string
	}{
		{HeldBack{4.8, 25, 100, 535}, "to 4.800 Gb/s by dcqcn while 25 to 100 Gb/s of s0:2 were free (after 535 CNPs); no " +
			"packet marked or sent again, no pause on its way"},
		{HeldBack{0.01, 0.9, 100, 1}, "to 10 Mb/s by dcqcn while 900 Mb/s to 100 Gb/s of s0:2 were free (after 1 CNP); 535 " +
			"CNPs"},
		{HeldBack{40, 60, 60, 0}, "to 40 Gb/s by dcqcn while 60 Gb/s of s0:2 were free; 535 CNPs"},
		{HeldBack{}, "by dcqcn while s0:2 was idle; 535 CNPs"},
	} {
		why.Held = c.held
		if got := slow.String(); got != before+c.want {
			t.Errorf("%q, want %q", got, before+c.want)
		}
	}
}

// CNPs that came after a flow was held back last are not said to have come before.
func TestCNPsBeforeAFlowWasHeldBack(t *testing.T) {
	o := series(star())
	o.Why = make([]Cause, len(o.Flows))
	over := &record.Progress{}
	over.CNPs.Put(0, 3)
	over.CNPs.Put(1, 4)
	over.CNPs.Put(2, 5)
	o.Flows[0].Sender.Over = over
	o.Why[0].HeldBackAt = attribution.HeldBackAt{
		Rate:     4_459_400_000,
		FreeHigh: unit.Gbps,
		Until:    unit.Time(2 * o.Recorded.Width),
	}
	if got := o.whySlow(0).Held; got != (HeldBack{Rate: 4.459, FreeHigh: 1, CNPs: 7}) {
		t.Errorf("%+v", got)
	}
}
