package result

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// far is star with a long-haul path between h0 and s0.
func far() *Outcome {
	o := star()
	node := o.Plan.NICNode(len(o.Plan.NICs))
	near, beyond := o.Plan.Links[0], o.Plan.Links[0]
	near.B, beyond.A = plan.End{Node: node, Port: 0}, plan.End{Node: node, Port: 1}
	o.Plan.Links[0] = near
	o.Plan.Links = append(o.Plan.Links, beyond)
	o.Plan.Switches[0].Links[0] = 3
	o.InFlight = make([]Flight, 8)
	o.Plan.WANs = []plan.WAN{{Name: "wan0", Links: [2]int{0, 3},
		Profile: profile.WAN{Phases: []profile.WANPhase{{Delay: [2]unit.Duration{3 * unit.Microsecond,
			3 * unit.Microsecond}}}}}}
	held := record.InTransit{BytesMax: 1082, Max: 90 * unit.Nanosecond, Bound: unit.Microsecond}
	o.WANs = []WAN{{InTransit: [2]record.InTransit{held, held}, Ports: []record.Port{
		{RxFrames: 10, RxBytes: 10820, TxFrames: 12, TxBytes: 12 * 64}, {RxFrames: 12, RxBytes: 12 * 64, TxFrames: 10,
			TxBytes: 10820}}}}
	return o
}

func TestLongHaulIsAccountedFor(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(o *Outcome)
		status Status
		words  string
	}{
		"sound": {func(*Outcome) {}, Pass, "wan0 carried 22 frames, lost 0 by its own loss and flaps and " +
			"dropped none; it held at most 1.082KB and 1.082KB, 9.0 %"},
		"a frame inside": {func(o *Outcome) { inside(o, 1) }, Pass, "carried 21 frames"},
		"a frame forgotten": {func(o *Outcome) { inside(o, 0) }, Red, "wan0: received 12 frames (768 B) at port 1, but 11 " +
			"(704 B) were sent on and 0 (0 B) are inside"},
		"a frame lost": {func(o *Outcome) {
			p := &o.WANs[0].Ports[1]
			p.RxFrames, p.RxBytes, p.RxLostFrames, p.RxLostBytes = 11, 11*64, 1, 64
			inside(o, 0)
		}, Pass, "lost 1 by its own"},
		"more than rate times delay": {func(o *Outcome) { o.WANs[0].InTransit[0].Max = unit.Microsecond + 1 }, Red,
			"from port 0 at once, but rate times delay is 1us"},
		"lost before the path": {func(o *Outcome) { o.WANs[0].Ports[0].RxFrames-- }, Red, "link h0:0 to wan0:0"},
	} {
		o := far()
		c.spoil(o)
		t.Run(name, func(t *testing.T) { expectFinding(t, judge(o), c.status, Conservation, c.words) })
	}
}

// Sound paths share one line.
func TestLongHaulsShareALine(t *testing.T) {
	o := far()
	most := WAN{Ports: []record.Port{{}, {}}, InTransit: o.WANs[0].InTransit}
	most.InTransit[1].Max = 95 * unit.Nanosecond
	o.WANs = append(o.WANs, most)
	o.Plan.WANs = append(o.Plan.WANs, plan.WAN{Name: "wan1", Links: o.Plan.WANs[0].Links, Profile: o.Plan.WANs[0].Profile})
	fs := checkLongHauls(o)
	if len(fs) != 1 || fs[0].Text != "2 long-haul paths carried 22 frames, lost 0 by their own loss and flaps and "+
		"dropped none; the fullest, wan1, held at most 1.082KB and 1.082KB, 9.0 % and 9.5 % of rate times delay" {
		t.Errorf("%v", fs)
	}
}

// inside takes ACKs off the path's end, so that as many frames are still inside.
func inside(o *Outcome, frames uint64) {
	w := &o.WANs[0]
	w.Ports[0].TxFrames, w.Ports[0].TxBytes = 11, 11*64
	o.NICs[0].RxFrames, o.NICs[0].RxBytes = 11, 11*64
	o.Flows[0].Sender.CNPs--
	w.InTransit[1].Frames, w.InTransit[1].Bytes = frames, 64*frames
}

// A loss of the path is one of a link in counters and sheets, and no watchdog
// is blamed for what a path loses.
func TestLossesOfALongHaulAreThoseOfALink(t *testing.T) {
	o := far()
	o.WANs[0].Ports[1].RxLostFrames = 3
	if s := Summarise(o); s.LinkLost != 3 || s.Drops != 3 {
		t.Errorf("%d lost on links, %d drops", s.LinkLost, s.Drops)
	}
	var b strings.Builder
	_, err := dropSheet.write(&b, runLabel{"a", 1}, dropRows(o))
	if err != nil || !strings.Contains(b.String(), "a,1,wan0,1,s0,link,3\n") {
		t.Errorf("%v, %q", err, b.String())
	}
	if end := farEnd(o.Plan, 0); end != (plan.End{Node: 0, Port: 0}) {
		t.Errorf("h0 is heard by %v", end)
	}
	fire(o, 5*us)
	if !watchdogsDropped(o) {
		t.Error("a path without losses hides the watchdog's")
	}
	o.Plan.WANs[0].Profile.Flaps = []fabric.Outage{{From: 1, To: 2}}
	if watchdogsDropped(o) {
		t.Error("the losses of a flap are the watchdog's")
	}
}
