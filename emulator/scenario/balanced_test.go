package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
)

// pair is two data centres whose jobs of two ranks exchange data; %s are keys of the fabric, and
// ranks more of job1.
const pairTraffic = `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64%s}
traffic:
  - {name: job0, operation: permute, hosts: [a-h0, b-h0], size: 1MB, paths: balanced}
  - {name: job1, operation: permute, hosts: [%s], size: 1MB, paths: PATHS}
`

// loadsOf counts the flows at each DCI port.
func loadsOf(p *plan.Plan) map[string]int {
	loads := map[string]int{}
	for i := range p.Flows {
		f := &p.Flows[i]
		if f.Pin == nil {
			continue
		}
		for _, end := range p.PortsOn(f.Src, f.Pin.Ports) {
			at := p.Node(end.Node)
			if p.AttachmentAt(&at, end.Port).DCI {
				loads[p.PortName(end)]++
			}
		}
	}
	return loads
}

// All balanced entries together load the DCI ports equally, in the order of their flows and the
// same with every seed.
func TestBalancedPaths(t *testing.T) {
	for _, c := range []struct {
		fabric, ranks string
		ports, each   int
	}{
		{", dci_links: 1", "a-h1, b-h1", 4, 1},
		{", dci_links: 1", "a-h1, b-h1, a-h2, b-h2, a-h3, b-h3", 4, 2},
		{", dci_links: 2, spines: 1", "a-h1, b-h1", 4, 1},
		{", dci_links: 1, spines: 1", "a-h1, b-h1", 2, 2},
	} {
		t.Run(fmt.Sprintf("fabric=%s,ranks=%s", c.fabric, c.ranks), func(t *testing.T) {
			var first string
			for seed := range 3 {
				src := strings.Replace(fmt.Sprintf(pairTraffic, c.fabric, c.ranks), "PATHS", "balanced", 1)
				p := plansOf(t, fmt.Sprintf("seed: %d%s", seed, src))[0]
				loads := loadsOf(p)
				if len(loads) != c.ports {
					t.Errorf("%s: %v, want %d ports", c.fabric, loads, c.ports)
				}
				for port, flows := range loads {
					if flows != c.each {
						t.Errorf("%s: %d flows at %s, want %d", c.fabric, flows, port, c.each)
					}
				}
				text := ""
				for i := range p.Flows {
					text += fmt.Sprint(p.Flows[i].Pin.Number)
				}
				if first == "" {
					first = text
				} else if text != first {
					t.Errorf("%s: paths %s with seed %d, %s with 0", c.fabric, text, seed, first)
				}
			}
		})
	}
}

// A network of 1024 NICs is balanced, too, and shown by DCI ports.
func TestBalancedPathsOfTheWhole(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology: {kind: two-dc}
traffic: [{operation: permute, size: 1MB, stride: 512, paths: balanced}]
`)[0]
	loads := loadsOf(p)
	for port, flows := range loads {
		if flows != 8 || len(loads) != 128 {
			t.Fatalf("%d flows at %s of %d ports, want 8 at each of 128", flows, port, len(loads))
		}
	}
	if shown := len(Analyse(p, nil).Pinned); shown > 128 {
		t.Errorf("%d rows of pinned flows", shown)
	}
}

// What cannot be balanced is refused with numbers.
func TestPathsThatDoNotBalance(t *testing.T) {
	for _, c := range []struct{ fabric, ranks, paths, more, want string }{
		{", dci_links: 1", "a-h1, b-h1", "ecmp", "",
			"paths is balanced, and 2 DCI ports cannot share the flows equally, 1 in all: a-spine0:4 of 100Gbps would have 1, " +
				"of 50Gbps, and a-spine1:4 of 100Gbps 0, of 0bps; allowed are flows that the ports share evenly, or ecmp"},
		{", dci_links: 1, sites: 1", "a-h1, b-h1", "balanced", "",
			`paths is balanced, and of traffic "job0" no flow crosses a long-haul path between switches: allowed is ecmp`},
		{", dci_links: 1", "a-h1, a-h2", "balanced", "",
			`of traffic "job1" no flow crosses a long-haul path between switches: allowed is ecmp`},
		{", dci_links: 1", "a-h1, b-h1", "balanced", "switch: {forwarding: spray}\n",
			"paths pins flows, and a-leaf0 forwards by spray: allowed is ecmp"},
		{", dci_links: 1", "a-h1, b-h1", "random", "", `unknown paths "random": allowed are ecmp, balanced`},
		{", dci_links: 1", "a-h1, b-h1", "balanced", "  - {from: a-h4, to: b-h4, size: 1MB, path: 0, paths: balanced}\n",
			"path and paths: balanced are given together"},
	} {
		src := strings.Replace(fmt.Sprintf(pairTraffic, c.fabric, c.ranks), "PATHS", c.paths, 1) + c.more
		s, err := Parse("test.yaml", []byte(src), known)
		if err == nil {
			_, err = s.Plans()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, job1 %s %s: %v, want %q", c.fabric, c.ranks, c.paths, err, c.want)
		}
	}
}
