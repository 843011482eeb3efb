package scenario

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// faulty returns the plan of a star of three hosts, or of another fabric, with faults.
func faulty(t *testing.T, faults string) *plan.Plan {
	t.Helper()
	return plansOf(t, "algorithm: dcqcn\ntopology: {kind: star, hosts: 3}\n"+
		"traffic: [{kind: incast, size: 1MB}]\nfaults: ["+faults+"]\n")[0]
}

// A train of flaps is as many outages, all of the same length and distance.
func TestFlapsAreOutages(t *testing.T) {
	const ms = unit.Time(unit.Millisecond)
	p := faulty(t, "{link: h1-s0, flaps: {from: 1ms, times: 3, down: 2ms, up: 500us}}, {link: h1-s0, down: 9ms}")
	want := []fabric.Outage{
		{From: ms, To: 3 * ms}, {From: 3500 * ms / 1000, To: 5500 * ms / 1000}, {From: 6 * ms, To: 8 * ms},
		{From: 9 * ms, To: unit.Never},
	}
	if got := p.Links[1].Outages; !reflect.DeepEqual(got, want) {
		t.Errorf("outages are %v, want %v", got, want)
	}
	if len(p.Links[0].Outages) != 0 {
		t.Error("another link goes down")
	}
}

// A link is slow in both directions, or in that which the fault names, which one end sees as sent and the other as
// received.
func TestSlowLinks(t *testing.T) {
	p := faulty(t, "{link: h*-s0, rate: 25Gbps, from: 1us, to: 2us}, {link: h1-s0, rate: 50Gbps, from: 3us, toward: s0}")
	both := fabric.Slow{From: 1e6, To: 2e6, Rate: 25 * unit.Gbps}
	up := fabric.Slow{From: 3e6, To: unit.Never, Rate: 50 * unit.Gbps}
	for _, c := range []struct {
		link   int
		atB    bool
		tx, rx []fabric.Slow
	}{
		{0, false, []fabric.Slow{both}, []fabric.Slow{both}},
		{0, true, []fabric.Slow{both}, []fabric.Slow{both}},
		{1, false, []fabric.Slow{both, up}, []fabric.Slow{both}},
		{1, true, []fabric.Slow{both}, []fabric.Slow{both, up}},
	} {
		t.Run(fmt.Sprintf("link=%v,atB=%v", c.link, c.atB), func(t *testing.T) {
			if a := p.Attachment(c.link, c.atB); !reflect.DeepEqual(a.TxSlow, c.tx) || !reflect.DeepEqual(a.RxSlow, c.rx) {
				t.Errorf("link %d, at its second end %t: sends with %v, receives with %v, want %v and %v", c.link, c.atB, a.TxSlow,
					a.RxSlow, c.tx, c.rx)
			}
		})
	}
}

// One of several parallel long-haul links goes down by its timeline: named by its path, or by its two ends and their
// ports; flaps that were written there stay.
func TestOneOfTheLongHaulLinksFlaps(t *testing.T) {
	const ms = unit.Time(unit.Millisecond)
	p := plansOf(t, `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64, dci_wan: {length: 120km, timeline: [{at: 2ms, flap: 1ms}]}}
traffic: [{from: a-h0, to: b-h0, size: 1MB}]
faults:
  - {link: wan1, flaps: {from: 4ms, times: 2, down: 1ms, up: 2ms}}
  - {link: wan1, down: 1ms, up: 1500us}
  - {link: "a-spine0:4-b-spine0:4", down: 20ms}
`)[0]
	own := fabric.Outage{From: 2 * ms, To: 3 * ms}
	for i, want := range [][]fabric.Outage{
		{own, {From: 20 * ms, To: unit.Never}},
		{{From: ms, To: 1500 * ms / 1000}, own, {From: 4 * ms, To: 5 * ms}, {From: 7 * ms, To: 8 * ms}},
		{own},
	} {
		if got := p.WANs[i].Profile.Flaps; !reflect.DeepEqual(got, want) {
			t.Errorf("%s flaps %v, want %v", p.WANs[i].Name, got, want)
		}
	}
}
