package picture

import (
	"fmt"
	"strings"
	"testing"
)

// link is a link whose ports have no numbers.
func link(a, b string, rate, utilisation float64) Link {
	return Link{A: a, B: b, Rate: rate, Utilisation: utilisation}
}

// leafSpine is a fabric with the given numbers of leaves, spines and hosts a leaf.
func leafSpine(leaves, spines, hosts int) (d Fabric) {
	for l := range leaves {
		leaf := fmt.Sprintf("leaf%d", l)
		d.Nodes = append(d.Nodes, Node{Name: leaf})
		for h := range hosts {
			host := fmt.Sprintf("h%d", l*hosts+h)
			d.Nodes = append(d.Nodes, Node{Name: host, Host: true})
			d.Links = append(d.Links, link(host, leaf, 100, float64(h)/float64(hosts)))
		}
		for s := range spines {
			d.Links = append(d.Links, link(leaf, fmt.Sprintf("spine%d", s), 400, float64(l)/float64(leaves)))
		}
	}
	for s := range spines {
		d.Nodes = append(d.Nodes, Node{Name: fmt.Sprintf("spine%d", s)})
	}
	return d
}

// fatTree is two pods of ten leaves, ten spines and twenty hosts under a core.
func fatTree() (d Fabric) {
	d.Nodes = []Node{{Name: "core0"}}
	for pod := range 2 {
		half := leafSpine(10, 10, 2)
		named := func(name string) string { return fmt.Sprintf("%s-%d", name, pod) }
		for _, n := range half.Nodes {
			d.Nodes = append(d.Nodes, Node{Name: named(n.Name), Host: n.Host})
			if strings.HasPrefix(n.Name, "spine") {
				d.Links = append(d.Links, link(named(n.Name), "core0", 400, 0))
			}
		}
		for _, l := range half.Links {
			d.Links = append(d.Links, link(named(l.A), named(l.B), l.Rate, l.Utilisation))
		}
	}
	return d
}

// Tier: -short, as all of this file.
func TestFabric(t *testing.T) {
	d := leafSpine(4, 2, 4)
	d.Name = "pc4"
	d.Nodes = append(d.Nodes, Node{Name: "wan0", Path: true})
	d.Links = append(d.Links, link("spine0", "wan0", 100, 1))
	d.Pauses = []Pause{
		{"h3", "leaf0", 1000, []float64{0.5, 1}}, {"leaf0", "spine0", 398.3, nil}, {"spine0", "leaf0", 7, nil},
	}
	d.Width, d.Bins = 1000, 2
	golden(t, "fabric", d.Draw())
	d.Deadlocks = []Deadlock{{2000, []Wait{{"leaf0", "4", "spine0"}, {"spine0", "1", "leaf1"}, {"leaf1", "5", "spine1"},
		{"spine1", "0", "leaf0"}}}, {3000.5, nil}}
	golden(t, "fabric-deadlock", d.Draw())
	golden(t, "fabric-empty", Fabric{Key: Key{"pc4", 0}}.Draw())
	large := leafSpine(16, 8, 64)
	large.Key = Key{evil, 1}
	large.Pauses = []Pause{{"h3", "leaf0", 10, nil}, {"h4", "leaf0", 20, nil}}
	golden(t, "fabric-large", large.Draw())
	for _, size := range [][3]int{{1, 0, 1}, {1, 0, 17}, {1, 0, 300}, {2, 1, 2}, {300, 300, 2}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d := leafSpine(size[0], size[1], size[2])
			d.Nodes = append(d.Nodes, Node{Name: evil})
			proper(t, d.Draw())
		})
	}
}

// Nodes are in tiers by their way to a host; too many hosts are a count under their switch, with the links between two
// boxes summed up.
func TestFabricTiers(t *testing.T) {
	tiers := func(d Fabric) string {
		var text []string
		for _, tier := range d.layOut().tiers {
			var names []string
			for _, g := range tier.groups {
				names = append(names, g.name)
			}
			text = append(text, tier.name+": "+strings.Join(names, " "))
		}
		return strings.Join(text, "; ")
	}
	two := leafSpine(2, 1, 2)
	two.Nodes = append(two.Nodes, Node{Name: "wan0", Path: true})
	two.Links = append(two.Links, link("spine0", "wan0", 100, 0))
	const pods = "core: core0; spine: 10 x spine 10 x spine; leaf: 10 x leaf 10 x leaf; hosts: 20 hosts 20 hosts"
	for want, d := range map[string]Fabric{
		pods: fatTree(),
		"DCI: wan0; spine: spine0; leaf: leaf0 leaf1; hosts: h0 h1 h2 h3": two,
		"switch: leaf0; hosts: h0 h1":                                     leafSpine(1, 0, 2),
		"spine: spine0; leaf: leaf0 leaf1; hosts: 30 hosts 30 hosts":      leafSpine(2, 1, 30),
		"spine: 20 x spine; leaf: 20 x leaf; hosts: 40 hosts":             leafSpine(20, 20, 2),
		"spine: spine0; leaf: 20 x leaf; hosts: 40 hosts":                 leafSpine(20, 1, 2),
	} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if got := tiers(d); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	d := leafSpine(1, 0, 30)
	d.Pauses = []Pause{
		{"h2", "leaf0", 0, nil},
		{"h3", "leaf0", 10, []float64{0, 0.01, 0.26, 0.99}},
		{"h4", "leaf0", 20, []float64{0, 0, 0.25, 1}},
		{"leaf0", "h0", 1, nil},
	}
	m := d.layOut()
	if len(m.links) != 1 || m.links[0].count != 30 || m.links[0].Utilisation != 29.0/30 {
		t.Errorf("%+v", m.links)
	}
	if len(m.pauses) != 2 || m.pauses[0].Time != 30 || eighths(m.pauses[0].shares) != "0128" {
		t.Errorf("%+v", m.pauses)
	}
	if got := eighths(d.Pauses[1].Shares); got != "0127" {
		t.Errorf("a share is changed where it came from, or is full before it is: %s", got)
	}
}
