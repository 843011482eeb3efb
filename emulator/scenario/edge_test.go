package scenario

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Microsecond

// withAllNodes has a node of each kind, the edges between the others.
const withAllNodes = `
topology:
  rate: 1Gbps
  nodes:
    - {name: a, kind: edge, interface: va, namespace: blue, mtu: 9000B, queue: 2MB, pfc: here, force: true}
    - {name: h0}
    - {name: s, kind: switch}
    - {name: b, stack: kernel, exec: iperf3 -s}
    - {name: h1}
    - {name: t, kind: switch}
  links:
    - {endpoints: [a, s], latency: 60us}
    - {endpoints: [s, t], wan: {length: 120km}}
    - {endpoints: [t, b]}
    - {endpoints: [h0, s]}
    - {endpoints: [s, t]}
    - {endpoints: [h1, t]}
run: {until: 10ms}
`

// An edge and a host with its own stack are devices, after the long-haul paths, with addresses after the NICs'. Tier:
// -short.
func TestEdgesOfWrittenNodes(t *testing.T) {
	p := plansOf(t, withAllNodes)[0]
	if len(p.NICs) != 2 || p.NICs[1].Name != "h1" || len(p.WANs) != 1 || !slices.Equal(p.Edges(), []int{0, 1}) {
		t.Fatalf("NICs %v, paths %v, edges %v", p.NICs, p.WANs, p.Edges())
	}
	want := []plan.Edge{
		{
			Interface: "va",
			Namespace: "/run/netns/blue",
			MTU:       9000,
			Queue:     2_000_000,
			PFCHere:   true,
			Force:     true,
			IP:        plan.FirstIP + 2,
		},
		{
			MTU:   1500,
			Queue: 1_000_000,
			IP:    plan.FirstIP + 3,
			Host:  true,
			MAC:   wire.NodeMAC(6, 0),
			Exec:  "iperf3 -s",
		},
	}
	for j, w := range want {
		t.Run(fmt.Sprintf("Interface=%q", w.Interface), func(t *testing.T) {
			if got := p.EdgeAt(j); got == nil || !reflect.DeepEqual(*got, w) {
				t.Errorf("edge %d is %+v, want %+v", j, got, w)
			}
			if p.StationName(2+j) != p.Devices[j].Name || plan.StationIP(2+j) != w.IP {
				t.Errorf("station %d is %s with %x", 2+j, p.StationName(2+j), plan.StationIP(2+j))
			}
		})
	}
	for link, latency := range map[int]unit.Duration{0: 60 * us, 2: 100 * us, 4: us} {
		t.Run(fmt.Sprintf("link=%v", link), func(t *testing.T) {
			if got := p.Links[link].Forward.Latency; got != latency || p.Links[link].Backward.Latency != latency {
				t.Errorf("link %d has a latency of %v, want %v", link, got, latency)
			}
		})
	}
	if p.MaxFrame() != 9022 {
		t.Errorf("the largest frame is %v", p.MaxFrame())
	}
	checkFabric(t, "written nodes", p)
}

// Half the least latency of an edge's link bounds the windows, and the default controller is not in the way. The ends
// of a long-haul path are as long as possible.
func TestWindowsWithEdges(t *testing.T) {
	src := strings.Replace(withAllNodes, "  rate: 1Gbps", "  rate: 1Gbps\n  latency: 300us", 1)
	p := plansOf(t, src)[0]
	if p.Lookahead() != 30*us || p.Controller.Latency != 30*us {
		t.Errorf("windows are %v long and the controller has %v, want 30us", p.Lookahead(), p.Controller.Latency)
	}
	if got := p.Links[p.WANs[0].Links[0]].Forward.Latency; got != 150*us {
		t.Errorf("the end of the path has %v, want a quarter of 600us", got)
	}
}

// A root's list makes edges of hosts of any kind of topology, in its order; the other
// hosts keep their servers.
func TestEdgesOfTheList(t *testing.T) {
	source, err := os.ReadFile("testdata/edges.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plans := plansOf(t, string(source))
	p := plans[0]
	names := func(p *plan.Plan) (list []string) {
		for n := range p.EachNode {
			if n.Kind == plan.KindNIC || n.Kind == plan.KindEdge {
				list = append(list, n.Name)
			}
		}
		return list
	}
	if got := names(p); !slices.Equal(got, []string{"h1", "h2", "h3", "h4", "h0", "h5"}) {
		t.Errorf("stations are %v", got)
	}
	if got := names(plans[2]); !slices.Equal(got, []string{"h0", "h1", "h3", "h4", "h5", "h2"}) {
		t.Errorf("of the last variant stations are %v", got)
	}
	for i, server := range []string{"server0", "server0", "server1"} {
		if p.NICs[i].Server != server {
			t.Errorf("%s is in %s, want %s", p.NICs[i].Name, p.NICs[i].Server, server)
		}
	}
	for v, want := range [][]string{{"2Gbps 40us", "1Gbps 100us", "1Gbps 100us"},
		{"100Mbps 40us", "100Mbps 100us", "100Mbps 100us"}, {"1Gbps 100us"}} {
		var got []string
		for _, i := range plans[v].Edges() {
			c := plans[v].Links[plans[v].Devices[i].Links[0]].Backward
			got = append(got, c.Rate.String()+" "+c.Latency.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("variant %s: links of edges are %v, want %v", plans[v].Name, got, want)
		}
		checkFabric(t, plans[v].Name, plans[v])
	}
	mac := wire.NodeMAC(uint32(p.DeviceNode(1)), 0)
	if e := p.EdgeAt(1); !e.Host || e.Exec != "iperf3 -s" || e.MTU != 1400 || e.MAC != mac {
		t.Errorf("the host with its own stack is %+v", e)
	}
	s, err := Parse("edges.yaml", source, known, WithOverrides(map[string]string{"edges.h0.latency": "1ms",
		"edges.queue": "5MB", "variants": "[{name: a}]"}))
	if err != nil {
		t.Fatal(err)
	}
	checkResolved(t, s)
	changed, _ := s.Plans()
	if got := changed[0]; got.EdgeAt(0).Queue != 5_000_000 || got.Links[got.Devices[1].Links[0]].Forward.Latency !=
		unit.Millisecond {
		t.Errorf("--set edges changes %+v", got.EdgeAt(0))
	}
}

// Frames without a DSCP are of the first class that is marked; what names a class
// holds.
func TestClassesWithEdges(t *testing.T) {
	source, err := os.ReadFile("testdata/edges.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := plansOf(t, string(source))[0]
	marked := plansOf(t, withAllNodes)[0]
	unmarked := plansOf(t, withAllNodes+"switch: {ecn: {enabled: false}}\n")[0]
	for what, c := range map[string]struct {
		got  [64]uint8
		want map[int]uint8
	}{
		"by others":          {p.Switches[0].Profile.ClassOf, map[int]uint8{0: 1, 1: 2, 26: 3, 48: 6, 63: 2}},
		"by others of one":   {p.Switches[1].Profile.ClassOf, map[int]uint8{0: 1, 1: 5, 26: 3, 56: 7, 63: 5}},
		"the marked one":     {marked.Switches[0].Profile.ClassOf, map[int]uint8{0: 3, 1: 3, 26: 3, 48: 6, 63: 3}},
		"none is marked":     {unmarked.Switches[0].Profile.ClassOf, map[int]uint8{0: 0, 1: 0, 26: 3, 48: 6}},
		"a NIC's, as before": {marked.NICs[0].Profile.ClassOf, map[int]uint8{0: 3, 26: 3, 48: 6}},
		"without edges":      {plansOf(t, least)[0].Switches[0].Profile.ClassOf, map[int]uint8{0: 0, 26: 3}},
	} {
		t.Run(what, func(t *testing.T) {
			for dscp, class := range c.want {
				if c.got[dscp] != class {
					t.Errorf("%s: DSCP %d is of class %d, want %d", what, dscp, c.got[dscp], class)
				}
			}
		})
	}
	if marked.Switches[0].Profile.DropNotECT || !p.Switches[0].Profile.DropNotECT || p.Switches[1].Profile.DropNotECT ||
		!plansOf(t, least)[0].Switches[0].Profile.DropNotECT {
		t.Error("what is not ECN-capable is dropped other than written, or than by default")
	}
}

// For any kind of topology, the plan with edges in it is complete.
func TestEdgesInEveryKind(t *testing.T) {
	for _, k := range kinds {
		if k == &explicit {
			continue
		}
		fabric := "{kind: " + k.name + "}"
		if k == &twoDC {
			fabric = "{kind: two-dc, scale: 1/64}"
		}
		plain := centre(t, fabric)
		first, last := plain.NICs[0].Name, plain.NICs[len(plain.NICs)-1].Name
		p := plansOf(t, "run: {until: 1ms}\ntopology: "+fabric+"\nedges: [{node: "+last+", interface: a}, {node: "+first+
			", stack: kernel}]\nswitch: {buffer: 1GB, proximal: {enabled: true}}\n")[0]
		if len(p.Edges()) != 2 || len(p.NICs) != len(plain.NICs)-2 {
			t.Errorf("%s: %d edges, %d NICs", k.name, len(p.Edges()), len(p.NICs))
		}
		for i := range p.NICs {
			if p.NICs[i].Name != plain.NICs[i+1].Name || p.NICs[i].Server != plain.NICs[i+1].Server {
				t.Errorf("%s: %s of %s, want %s of %s", k.name, p.NICs[i].Name, p.NICs[i].Server, plain.NICs[i+1].Name,
					plain.NICs[i+1].Server)
			}
		}
		checkFabric(t, k.name, p)
		for _, sw := range plain.Switches {
			if sw.Tree != nil {
				t.Errorf("%s: %s has a tree without edges", k.name, sw.Name)
			}
		}
	}
}

// checkFabric looks at what every plan with edges has: links whose ends know them, tables
// that lead to every station by shortest ways, and a tree.
func checkFabric(t *testing.T, what string, p *plan.Plan) {
	t.Helper()
	hops := func(to plan.NodeID) map[plan.NodeID]int { // the way of a frame, backwards and breadth first
		far, queue := map[plan.NodeID]int{to: 0}, []plan.NodeID{to}
		for len(queue) > 0 {
			n := p.Node(queue[0])
			queue = queue[1:]
			for port, link := range n.Links {
				peer := p.Peer(link, plan.End{Node: n.ID, Port: port}).Node
				if _, known := far[peer]; !known && p.KindOf(peer) == plan.KindSwitch {
					far[peer] = far[n.ID] + 1
					queue = append(queue, peer)
				}
			}
		}
		return far
	}
	for n := range p.EachNode {
		for port, link := range n.Links {
			l, end := &p.Links[link], plan.End{Node: n.ID, Port: port}
			if l.A != end && l.B != end {
				t.Errorf("%s: link %d at port %d of %s has the ends %v and %v", what, link, port, n.Name, l.A, l.B)
			}
		}
	}
	for station := range p.Stations() {
		node := p.NICNode(station)
		if station >= len(p.NICs) {
			node = p.DeviceNode(p.Edges()[station-len(p.NICs)])
		}
		far := hops(node)
		for s := range p.Switches {
			sw := &p.Switches[s]
			if len(sw.Routes) != p.Stations() || len(sw.Tree) != len(sw.Links) {
				t.Fatalf("%s: %s has %d routes and a tree of %d ports", what, sw.Name, len(sw.Routes), len(sw.Tree))
			}
			var want []uint16
			for port, link := range sw.Links {
				peer := p.Peer(link, plan.End{Node: p.SwitchNode(s), Port: port}).Node
				if d, ok := far[peer]; ok && d == far[p.SwitchNode(s)]-1 {
					want = append(want, uint16(port))
				}
				if kind := p.KindOf(peer); kind != plan.KindSwitch && sw.Tree[port] != (kind == plan.KindEdge) {
					t.Errorf("%s: port %d of %s to a %s is in the tree: %v", what, port, sw.Name, kind, sw.Tree[port])
				}
			}
			if got := sw.NextHops[sw.Routes[station]]; !slices.Equal(got, want) {
				t.Errorf("%s: %s leads to %s by ports %v, want %v", what, sw.Name, p.StationName(station), got, want)
			}
			if x := sw.Proximity; x != nil && (len(x.Nearest) != p.Stations() || len(x.Access) != p.Stations()) {
				t.Errorf("%s: %s knows %d senders of %d", what, sw.Name, len(x.Nearest), p.Stations())
			} else if x != nil && station >= len(p.NICs) && x.Nearest[station] >= 0 {
				t.Errorf("%s: an edge has switch %d for its proximal device", what, x.Nearest[station])
			}
		}
	}
	if least := p.Lookahead(); least <= 0 || least > 50*us {
		t.Errorf("%s: windows of %v", what, least)
	}
}

// Each trouble that is seen before a run has its warning, and a good scenario none.
func TestWarningsOfEdges(t *testing.T) {
	const good = `
topology:
  rate: 1Gbps
  nodes: [{name: a, kind: edge, interface: va}, {name: b, kind: edge, interface: vb}, {name: s, kind: switch}]
  links: [{endpoints: [a, s], rate: 2Gbps}, {endpoints: [b, s]}]
switch: {pfc: {enabled: false}, ecn: {kmin: 50KB, kmax: 150KB, scale_rate: 0bps}}
run: {until: 1ms}
`
	for _, c := range []struct{ was, is, want string }{
		{"", "", ""},
		{"enabled: false", "enabled: true", "come in at a, b are of class 3, which is lossless"},
		{"interface: va}", "interface: va, pfc: here}", ""},
		{", scale_rate: 0bps", "", "class 3 is marked from 1KB on at ports of 2Gbps, such as s:0: less than 16 frames"},
		{"kmin: 50KB", "kmin: 24288B", ""},
		{"kmin: 50KB", "kmin: 24287B", "less than 16 frames of 1.518KB"},
		{", rate: 2Gbps", "", "no link of the fabric is slower"},
		{"rate: 2Gbps", "rate: 2Gbps, latency: 19us", "windows are only 9.5us long because of link a-s"},
	} {
		t.Run(fmt.Sprintf("was=%s,is=%s", c.was, c.is), func(t *testing.T) {
			src := strings.Replace(good, c.was, c.is, 1)
			p := plansOf(t, src)[0]
			warnings := Analyse(p, nil).Warnings
			if text := strings.Join(warnings, "\n"); !strings.Contains(text, c.want) || (c.want == "") != (text == "") {
				t.Errorf("%q for %q: warnings are %q, want %q", c.is, c.was, warnings, c.want)
			}
		})
	}
	paused := strings.NewReplacer("enabled: false", "enabled: true", "va}", "va, pfc: here}").Replace(good)
	if w := Analyse(plansOf(t, paused)[0], nil).Warnings; len(w) != 1 || !strings.Contains(w[0], "come in at b are") {
		t.Errorf("with one edge that obeys pauses warnings are %q", w)
	}
	report := Analyse(plansOf(t, good)[0], nil)
	if len(report.Edges) != 2 || report.Edges[1].Address.String() != "10.0.0.2" || report.Edges[0].Rate != 2*unit.Gbps ||
		report.Edges[0].Class != 3 || report.Edges[0].Interface != "va" {
		t.Errorf("edges are %+v", report.Edges)
	}
	for _, file := range []string{"live-tcp", "live-120km"} {
		t.Run(file, func(t *testing.T) {
			s, err := Load(specs+"/live/"+file+".yaml", known)
			if err != nil {
				t.Fatal(err)
			}
			plans, _ := s.Plans()
			if w := Analyse(plans[0], nil).Warnings; len(w) > 0 {
				t.Errorf("%s: %v", file, w)
			}
		})
	}
}
