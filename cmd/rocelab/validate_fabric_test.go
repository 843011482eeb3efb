package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
)

// squeezed is text with one space in place of several, and of the lines of tables.
func squeezed(text string) string {
	text = strings.NewReplacer("│", " ", "─", "", "├", "", "┤", "", "┼", "").Replace(text)
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// Validate prints the capacity of a fabric, the places of a job, the choices of ECMP and the cost of a run. By hand: 8
// flows of 1000 packets and as many ACKs, each over 4 ports, are 64000 packet-hops.
func TestValidatePrintsTheFabric(t *testing.T) {
	s := newShell(t)
	s.write("ring.yaml", `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
traffic: [{name: job, operation: permute, hosts: [h0, h4, h1, h5, h2, h6, h3, h7], size: 1MB}]
variants:
  - {name: ecmp, algorithm: dcqcn}
  - {name: again, algorithm: pc4}
  - {name: spray, algorithm: dcqcn, switch: {forwarding: spray}, nic: {receiver: ooo}}
`)
	s.run(0, "validate", "ring.yaml")
	text := squeezed(s.stdout)
	for _, words := range []string{
		"ecmp, again, spray\na run: 64000 packet-hops, 8ms to 21ms on one core at 8 to 3 million a second, ",
		"\nswitches such as to hosts up oversubscription\n\n2 leaf0 400Gbps 200Gbps 2:1\n",
		"\nbisection: 200Gbps from the 4 hosts at leaf0 to the 4 hosts at leaf1, which can use 400Gbps: 2:1\n",
		"\njobs such as ranks first last order leaf switches sites\n\n1 job 8 h0 h7 stride 4 2 1\n",
		"\nECMP groups ports flows such as a port pairs expected collisions expected\n\n" +
			"2 2 to spine 8 leaf0 2 to 2 4 6 0 1\n", // expected of each leaf: 4 x 3 / 2 / 2 pairs, 4 x 2 / 16 collisions
		"\necmp, again\na port: flows on the least and on the most loaded port of the named group; pairs: ",
	} {
		s.says(text, words)
	}
	if strings.Count(text, "ECMP groups") != 1 || strings.Contains(s.stdout, "by a sample") {
		t.Error(s.stdout)
	}
	s.run(0, "validate", "ring.yaml", "--variant", "ecmp", "--format", "json")
	s.says(s.stdout, `"expected_pairs": 6,`)
	s.says(s.stdout, `"packet_hops": 64000,`)
	s.run(0, "validate", "ring.yaml", "--variant", "ecmp", "--sample")
	s.says(strings.ReplaceAll(s.stdout, "\n    ", " "), " on this host, by a sample\n")
}

// The README and the prediction have the same speed of a core.
func TestSpeedOfACore(t *testing.T) {
	want := fmt.Sprintf("A core moves %d to %d million packet-hops", plan.SlowHops/1_000_000, plan.FastHops/1_000_000)
	for path, text := range pages(t, "README.md") {
		if !strings.Contains(strings.ReplaceAll(text, "\n", " "), want) {
			t.Errorf("%s has no %q", path, want)
		}
	}
}
