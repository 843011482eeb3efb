package veth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
)

// An interface is down while its end of the link is: for as long as an outage lasts, later if the other end reports it,
// and not if it does not. A reboot of its switch is an outage, too, and outages that meet are one. Control: outages as
// the link has them.
func TestOutagesAtAnEdge(t *testing.T) {
	for name, test := range map[string]struct{ faults, want string }{
		"none":                   {"{link: h1-s0, loss: 0.1}", ""},
		"another's":              {"{link: h0-s0, down: 1ms, up: 2ms}", ""},
		"outage":                 {"{link: h2-s0, down: 1ms, up: 2ms}", "1ms-2ms"},
		"flaps":                  {"{link: h2-s0, flaps: {from: 1ms, times: 2, down: 1ms, up: 2ms}}", "1ms-2ms 4ms-5ms"},
		"that meet":              {"{link: h2-s0, down: 1ms, up: 2ms}, {link: h2-s0, down: 2ms, up: 3ms}", "1ms-3ms"},
		"reboot":                 {"{kind: switch-reboot, switch: s0, down: 1ms, up: 9ms}", "1ms-9ms"},
		"no signal to it":        {"{kind: one-way, link: h2-s0, toward: h2, down: 1ms, up: 2ms}", "1ms-2ms"},
		"no signal to the other": {"{kind: one-way, link: h2-s0, toward: s0, down: 1ms, up: 2ms}", "1.1ms-2.1ms"},
		"without remote fault": {"{kind: one-way, link: h2-s0, toward: s0, remote_fault: false, down: 1ms, up: 2ms}",
			""},
		"slow, with loss": {"{link: h2-s0, rate: 1Gbps, from: 1ms}, {link: h2-s0, loss: 0.1}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := star(t, 3, fmt.Sprintf("edges: [{node: h2, interface: e0}]\nrun: {until: 10ms}\nfaults: [%s]", test.faults))
			var got []string
			for rest := outagesAt(p, p.Edges()[0]); ; rest.RemoveFirst() {
				next, ok := rest.Next()
				if !ok {
					break
				}
				got = append(got, fmt.Sprintf("%v-%v", next.From, next.To))
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%q, want %q", text, test.want)
			}
			if w := wanted(p, p.Edges()[0]); w.Carrier != (test.want != "") {
				t.Errorf("%+v", w)
			}
		})
	}
}

func TestWhatWasPlannedIsNamed(t *testing.T) {
	for _, test := range []struct {
		did  iface.CarrierCounters
		want string
	}{
		{iface.CarrierCounters{}, ""},
		{iface.CarrierCounters{Times: 1}, "was set down 1 time by faults of the scenario"},
		{iface.CarrierCounters{Times: 2, Void: 1}, "was set down 2 times by faults of the scenario, and 1 frame that came " +
			"meanwhile is lost"},
	} {
		if got := setAsPlanned(test.did); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
