package scenario

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/unit"
)

// fabricDraft is the topology as written.
type fabricDraft struct {
	node *node
	at   position
	kind string
	// hosts, left, right, leaves, spines, hostsPerLeaf, uplinks and k are the
	// generators' numbers.
	hosts, left, right, leaves, spines, hostsPerLeaf, uplinks, k int
	centre                                                       centreDraft
	// line is the hosts' links; between those from leaf to spine or from ToR to
	// aggregation switch, core those above. Zero where they are like the hosts'.
	line, between, core topology.Line
	// haul is the long-haul path between the switches of a dumbbell.
	haul wanDraft
	// nicsPerServer is how many hosts of a generator share a server.
	nicsPerServer int
	nodes         []nodeDraft
	links         []linkDraft
}

type nodeDraft struct {
	node *node
	at   position
	name string
	host bool
	// server holds the host; "" for one of its own.
	server   string
	serverAt position
}

type linkDraft struct {
	written *node
	at      position
	ends    [2]endDraft
	line    topology.Line
	fibre   fibre
	haul    wanDraft
}

// endDraft is "node:port"; port is -1 for the next free one.
type endDraft struct {
	at   position
	node string
	port int
}

// newFabricDraft returns the defaults of a topology, nil for one without a kind.
func newFabricDraft(n *node) fabricDraft {
	f := fabricDraft{left: 2, right: 2, leaves: 4, spines: 2, hostsPerLeaf: 4, uplinks: 1, nicsPerServer: 1, centre: newCentreDraft(),
		line: topology.Line{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}, haul: newWANDraft()}
	if n != nil {
		f.node, f.at = n, n.at
		f.suit(n)
	}
	return f
}

const (
	minRate, maxRate       = "1Kbps", "100Tbps"
	minLatency, maxLatency = "1ps", "10s"
)

var fabricKeys = &object[fabricDraft]{
	what: "topology", doc: "Switches, hosts and links: by a generator, or one by one.",
	kind: "kind", kinds: fabricKinds,
	guess: func(n *node) string {
		if n.child("nodes") != nil || n.child("links") != nil {
			return "explicit"
		}
		return ""
	},
	fields: slices.Concat([]field[fabricDraft]{
		choiceField("kind", "", fabricKinds, "The generator. Left away where nodes and links are given.", func(f *fabricDraft, i int) { f.kind = fabricKinds[i] }),
		integerField("hosts", "", 2, 16000, "Hosts. Default 2 in a star; a fat tree takes k instead, or the k that has this many hosts.", func(f *fabricDraft) *int { return &f.hosts }).of("star", "fat-tree"),
		integerField("left", "2", 1, 16000, "Hosts at switch s0.", func(f *fabricDraft) *int { return &f.left }).of("dumbbell"),
		integerField("right", "2", 1, 16000, "Hosts at switch s1.", func(f *fabricDraft) *int { return &f.right }).of("dumbbell"),
		integerField("leaves", "4", 1, 1024, "Leaf switches; in two-dc those of each cluster, by default 16, or 4 at scale 1/64.", func(f *fabricDraft) *int { return &f.leaves }).of("leaf-spine", "two-dc"),
		integerField("spines", "2", 1, 1024, "Spine switches; in two-dc those of each cluster.", func(f *fabricDraft) *int { return &f.spines }).of("leaf-spine", "two-dc", "pc4-testbed"),
		integerField("hosts_per_leaf", "4", 1, 1024, "Hosts at each leaf.", func(f *fabricDraft) *int { return &f.hostsPerLeaf }).of("leaf-spine"),
		integerField("uplinks", "1", 1, 64, "Parallel links from each leaf to each spine.", func(f *fabricDraft) *int { return &f.uplinks }).of("leaf-spine", "two-dc"),
		integerField("k", "4", 2, 32, "Ports of each switch of the fat tree, an even number: k pods, k^3/4 hosts, 16 of them for 4, 128 for 8, 1024 for 16.",
			func(f *fabricDraft) *int { return &f.k }).of("fat-tree"),
		rateField("rate", "100Gbps", minRate, maxRate, "Rate of each host's link, and of every link that no other key names. In two-dc 50Gbps.", func(f *fabricDraft) *unit.BitRate { return &f.line.Rate }),
		durationField("latency", "1us", minLatency, maxLatency, "Latency of each link that no other key names. Never 0, which would leave the run's windows no length.",
			func(f *fabricDraft) *unit.Duration { return &f.line.Latency }),
		rateField("bottleneck_rate", "", minRate, maxRate, "Rate of the link between the switches. Default rate.", func(f *fabricDraft) *unit.BitRate { return &f.between.Rate }).of("dumbbell"),
		durationField("bottleneck_latency", "", minLatency, maxLatency, "Latency of the link between the switches. Default latency.", func(f *fabricDraft) *unit.Duration { return &f.between.Latency }).of("dumbbell"),
		objectField("bottleneck_wan", "A long-haul path between the switches.", wanKeys, func(f *fabricDraft) *wanDraft { return &f.haul }).of("dumbbell"),
		rateField("uplink_rate", "", minRate, maxRate, "Rate of each link from leaf to spine, or from ToR to aggregation switch. Default rate; in two-dc 800Gbps, or 100Gbps at scale 1/8 and 50Gbps at 1/64, in hpcc-fat-tree 400Gbps.",
			func(f *fabricDraft) *unit.BitRate { return &f.between.Rate }).of("leaf-spine", "two-dc", "pc4-testbed", "hpcc-fat-tree"),
		durationField("uplink_latency", "", minLatency, maxLatency, "Latency of each link from leaf to spine, or from ToR to aggregation switch. Default latency.",
			func(f *fabricDraft) *unit.Duration { return &f.between.Latency }).of("leaf-spine", "two-dc", "pc4-testbed", "hpcc-fat-tree"),
		rateField("core_rate", "", minRate, maxRate, "Rate of each link between switches, in hpcc-fat-tree from aggregation switch to core. Default rate; in hpcc-fat-tree 400Gbps.",
			func(f *fabricDraft) *unit.BitRate { return &f.core.Rate }).of("fat-tree", "hpcc-fat-tree"),
		durationField("core_latency", "", minLatency, maxLatency, "Latency of each link between switches, in hpcc-fat-tree from aggregation switch to core. Default latency.",
			func(f *fabricDraft) *unit.Duration { return &f.core.Latency }).of("fat-tree", "hpcc-fat-tree"),
		integerField("nics_per_server", "1", 1, maxNICsPerServer, "Hosts that share a server, as its NICs: h0 and so on are those of server0; the last server may have fewer. It says what runs together on one machine, and changes nothing in the run. In two-dc, by default 8 or when scaled 1, and in pc4-testbed, by default 8, it also says how many hosts there are.",
			func(f *fabricDraft) *int { return &f.nicsPerServer }).of("star", "dumbbell", "leaf-spine", "fat-tree", "two-dc", "pc4-testbed", "hpcc-fat-tree"),
		listField("nodes", "Switches and hosts. A host has one port: a server with several NICs is several hosts with one server.", nodeKeys,
			func(n *node) nodeDraft { return nodeDraft{node: n, at: n.at, host: true} }, func(f *fabricDraft) *[]nodeDraft { return &f.nodes }).of("explicit").needed(),
		listField("links", "Links between the nodes.", linkKeys, func(n *node) linkDraft {
			return linkDraft{written: n, at: n.at, fibre: fibre{length: -1}, haul: newWANDraft()}
		},
			func(f *fabricDraft) *[]linkDraft { return &f.links }).of("explicit").needed(),
	}, centreFields),
	check: checkFabric,
}

func checkFabric(r *reader, n *node, f *fabricDraft) {
	f.kind = "explicit"
	if k := n.child("kind"); k != nil {
		f.kind = k.text
	}
	refuseBesideWAN(r, n, &f.haul, "bottleneck_rate", "bottleneck_latency")
	refuseBesideWAN(r, n, &f.centre.haul, "dci_rate")
	if paths := f.spines * f.centre.dciLinks; f.kind == "two-dc" && f.centre.haul.name != "" && paths > 1 {
		r.add(f.centre.haul.node.where("name"), "name beside %d long-haul paths: each needs one of its own, leave it away to have wan0 and so on", paths)
	}
	switch {
	case f.kind == "pc4-testbed" && f.nicsPerServer%f.spines != 0:
		r.add(n.where("nics_per_server"), "nics_per_server is %d, with %d spines: allowed is a multiple of the spines, as each NIC has an uplink and each spine as many of them", f.nicsPerServer, f.spines)
	case f.kind != "fat-tree":
	case f.k%2 != 0:
		r.add(n.where("k"), "k is %d: a fat tree needs an even number", f.k)
	case f.k != 0 && f.hosts != 0 && topology.FatTreeHosts(f.k) != f.hosts:
		r.add(n.where("hosts"), "hosts is %d, but a fat tree of k %d has %d: leave one of the two away", f.hosts, f.k, topology.FatTreeHosts(f.k))
	case f.k == 0 && f.hosts != 0:
		f.k = topology.FatTreeFor(f.hosts)
		if f.k > 32 || topology.FatTreeHosts(f.k) != f.hosts {
			r.add(n.where("hosts"), "no fat tree has %d hosts: allowed is k^3/4 for an even k up to 32, such as 16, 54, 128, 250, 432, 686 or 1024", f.hosts)
			f.k = 4
		}
	case f.k == 0:
		f.k = 4
	}
}

var nodeKeys = &object[nodeDraft]{
	what: "node", doc: "A switch or a host.",
	fields: []field[nodeDraft]{
		nameField("name", "Name, unique in the fabric.", func(n *nodeDraft) *string { return &n.name }).needed(),
		choiceField("kind", "host", []string{"host", "switch"}, "What it is.", func(n *nodeDraft, i int) { n.host = i == 0 }),
		nameField("server", "The server of which the host is a NIC. Default one of its own, with the host's name.", func(n *nodeDraft) *string { return &n.server }),
	},
	check: func(r *reader, n *node, d *nodeDraft) {
		d.serverAt = n.where("server")
		if !d.host && d.server != "" {
			r.add(d.serverAt, "server does not apply to a switch: only hosts are NICs of a server")
		}
	},
}

var linkKeys = &object[linkDraft]{
	what: "link", doc: "A link between two ports, the same in both directions but for a long-haul path.",
	fields: []field[linkDraft]{
		{key: "endpoints", must: true, doc: `The two ends, as in ["a:0", "s:3"]. Ports count from 0 without gaps; a node without a number takes its next free port.`,
			schema: func(bool) map[string]any {
				return map[string]any{"type": "array", "minItems": 2, "maxItems": 2, "items": map[string]any{"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_.+-]*(:[0-9]+)?$"}}
			},
			read: readEndpoints},
		rateField("rate", "", minRate, maxRate, "Rate. Default that of the topology.", func(l *linkDraft) *unit.BitRate { return &l.line.Rate }),
		durationField("latency", "", minLatency, maxLatency, "Latency. Default that of the topology.", func(l *linkDraft) *unit.Duration { return &l.line.Latency }),
		lengthField("length", "", noLength, maxLength, "Length of a plain link's fibre, in place of latency, which then is 5 ns/m (a refractive index of 1.499) and equipment_delay. A link of many km belongs to wan: a plain one has neither losses nor a timeline, and its ports no memory of their own for what is under way.", func(l *linkDraft) *unit.Length { return &l.fibre.length }),
		durationField("equipment_delay", "", "0s", maxLatency, "Delay of the equipment at both ends of a link with a length, one way; added to that of its length. Of a link of many km, see wan.",
			func(l *linkDraft) *unit.Duration { return &l.fibre.equipment }),
		objectField("wan", "A long-haul path between the two ends.", wanKeys, func(l *linkDraft) *wanDraft { return &l.haul }),
	},
	check: func(r *reader, n *node, l *linkDraft) {
		switch {
		case n.child("length") == nil && n.child("equipment_delay") != nil:
			r.add(n.where("equipment_delay"), "equipment_delay stands alone: it is added to the delay of a length; write one, or latency for the whole")
		case n.child("length") != nil && n.child("latency") != nil:
			r.add(n.where("length"), "length and latency stand together: latency follows from the length; leave one of the two away")
		case l.fibre.length >= 0:
			l.line.Latency = l.fibre.latency(r, n, "length")
		}
		refuseBesideWAN(r, n, &l.haul, "rate", "latency", "length", "equipment_delay")
	},
}

func readEndpoints(r *reader, n *node, l *linkDraft) {
	if n.kind != sequence || len(n.items) != 2 {
		r.add(n.at, `endpoints must be a list of two, such as ["a:0", "s:3"]`)
		return
	}
	for i, item := range n.items {
		text, ok := r.scalar(item, "endpoint", `a node and a port, such as "a:0"`)
		if !ok {
			continue
		}
		end := endDraft{at: item.at, node: text, port: -1}
		if j := strings.LastIndexByte(text, ':'); j >= 0 {
			port, err := strconv.Atoi(text[j+1:])
			if err != nil || port < 0 || port >= maxPorts {
				r.add(item.at, "endpoint %q: %q is not a port: allowed is 0 to %d", shorten(text), shorten(text[j+1:]), maxPorts-1)
				continue
			}
			end.node, end.port = text[:j], port
		}
		if end.node == "" {
			r.add(item.at, `endpoint %q names no node: it must be a node and a port, such as "a:0"`, shorten(text))
			continue
		}
		l.ends[i] = end
	}
}

const (
	// maxPorts bounds the ports of a node, as the models do.
	maxPorts = 1 << 14
	// maxNICsPerServer is more than any server has slots for.
	maxNICsPerServer = 64
)
