package model

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// The link of an edge is captured by the edge's name, behind a long-haul path too.
func TestEdgesCanBeCaptured(t *testing.T) {
	s, err := scenario.Parse("edges.yaml", []byte(`
topology: {kind: dumbbell, left: 2, right: 2, bottleneck_wan: {length: 120km}}
edges: [{node: h3, interface: a}, {node: h1, stack: kernel}]
run: {until: 1ms}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	for _, name := range []string{"h1", "h1:0"} {
		t.Run(name, func(t *testing.T) {
			got, err := CapturePort(p, name)
			if err != nil || got.Name != "h1:0" || got.Node != int(p.DeviceNode(1)) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
			l := p.Links[int(got.Out)/2]
			if end := l.A; p.NodeName(end.Node) != "h1" || p.NodeName(l.B.Node) != "s0" || got.Out%2 != 0 {
				t.Errorf("%s sends on %d, from %s to %s", name, got.Out, p.NodeName(l.A.Node), p.NodeName(l.B.Node))
			}
		})
	}
	for name, want := range map[string]string{"h1:1": "has port 0 only", "x": "edges h3 to h1"} {
		t.Run(name, func(t *testing.T) {
			if _, err := CapturePort(p, name); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		})
	}
}
