package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// edgeDraft is an edge as written: an interface of the host, or a host with its own
// stack. A host that is neither has none of it.
type edgeDraft struct {
	node *node
	at   position
	name string // of its node
	// kernel is set for a host with its own stack.
	kernel bool
	plan.Edge
	// line is the edge's own link, if the topology is generated.
	line topology.Line
}

const (
	// edgeLatency is that of an edge's link which does not say, leastEdgeLatency the
	// least that may be written.
	edgeLatency      = 100 * unit.Microsecond
	leastEdgeLatency = unit.Microsecond
	// maxEdges is more than one machine serves.
	maxEdges = 256
)

// edgeLine is the link of an edge as far as it is not that of other hosts.
var edgeLine = topology.Line{Latency: edgeLatency}

func newEdgeDraft(n *node) edgeDraft {
	return edgeDraft{node: n, at: n.At, Edge: plan.Edge{MTU: 1500, Queue: 1_000_000}}
}

// edgeKeys are the entries of the root's list of edges.
var edgeKeys = &object[edgeDraft]{
	what: "edge",
	doc: "A host of the topology that is not an emulated NIC: an interface of this machine, or a host with its " +
		"own stack.",
	fields: append(
		[]field[edgeDraft]{
			nameField("node", "The host's name in the topology.", func(e *edgeDraft) *string { return &e.name }).needed(),
			rateField("rate", "", minRate, maxRate, "Rate of its link. Default that of the topology.",
				func(e *edgeDraft) *unit.BitRate { return &e.line.Rate }),
			durationField("latency", "", "1us", maxLatency,
				"Latency of its link, which is also how late a frame may be read or sent without harm to the run's "+
					"clock. Default 100us.",
				func(e *edgeDraft) *unit.Duration { return &e.line.Latency }),
			choiceField("stack", "", []string{"kernel"},
				"Makes it a host with its own stack: the kernel's, in a container with an interface and an "+
					"address of the fabric, both created by the testbed. Default an interface of this machine.",
				func(e *edgeDraft, _ int) { e.kernel = true }),
		},
		edgeFields(func(e *edgeDraft) *edgeDraft { return e })...),
	check: func(r *reader, n *node, e *edgeDraft) { e.check(r, n) },
}

// edgeFields are the keys that edges have wherever they are written.
func edgeFields[T any](of func(*T) *edgeDraft) []field[T] {
	return []field[T]{
		{
			key: "interface",
			doc: "For an edge, the interface of this machine that the link ends at.",
			schema: func(*outline) schema {
				return schema{"type": words, "pattern": interfaceName.String()}
			},
			read: func(r *reader, n *node, t *T) { of(t).Interface = r.interfaceName(n) },
		},
		{
			key: "namespace",
			doc: "For an edge, the network namespace of the interface: its name, as in ip netns, or the path of " +
				"its file. Default that of the run.",
			schema: func(*outline) schema { return schema{"type": words, "pattern": namespaceName.String()} },
			read:   func(r *reader, n *node, t *T) { of(t).Namespace = r.namespace(n) },
		},
		sizeField("mtu", "1500B", "68B", "9216B",
			"Largest payload of Ethernet at an edge. Frames have up to 18 bytes more.",
			func(t *T) *unit.Bytes { return &of(t).MTU }),
		sizeField("queue", "1MB", "10KB", "1GB",
			"Queue of an edge for its link, if a host sends faster than the link; further frames are dropped and "+
				"counted.",
			func(t *T) *unit.Bytes { return &of(t).Queue }),
		choiceField("pfc", "host", []string{"host", "here"},
			"Which side obeys the pauses that the fabric sends to an edge: the host, or the edge in its place, "+
				"for a host that cannot.",
			func(t *T, i int) { of(t).PFCHere = i == 1 }),
		choiceField("cnp", "pass", []string{"pass", "drop"},
			"Treatment of CNPs that come in at an edge: drop acts as an operator's ACL.",
			func(t *T, i int) { of(t).DropCNPs = i == 1 }),
		switchField("force", "false",
			"Takes an interface even if it is in use: one with an address, with the default route, or of a bridge.",
			func(t *T) *bool { return &of(t).Force }),
		{
			key: "exec",
			doc: "For a host with its own stack, the command that runs there, as a shell reads it. It starts and " +
				"ends with the run; if it ends before, processes that it left in the background end with it. Its " +
				"output is in the run folder. Default none.",
			schema: func(*outline) schema {
				return schema{"type": words, "minLength": 1, "maxLength": maxCommand, "pattern": `\S`}
			},
			read: func(r *reader, n *node, t *T) { of(t).Exec = r.command(n) },
		},
	}
}

// words are the types that a text without quotes may have as YAML reads it.
var words = []string{"string", "number", "boolean"}

// check checks the combinations of keys of an edge or of a host with its own stack.
func (e *edgeDraft) check(r *reader, n *node) {
	if e.kernel {
		for _, key := range []string{"interface", "namespace", "force"} {
			if n.Child(key) != nil {
				r.add(n.Where(key), "%s does not apply to a host with its own stack: the testbed makes its interface", key)
			}
		}
	} else {
		if n.Child("interface") == nil {
			r.add(n.At, "edge lacks interface: the interface of this machine that its link ends at; for a host "+
				"that the testbed creates write stack: kernel")
		}
		if n.Child("exec") != nil {
			r.add(n.Where("exec"), "exec does not apply to an edge: only a host with stack: kernel runs a command")
		}
	}
}

// frameOverhead is the length of a frame beside its payload: header and tag.
const frameOverhead unit.Bytes = 18

// maxCommand bounds a host's command.
const maxCommand = 4096

var (
	interfaceName = regexp.MustCompile(`^[!-.0-9;-~]{1,15}$`)
	namespaceName = regexp.MustCompile(`^(/[ -~]+|[!-.0-~]+)$`)
)

// interfaceName reads the name of an interface, as Linux allows it.
func (r *reader) interfaceName(n *node) string {
	text, ok := r.scalar(n, "interface", "the name of an interface")
	if ok && (!interfaceName.MatchString(text) || text == "." || text == "..") {
		r.add(n.At, "interface %q is not a valid name: allowed are 1 to 15 characters without a space, a slash or "+
			"a colon", shorten(text))
	}
	return text
}

// namespace reads a network namespace and returns the path of its file.
func (r *reader) namespace(n *node) string {
	text, ok := r.scalar(n, "namespace", "the name or the path of a network namespace")
	if ok && (!namespaceName.MatchString(text) || text == "." || text == ".." || len(text) > maxCommand) {
		r.add(n.At, "namespace %q is not valid: allowed is a name, as in ip netns, or a path from /", shorten(text))
	}
	if !ok || strings.HasPrefix(text, "/") {
		return text
	}
	return "/run/netns/" + text
}

// command reads a command.
func (r *reader) command(n *node) string {
	text, ok := r.scalar(n, "exec", `a command, such as "iperf3 -s"`)
	if ok && (strings.TrimSpace(text) == "" || len(text) > maxCommand) {
		r.add(n.At, "exec has %d characters: allowed is a command of 1 to %d", len(text), maxCommand)
	}
	return text
}

// edgeOnly are the keys that only edges and hosts with their own stack have.
func edgeOnly() (keys []string) {
	for _, f := range edgeFields(func(e *edgeDraft) *edgeDraft { return e }) {
		keys = append(keys, f.key)
	}
	return keys
}

// withEdges reports whether a scenario has edges, which may be without traffic.
func withEdges(root *node) bool {
	if root.Child("edges") != nil {
		return true
	}
	nodes := root.Child("topology").Child("nodes")
	return nodes != nil && slices.ContainsFunc(nodes.Items, func(n *node) bool {
		kind, stack := n.Child("kind"), n.Child("stack")
		return kind != nil && kind.Text == "edge" || stack != nil && stack.Text == "kernel"
	})
}

// edgesSchema accepts the scenarios for which withEdges is true.
var edgesSchema = schema{
	"if": schema{"required": []string{"edges"}},
	"else": schema{
		"required": []string{"topology"},
		"properties": schema{"topology": schema{
			"required": []string{"nodes"},
			"properties": schema{"nodes": schema{
				"type": "array",
				"contains": schema{
					"if": schema{"required": []string{"kind"}, "properties": schema{"kind": schema{"const": "edge"}}},
					"else": schema{
						"required":   []string{"stack"},
						"properties": schema{"stack": schema{"const": "kernel"}},
					},
				},
			}},
		}},
	},
}
