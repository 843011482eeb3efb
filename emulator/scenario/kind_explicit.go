package scenario

import (
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
				`one server.`, nodeKeys, func(n *node) nodeDraft { return nodeDraft{edgeDraft: newEdgeDraft(n), kind: nodeHost} },
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
	kind nodeWord
	// edgeDraft has the node's name, and an edge's settings.
	edgeDraft
	// server is the server of the host; "" for a server of this host only.
	server   string
	serverAt position
	// ports are the names of a switch's ports.
	ports []string
}

// nodeWord is the written kind of a node.
type nodeWord int

const (
	nodeHost nodeWord = iota
	nodeSwitch
	nodeEdge
)

var nodeWords = []string{"host", "switch", "edge"}

// isNIC, isEdge and isSwitch report the kind of the node in a plan; a host with its own stack is an edge there.
func (n *nodeDraft) isNIC() bool    { return n.kind == nodeHost && !n.kernel }
func (n *nodeDraft) isEdge() bool   { return n.kind == nodeEdge || n.kind == nodeHost && n.kernel }
func (n *nodeDraft) isSwitch() bool { return n.kind == nodeSwitch }

type linkDraft struct {
	written *node
	at      position
	ends    [2]endDraft
	line    topology.Line
	fibre   fibre
	haul    wanDraft
}

// endDraft is "node:port"; port is -1 for the next free one, or for that with a name.
type endDraft struct {
	at   position
	node string
	port int
	name string
}

func newLinkDraft(n *node) linkDraft {
	return linkDraft{written: n, at: n.At, fibre: fibre{length: -1}, haul: newWANDraft()}
}

var nodeKeys = &object[nodeDraft]{
	what: "node",
	doc:  "A switch, a host, or an edge, whose link ends at an interface of this machine.",
	fields: append(
		[]field[nodeDraft]{
			nameField("name", "Name, unique in the fabric.", func(n *nodeDraft) *string { return &n.name }).needed(),
			choiceField("kind", "host", nodeWords, "Kind of the node.",
				func(n *nodeDraft, i int) { n.kind = nodeWord(i) }),
			nameField("server",
				"The server that the host is a NIC of. Default a separate server with the host's name.",
				func(n *nodeDraft) *string { return &n.server }),
			portNamesField,
			choiceField("stack", "nic", []string{"nic", "kernel"},
				"Stack of a host: an emulated NIC, or the kernel in a container with an interface and an address "+
					"of the fabric, both created by the testbed.",
				func(n *nodeDraft, i int) { n.kernel = i == 1 }),
		},
		edgeFields(func(n *nodeDraft) *edgeDraft { return &n.edgeDraft })...),
	check: checkNode,
}

// checkNode checks the combinations of keys of a node.
func checkNode(r *reader, n *node, draft *nodeDraft) {
	draft.serverAt = n.Where("server")
	if !draft.isSwitch() && n.Child("ports") != nil {
		r.add(n.Where("ports"), "ports does not apply to %s: it has one port", withArticle(nodeWords[draft.kind]))
	}
	if !draft.isNIC() && draft.server != "" {
		r.add(draft.serverAt, "server does not apply to %s: only hosts are NICs of a server",
			withArticle(nodeWords[draft.kind])+draft.stackName())
	}
	switch {
	case draft.isEdge():
		if draft.kind == nodeEdge && n.Child("stack") != nil {
			r.add(n.Where("stack"), "stack does not apply to an edge: the host behind its interface has its own")
		}
		draft.edgeDraft.check(r, n)
		return
	case draft.isSwitch() && n.Child("stack") != nil:
		r.add(n.Where("stack"), "stack does not apply to a switch: only hosts have it")
	}
	for _, key := range edgeOnly() {
		if n.Child(key) == nil {
			continue
		}
		instead := "write kind: edge for an interface of this machine"
		if key == "exec" {
			instead = "write stack: kernel for a host that runs a command"
		}
		r.add(n.Where(key), "%s does not apply to %s: %s", key, map[bool]string{true: "a switch",
			false: "a host with an emulated NIC"}[draft.isSwitch()], instead)
	}
}

// stackName follows the word host in messages if it has its own stack.
func (n *nodeDraft) stackName() string {
	if n.kernel && n.kind == nodeHost {
		return " with its own stack"
	}
	return ""
}

var linkKeys = &object[linkDraft]{
	what: "link",
	doc:  "A link between two ports, the same in both directions except for a long-haul path.",
	fields: []field[linkDraft]{
		{
			key:      "endpoints",
			required: true,
			doc: `The two ends, as in ["a:0", "s:3"]. Ports count from 0 without gaps, or go by the names that a switch has ` +
				`for them; a node without a port takes its next free one.`,
			schema: func(*outline) schema {
				return schema{"type": "array", "minItems": 2, "maxItems": 2,
					"items": schema{"type": "string",
						"pattern": "^[A-Za-z0-9][A-Za-z0-9_.+-]*(:[A-Za-z0-9][A-Za-z0-9_.+-]*)?$"}}
			},
			read: readEndpoints,
		},
		rateField("rate", "", minRate, maxRate, "Rate. Default that of the topology.",
			func(l *linkDraft) *unit.BitRate { return &l.line.Rate }),
		durationField("latency", "", minLatency, maxLatency, "Latency. Default that of the topology.",
			func(l *linkDraft) *unit.Duration { return &l.line.Latency }),
		lengthField("length", "", noLength, maxLength,
			"Length of a plain link's fibre, in place of latency, which is then 5 ns/m (a refractive index of "+
				"1.499) plus equipment_delay. Use wan for a link of many km: a plain link has neither losses nor "+
				"a timeline, and its ports have no memory for the frames in transit.",
			func(l *linkDraft) *unit.Length { return &l.fibre.length }),
		durationField("equipment_delay", "", "0s", maxLatency,
			"Delay of the equipment at both ends of a link with a length, one way; added to that of its length. "+
				"For a link of many km, see wan.",
			func(l *linkDraft) *unit.Duration { return &l.fibre.equipment }),
		objectField("wan", "A long-haul path between the two ends.", wanKeys,
			func(l *linkDraft) *wanDraft { return &l.haul }),
	},
	check: func(r *reader, n *node, link *linkDraft) {
		switch {
		case n.Child("length") == nil && n.Child("equipment_delay") != nil:
			r.add(n.Where("equipment_delay"),
				"equipment_delay without a length: it is added to the delay of a length; write one, or latency for "+
					"the whole")
		case n.Child("length") != nil && n.Child("latency") != nil:
			r.add(n.Where("length"),
				"length and latency: latency follows from the length; leave one of the two out")
		case link.fibre.length >= 0:
			link.line.Latency = link.fibre.latency(r, n, "length")
		}
		refuseBesideWAN(r, n, &link.haul, "rate", "latency", "length", "equipment_delay")
	},
}

func readEndpoints(r *reader, n *node, link *linkDraft) {
	if n.Kind != document.Sequence || len(n.Items) != 2 {
		r.add(n.At, `endpoints must be a list of two, such as ["a:0", "s:3"]`)
		return
	}
	for i, item := range n.Items {
		text, ok := r.scalar(item, "endpoint", `a node and a port, such as "a:0"`)
		if !ok {
			continue
		}
		end := endDraft{at: item.At, node: text, port: -1}
		if j := strings.LastIndexByte(text, ':'); j >= 0 {
			port, err := strconv.Atoi(text[j+1:])
			if err != nil && isName(text[j+1:]) {
				port, end.name = -1, text[j+1:]
			} else if err != nil || port < 0 || port >= maxPorts {
				r.add(item.At, "endpoint %q: %q is not a port: allowed is 0 to %d",
					shorten(text), shorten(text[j+1:]), maxPorts-1)
				continue
			}
			end.node, end.port = text[:j], port
		}
		if end.node == "" {
			r.add(item.At, `endpoint %q names no node: it must be a node and a port, such as "a:0"`, shorten(text))
			continue
		}
		link.ends[i] = end
	}
}

// fibre is a long link by its length.
type fibre struct {
	length    unit.Length
	equipment unit.Duration
}

// latency returns the latency of the fibre; it refuses a fibre without latency.
func (l *fibre) latency(r *reader, n *node, key string) unit.Duration {
	d := l.length.Propagation() + l.equipment
	if d <= 0 {
		r.add(n.Where(key),
			"%s is 0 and there is no equipment delay: a link without latency would leave the run's windows no "+
				"length; allowed is at least 1mm, or an equipment delay", key)
		return unit.Picosecond
	}
	return d
}
