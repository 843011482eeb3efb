package scenario

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
)

// A timeout that is not above the round trip is warned of with both numbers, whatever makes the
// round trip long; the defaults are enough for 1000 km. Tier: -short.
func TestTimeoutsBelowTheRoundTrip(t *testing.T) {
	for _, x := range []struct{ length, rto, warning string }{
		{"1000km", "{}", ""},
		{"1000km", "{floor: 1ms, initial: 11ms}", ""},
		{"1000km", "{initial: 10ms}", "nic.rto.initial is 10ms, not above the base RTT of 10.009ms of collective/a-h0-b-h0"},
		{"1000km", "{initial: 10ms}", "and 15 other flows: everything is sent again before the first ACK can come"},
		{"2000km", "{}", "nic.rto.initial is 16ms, not above the base RTT of 20.009ms of collective/a-h0-b-h0"},
		{"1000km", "{factor: 1}",
			"nic.rto.floor is 4ms and factor is 1, not above the base RTT of 10.009ms of collective/a-h0-b-h0"},
		{"1000km", "{factor: 1, floor: 11ms}", ""},
		{"10km", "{factor: 1}", ""},
	} {
		planned := plansOf(t, `
algorithm: none
topology: {kind: two-dc, scale: 1/64, dci_wan: {length: `+x.length+`}}
nic: {rto: `+x.rto+`}
traffic: [{operation: all-reduce, method: hierarchical, groups: 2, size: 64kB}]
`)[0]
		warnings := strings.Join(Analyse(planned, nil).Warnings, "\n")
		if !strings.Contains(warnings, x.warning) || x.warning == "" && warnings != "" {
			t.Errorf("%s, rto %s: warns %q, want %q", x.length, x.rto, warnings, x.warning)
		}
	}
}

// A plan asks for the extensions of an algorithm once, however many pairs of hosts use it. Tier: -short.
func TestAlgorithmsAreConfiguredOnce(t *testing.T) {
	planned := plansOf(t, `
algorithm: none
topology: {kind: star, hosts: 8}
traffic: [{operation: all-to-all, size: 64kB}]
`)[0]
	asked := 0
	Analyse(planned, func(*plan.Algorithm, *wire.Frame, *wire.Frame) { asked++ })
	if asked != 1 || len(planned.Flows) < 8 {
		t.Errorf("%d flows ask %d times, want 1", len(planned.Flows), asked)
	}
}
