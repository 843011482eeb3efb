package scenario

import (
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const longHaul = `
switch: {buffer: 1GB}
algorithm: dcqcn
topology:
  kind: dumbbell
  left: 1
  right: 1
  bottleneck_wan:
    length: 120km
    backward_length: 100km
    equipment: 65us
    jitter: 1us
    wavelengths: 4
    wavelength_rate: 100Gbps
    timeline:
      - {at: 1ms, flap: 50us}
      - {at: 2ms, length: 160km, jitter: 0s, loss: 0.1}
      - {at: 3ms, backward_length: 90km, burst_loss: {enter: 0.1, leave: 0.5}}
traffic: [{from: h0, to: h1, size: 1MB}]
`

// A long-haul path is one link of the graph, with its delays as latencies, and a
// node between two links in the plan, which take theirs out of them.
func TestLongHaulInThePlan(t *testing.T) {
	p := plansOf(t, longHaul)[0]
	if len(p.WANs) != 1 || len(p.Links) != 4 || p.Nodes() != 5 || p.WANNode(0) != 4 || p.NodeName(4) != "wan0" {
		t.Fatalf("%d paths, %d links, %d nodes, %s", len(p.WANs), len(p.Links), p.Nodes(), p.NodeName(4))
	}
	delay := func(forward, back unit.Duration) [2]unit.Duration {
		return [2]unit.Duration{forward * unit.Microsecond, back * unit.Microsecond}
	}
	bursts := profile.WANLoss{Enter: 0.1, Leave: 0.5, Bad: 1}
	ms := unit.Time(unit.Millisecond)
	want := profile.WAN{Length: [2]unit.Length{120 * unit.Kilometre, 100 * unit.Kilometre},
		Phases: []profile.WANPhase{{Delay: delay(665, 565), Jitter: unit.Microsecond},
			{From: 2 * ms, Delay: delay(865, 865), Loss: profile.WANLoss{Good: 0.1}},
			{From: 3 * ms, Delay: delay(865, 515), Loss: bursts}},
		Flaps: []fabric.Outage{{From: ms, To: ms + unit.Time(50*unit.Microsecond)}}}
	if !reflect.DeepEqual(p.WANs[0].Profile, want) {
		t.Errorf("profile is\n%+v, want\n%+v", p.WANs[0].Profile, want)
	}
	// h0 (2) and h1 (3) hang on s0 (0) and s1 (1).
	near, far := p.Links[p.WANs[0].Links[0]], p.Links[p.WANs[0].Links[1]]
	half := fabric.Channel{Rate: 400 * unit.Gbps, Latency: unit.Microsecond}
	if near.A != (plan.End{Node: 0, Port: 1}) || near.B != (plan.End{Node: 4, Port: 0}) ||
		far.A != (plan.End{Node: 4, Port: 1}) || far.B != (plan.End{Node: 1, Port: 1}) ||
		near.Forward != half || near.Backward != half || far.Forward != half || far.Backward != half {
		t.Errorf("links are %+v and %+v", near, far)
	}
	if p.Switches[0].Links[1] != 2 || p.Switches[1].Links[1] != 3 {
		t.Errorf("the switches have links %v and %v", p.Switches[0].Links, p.Switches[1].Links)
	}
	if p.Peer(2, plan.End{Node: 0, Port: 1}) != (plan.End{Node: 1, Port: 1}) ||
		p.Peer(3, plan.End{Node: 1, Port: 1}) != (plan.End{Node: 0, Port: 1}) ||
		p.Peer(0, plan.End{Node: 2}) != (plan.End{Node: 0, Port: 0}) {
		t.Error("the peers across the path are others")
	}
	if f := &p.Flows[0]; len(f.Path) != 3 ||
		f.Path[1].Channel != (fabric.Channel{Rate: 400 * unit.Gbps, Latency: 665 * unit.Microsecond}) ||
		f.Back[1].Latency != 565*unit.Microsecond {
		t.Errorf("path %v, back %v", f.Path, f.Back)
	}
	if l := p.Lookahead(); l >= 2*unit.Microsecond || l < unit.Microsecond {
		t.Errorf("lookahead %v", l)
	}
}

// Headroom is for the longest way there and back in the timeline, for any share of the link itself in it.
func TestHeadroomAcrossALongHaul(t *testing.T) {
	p := plansOf(t, longHaul)[0]
	a := p.Attachment(2, false)
	plain := a
	plain.Tx.Latency, plain.Rx.Latency, plain.Beyond = 865*unit.Microsecond, 865*unit.Microsecond, 0
	s := profile.DefaultSwitch()
	if got, want := s.HeadroomFor(&a, p.MaxFrame()), s.HeadroomFor(&plain, p.MaxFrame()); got != want ||
		a.Beyond != (865+865-2)*unit.Microsecond {
		t.Errorf("headroom %v, want %v; %v beyond", got, want, a.Beyond)
	}
	if a := p.Attachment(2, true); a.Beyond != 0 {
		t.Errorf("the path itself has %v beyond its link", a.Beyond)
	}
}

func TestAnalysisOfALongHaul(t *testing.T) {
	r := Analyse(plansOf(t, longHaul)[0], nil)
	if r.Links != 3 || r.WANs != 1 || r.Paths[0].Hops != 2 || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	want := LongHaul{
		Name:    "wan0",
		From:    "s0",
		To:      "s1",
		Rate:    400 * unit.Gbps,
		Length:  [2]unit.Length{120 * unit.Kilometre, 100 * unit.Kilometre},
		Delay:   [2]unit.Duration{665 * unit.Microsecond, 565 * unit.Microsecond},
		Jitter:  unit.Microsecond,
		Changes: 3,
		Fill:    (400 * unit.Gbps).BytesIn(2 * 865 * unit.Microsecond),
	}
	if !reflect.DeepEqual(r.LongHauls, []LongHaul{want}) {
		t.Errorf("got %+v, want %+v", r.LongHauls, want)
	}
}
