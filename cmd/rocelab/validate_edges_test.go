package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Validate lists where hosts that are not ours take part.
func TestValidateListsEdges(t *testing.T) {
	live, err := filepath.Abs("../../specs/scenarios/live")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.write("edges.yaml", `
topology:
  nodes:
    - {name: a, kind: edge, interface: veth-a, namespace: blue}
    - {name: b, stack: kernel, queue: 2MB}
    - {name: s, kind: switch}
  rate: 1Gbps
  links: [{endpoints: [a, s], rate: 2Gbps}, {endpoints: [b, s], latency: 1ms}]
run: {until: 1ms}
`)
	s.run(0, "validate", "edges.yaml")
	rows := ""
	for line := range strings.Lines(s.stdout) {
		if cells := strings.Split(line, "│"); len(cells) == 9 { // of which the first and the last are empty
			rows += strings.Join(strings.Fields(strings.Join(cells, " ")), " ") + "\n"
		}
	}
	const want = `edge interface address rate latency queue class
a veth-a in /run/netns/blue 10.0.0.1 2Gbps 100us 1MB 3
b own stack 10.0.0.2 1Gbps 1ms 2MB 3
`
	if !strings.Contains(rows, want) {
		t.Errorf("edges are\n%swant\n%s", rows, want)
	}
	s.says(s.stdout, "warning: class 3 is marked from")
	for _, file := range []string{"live-tcp.yaml", "live-120km.yaml"} {
		t.Run(file, func(t *testing.T) {
			if s.run(0, "validate", filepath.Join(live, file)); strings.Contains(s.stdout, "warning") {
				t.Errorf("%s:\n%s", file, s.stdout)
			}
		})
	}
	s.run(0, "validate", "edges.yaml", "--format", "json", "--set", "topology.nodes.b.mtu=9000B")
	s.says(s.stdout, `"address": "10.0.0.2"`)
}
