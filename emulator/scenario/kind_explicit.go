package scenario

import (
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/unit"
)

// explicit is nodes and links that are written out.
var explicit = kind{
	name:  "explicit",
	doc:   "your own `nodes` and `links`, with `endpoints: [\"a:0\", \"s:3\"]`",
	nodes: "as you write them",
	keys: []key{
		common("rate"), common("latency"),
		own(listField("nodes",
			`Switches and hosts. A host has one port: a server with several NICs is several hosts with `+
				`one server.`, nodeKeys, func(n *node) nodeDraft { return nodeDraft{node: n, at: n.at, host: true} },
			func(f *fabricDraft) *[]nodeDraft { return &explicitOf(f).nodes }).needed()),
		own(listField("links", `Links between the nodes.`, linkKeys, newLinkDraft,
			func(f *fabricDraft) *[]linkDraft { return &explicitOf(f).links }).needed()),
	},
	fresh:   func() any { return &explicitDraft{} },
	graph:   func(b *builder, f *fabricDraft) *topology.Graph { return explicitOf(f).wire(b) },
	servers: func(b *builder) { explicitOf(&b.fabric).nameServers(b) },
}

// explicitDraft is the nodes and links that are written out.
type explicitDraft struct {
	nodes []nodeDraft
	links []linkDraft
}

func explicitOf(draft *fabricDraft) *explicitDraft { return draft.own.(*explicitDraft) }

type nodeDraft struct {
	node *node
	at   position
	name string
	host bool
	// server holds the host; "" for a server of this host alone.
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

func newLinkDraft(n *node) linkDraft {
	return linkDraft{written: n, at: n.at, fibre: fibre{length: -1}, haul: newWANDraft()}
}

var nodeKeys = &object[nodeDraft]{
	what: "node",
	doc:  "A switch or a host.",
	fields: []field[nodeDraft]{
		nameField("name", "Name, unique in the fabric.", func(n *nodeDraft) *string { return &n.name }).needed(),
		choiceField("kind", "host", []string{"host", "switch"}, "What it is.",
			func(n *nodeDraft, i int) { n.host = i == 0 }),
		nameField("server",
			"The server of which the host is a NIC. Default one of its own, with the host's name.",
			func(n *nodeDraft) *string { return &n.server }),
	},
	check: func(r *reader, n *node, draft *nodeDraft) {
		draft.serverAt = n.where("server")
		if !draft.host && draft.server != "" {
			r.add(draft.serverAt, "server does not apply to a switch: only hosts are NICs of a server")
		}
	},
}

var linkKeys = &object[linkDraft]{
	what: "link",
	doc:  "A link between two ports, the same in both directions but for a long-haul path.",
	fields: []field[linkDraft]{
		{
			key:      "endpoints",
			required: true,
			doc: `The two ends, as in ["a:0", "s:3"]. Ports count from 0 without gaps; a node without a number ` +
				`takes its next free port.`,
			schema: func(*outline) schema {
				return schema{"type": "array", "minItems": 2, "maxItems": 2,
					"items": schema{"type": "string",
						"pattern": "^[A-Za-z0-9][A-Za-z0-9_.+-]*(:[0-9]+)?$"}}
			},
			read: readEndpoints,
		},
		rateField("rate", "", minRate, maxRate, "Rate. Default that of the topology.",
			func(l *linkDraft) *unit.BitRate { return &l.line.Rate }),
		durationField("latency", "", minLatency, maxLatency, "Latency. Default that of the topology.",
			func(l *linkDraft) *unit.Duration { return &l.line.Latency }),
		lengthField("length", "", noLength, maxLength,
			"Length of a plain link's fibre, in place of latency, which then is 5 ns/m (a refractive index of "+
				"1.499) and equipment_delay. A link of many km belongs to wan: a plain one has neither losses nor a "+
				"timeline, and its ports no memory of their own for what is under way.",
			func(l *linkDraft) *unit.Length { return &l.fibre.length }),
		durationField("equipment_delay", "", "0s", maxLatency,
			"Delay of the equipment at both ends of a link with a length, one way; added to that of its length. "+
				"Of a link of many km, see wan.",
			func(l *linkDraft) *unit.Duration { return &l.fibre.equipment }),
		objectField("wan", "A long-haul path between the two ends.", wanKeys,
			func(l *linkDraft) *wanDraft { return &l.haul }),
	},
	check: func(r *reader, n *node, link *linkDraft) {
		switch {
		case n.child("length") == nil && n.child("equipment_delay") != nil:
			r.add(n.where("equipment_delay"),
				"equipment_delay without a length: it is added to the delay of a length; write one, or latency for "+
					"the whole")
		case n.child("length") != nil && n.child("latency") != nil:
			r.add(n.where("length"),
				"length and latency: latency follows from the length; leave one of the two away")
		case link.fibre.length >= 0:
			link.line.Latency = link.fibre.latency(r, n, "length")
		}
		refuseBesideWAN(r, n, &link.haul, "rate", "latency", "length", "equipment_delay")
	},
}

func readEndpoints(r *reader, n *node, link *linkDraft) {
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
				r.add(item.at, "endpoint %q: %q is not a port: allowed is 0 to %d",
					shorten(text), shorten(text[j+1:]), maxPorts-1)
				continue
			}
			end.node, end.port = text[:j], port
		}
		if end.node == "" {
			r.add(item.at, `endpoint %q names no node: it must be a node and a port, such as "a:0"`, shorten(text))
			continue
		}
		link.ends[i] = end
	}
}
