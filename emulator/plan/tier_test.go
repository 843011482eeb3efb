package plan_test

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario/scenariotest"
)

// The tiers of a leaf with two hosts and two spines, and of a spine with four leaves and one long-haul path.
// Tier: -short. Red if a port over a long-haul path is one to a spine.
func TestTiers(t *testing.T) {
	p := scenariotest.PlanOn(t, "{kind: two-dc, scale: 1/64, dci_links: 1, dci_wan: {length: 1km}}",
		"traffic: [{from: a-h0, to: b-h0, size: 1kB}]")
	got := map[string]string{}
	for i, tiers := range p.Tiers() {
		got[p.Switches[i].Name] = fmt.Sprint(tiers)
	}
	for name, want := range map[string]string{
		"a-leaf0":  "[host host spine spine]",
		"b-spine1": "[leaf leaf leaf leaf dci]",
	} {
		t.Run(name, func(t *testing.T) {
			if got[name] != want {
				t.Errorf("%s has ports to %s, want %s", name, got[name], want)
			}
		})
	}
}
