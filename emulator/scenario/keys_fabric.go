package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// fabricDraft is the topology as written.
type fabricDraft struct {
	node *node
	at   position
	kind *kind // nil where none is written
	// hosts, leaves, spines and uplinks are numbers that several kinds have, and nicsPerServer is the number of hosts
	// that share a server.
	hosts, leaves, spines, uplinks, nicsPerServer int
	// line is the hosts' links; uplink the links from leaf to spine or from ToR to aggregation switch, core the links
	// above. Zero if they are like the hosts'.
	line, uplink, core topology.Line
	// own is the target of keys that other kinds do not have.
	own any
}

// newFabricDraft returns a topology with the defaults of its kind; nil is one
// without a kind.
func newFabricDraft(n *node) fabricDraft {
	draft := fabricDraft{node: n}
	if n == nil {
		return draft
	}
	draft.at = n.At
	name := ""
	if k := n.Child("kind"); k == nil {
		name = guessKind(n)
	} else if k.Kind == document.Scalar {
		name = k.Text
	}
	if draft.kind = kindNamed(name); draft.kind != nil {
		draft.kind.setDefaults(n, &draft)
	}
	return draft
}

const (
	minRate, maxRate       = "1Kbps", "100Tbps"
	minLatency, maxLatency = "1ps", "10s"
)

var fabricKeys = &object[fabricDraft]{
	what:   "topology",
	doc:    "Switches, hosts and links: by a generator, or one by one.",
	kind:   "kind",
	kinds:  namesOfKinds(),
	guess:  guessKind,
	keysOf: keysOf,
	fields: fabricFields(),
	check: func(r *reader, n *node, f *fabricDraft) {
		if f.kind.check != nil {
			f.kind.check(r, n, f)
		}
	},
}

// commonKeys are the keys that several kinds have; each kind adds their meaning there, and its defaults.
var commonKeys = []field[fabricDraft]{
	integerField("hosts", "", 2, 16000, `Hosts. {words}.`,
		func(f *fabricDraft) *int { return &f.hosts }),
	integerField("leaves", "4", 1, 1024, `Leaf switches; in {kinds}.`,
		func(f *fabricDraft) *int { return &f.leaves }),
	integerField("spines", "2", 1, 1024, `Spine switches; in {kinds}.`,
		func(f *fabricDraft) *int { return &f.spines }),
	integerField("uplinks", "1", 1, 64, `Parallel links from each leaf to each spine.`,
		func(f *fabricDraft) *int { return &f.uplinks }),
	rateField("rate", "100Gbps", minRate, maxRate,
		`Rate of each host's link, and of every link that no other key names. In {defaults}.`,
		func(f *fabricDraft) *unit.BitRate { return &f.line.Rate }),
	durationField("latency", "1us", minLatency, maxLatency, `Latency of each link that no other key names. `+
		`Above 0, because it bounds the run's windows.`,
		func(f *fabricDraft) *unit.Duration { return &f.line.Latency }),
	rateField("uplink_rate", "", minRate, maxRate, `Rate of each link from leaf to spine, or from ToR to aggregation `+
		`switch. Default rate; in {defaults}.`,
		func(f *fabricDraft) *unit.BitRate { return &f.uplink.Rate }),
	durationField("uplink_latency", "", minLatency, maxLatency, `Latency of each link from leaf to spine, or from ToR `+
		`to aggregation switch. Default latency.`,
		func(f *fabricDraft) *unit.Duration { return &f.uplink.Latency }),
	rateField("core_rate", "", minRate, maxRate, `Rate of each link between switches, in {meanings}. Default rate; `+
		`in {defaults}.`,
		func(f *fabricDraft) *unit.BitRate { return &f.core.Rate }),
	durationField("core_latency", "", minLatency, maxLatency, `Latency of each link between switches, in {meanings}. `+
		`Default latency.`,
		func(f *fabricDraft) *unit.Duration { return &f.core.Latency }),
	integerField("nics_per_server", "1", 1, maxNICsPerServer,
		`Hosts that share a server, as its NICs: h0 and so on belong to server0; the last server may have `+
			`fewer. It groups the hosts that run together on one machine, and does not change the run. In `+
			`{kinds}, it also sets the number of hosts.`,
		func(f *fabricDraft) *int { return &f.nicsPerServer }),
}

const (
	// maxPorts bounds the ports of a node, as the models do.
	maxPorts = 1 << 14
	// maxNICsPerServer is more than any server has slots for.
	maxNICsPerServer = 64
)
