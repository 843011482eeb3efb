package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// farApart is two switches with a long-haul path between them.
func farApart(t *testing.T) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(`
algorithm: fixed
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 10km, name: fibre}}
traffic: [{kind: incast, size: 1MB}]
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

func TestPortsOfALongHaulCanBeCaptured(t *testing.T) {
	p := farApart(t)
	for port, name := range []string{"fibre:0", "fibre:1"} {
		t.Run(name, func(t *testing.T) {
			got, err := CapturePort(p, name)
			if err != nil || got.Name != name || got.Node != 4 || got.Port != port {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
			if want := p.WANs[0].Links[port]; int(got.Out)/2 != want || got.In != got.Out^1 {
				t.Errorf("%s sends on %d, want link %d", name, got.Out, want)
			}
		})
	}
	for _, name := range []string{"fibre", "fibre:2"} {
		t.Run(name, func(t *testing.T) {
			if _, err := CapturePort(p, name); err == nil || !strings.Contains(err.Error(), "fibre:0 or fibre:1") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Switches that hold each other across a path are a cycle.
func TestDeadlockAcrossALongHaul(t *testing.T) {
	d := NewDeadlocks(farApart(t))
	for sw := range 2 {
		for port, isSwitch := range []bool{false, true} {
			t.Run(fmt.Sprintf("isSwitch=%v", isSwitch), func(t *testing.T) {
				end := switchd.PortRef{Switch: sw, Port: port}
				peer, ok := d.peer(end)
				if ok != isSwitch || ok && peer != (switchd.PortRef{Switch: 1 - sw, Port: 1}) {
					t.Errorf("beyond %v is %v (%t)", end, peer, ok)
				}
			})
		}
	}
}

// A path's blueprint has what it needs, and a path that cannot be is named.
func TestBlueprintOfALongHaul(t *testing.T) {
	f, err := Blueprints(farApart(t))
	if err != nil {
		t.Fatal(err)
	}
	b := &f.Nodes[4]
	w, ok := b.Design.(*WAN)
	if !ok || b.Kind != plan.KindWAN || b.Name != "fibre" || len(b.Ports()) != 2 ||
		b.Ports()[0].Tx.Latency != unit.Microsecond {
		t.Errorf("%+v", b)
	}
	w.Profile.Phases[0].Delay[0] = unit.Nanosecond
	if _, err := NewBuilder(nil, nil).Build(b); err == nil || !strings.Contains(err.Error(),
		"long-haul path fibre: phase 0: delay 1ns") {
		t.Error(err)
	}
}
