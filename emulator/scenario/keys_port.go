package scenario

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// portKeys are the settings that a port may have of its own, read over its switch's.
var portKeys = &object[profile.Switch]{
	what: "port",
	doc:  "Settings of single ports, in place of those of the switch.",
	fields: []field[profile.Switch]{
		ecnField,
		alphaField,
		alphaRateField,
		headroomField,
		objectField("watchdog", "The breaker of PFC storms.", watchdogKeys,
			func(s *profile.Switch) *profile.Watchdog { return &s.Watchdog }),
		objectField("scheduling", "Choice of the queue that the port serves next.", schedulingKeys,
			func(s *profile.Switch) *profile.Switch { return s }),
	},
	check: checkHeadroom,
}

// portsField is a mapping of ports to their settings. The ports are known once the fabric is, so that addPorts reads
// them; here the keys are checked, each by itself.
var portsField = field[profile.Switch]{
	key: "ports",
	doc: "Settings of single ports, in place of those of the switch, by a port's number from 0, by its name if " +
		"the node has names for its ports, by the name of the node at its other end, or by a pattern of such " +
		"names as h1*. If several match a port, the last one applies.",
	schema: func(s *outline) schema { return patternsSchema(portKeys.schema)(s) },
	read: func(r *reader, n *node, settings *profile.Switch) {
		probe := *r
		probe.base = true
		readPatterns("ports", func(_ *reader, one *node) {
			scratch := *settings
			portKeys.read(&probe, one, &scratch)
		})(r, n)
	},
}

// ownPort is a port with settings of its own, and what they say in bdp.
type ownPort struct {
	number   int
	relative relative
}

// addPorts reads the settings of the ports of switch i, and keeps which have some.
func (b *builder) addPorts(i int, settings []*node) {
	sw := &b.plan.Switches[i]
	sw.PortNames = b.namesOfPorts(sw.Name)
	usual := b.reader.relative
	var own []ownPort
	var wordsOf [][]string
	if slices.ContainsFunc(settings, func(n *node) bool { return n.Child("ports") != nil }) {
		wordsOf = b.wordsOfPorts(i)
	}
	for port, words := range wordsOf {
		at, any := sw.Profile, false
		b.reader.relative = usual
		for _, n := range settings {
			for _, e := range mappingOf(n.Child("ports")) {
				if meansPort(e.Key, port, words) {
					portKeys.read(b.reader, e.Value, &at)
					any = true
				}
			}
		}
		if any {
			sw.Profile.SetPort(port, &at)
			own = append(own, ownPort{port, b.reader.relative})
		}
	}
	b.reader.relative = usual
	b.ownPorts = append(b.ownPorts, own)
}

// mappingOf returns the entries of a mapping; none of any other node.
func mappingOf(n *node) []entry {
	if n == nil || n.Kind != document.Mapping {
		return nil
	}
	return n.Entries
}

// wordsOfPorts returns the names of the ports of switch i: the node's own, and the peer's.
func (b *builder) wordsOfPorts(i int) [][]string {
	node := plan.NodeID(i)
	words := make([][]string, b.graph.Degree(node))
	names := b.namesOfPorts(b.graph.Switches[i])
	for port := range words {
		if port < len(names) {
			words[port] = append(words[port], names[port])
		}
		words[port] = append(words[port], b.graph.Name(b.graph.Peer(node, port)))
	}
	return words
}

// namesOfPorts returns the names that a node has for its ports; nil for none.
func (b *builder) namesOfPorts(node string) []string {
	x, ok := b.fabric.own.(*explicitDraft)
	if !ok {
		return nil
	}
	return x.portNames(node)
}

// meansPort reports whether a key of ports means a port: by its number, or by one of its names.
func meansPort(key string, port int, words []string) bool {
	if slices.ContainsFunc(words, func(word string) bool { ok, _ := path.Match(key, word); return ok || key == word }) {
		return true
	}
	number, err := strconv.Atoi(key)
	return err == nil && number == port && strconv.Itoa(number) == key
}

// checkPorts refuses a key of ports that means a port of none of the switches that its settings are for.
func (b *builder) checkPorts() {
	if b.switchNode != nil {
		b.checkPortsOf(b.switchNode, func(string) bool { return true })
	}
	for _, e := range mappingOf(b.switches) {
		b.checkPortsOf(e.Value, func(name string) bool { ok, _ := path.Match(e.Key, name); return ok })
	}
}

func (b *builder) checkPortsOf(settings *node, covers func(name string) bool) {
	for _, e := range mappingOf(settings.Child("ports")) {
		if _, err := path.Match(e.Key, ""); err != nil {
			b.add(e.At, "%q is not a pattern: allowed are names with *, ? and [a-z]", shorten(e.Key))
			continue
		}
		var names, known []string
		found, most := false, 0
		for i, name := range b.graph.Switches {
			if found || !covers(name) {
				continue
			}
			names = append(names, name)
			for port, words := range b.wordsOfPorts(i) {
				found = found || meansPort(e.Key, port, words)
				if word := words[0]; !slices.Contains(known, word) {
					known = append(known, word)
				}
				most = max(most, port)
			}
		}
		if found || len(names) == 0 {
			continue
		}
		b.add(e.At, "%s has no port %q: %s, or 0 to %d", listEnds(names), shorten(e.Key), instead(e.Key, known), most)
	}
}

// alphaField, alphaRateField and headroomField are settings of a switch, and of a single port.
var (
	alphaField = numberField("alpha", "0.125", 0, profile.MaxAlpha, true,
		"Dynamic threshold: an ingress (port, class) may hold alpha x free shared memory.",
		func(s *profile.Switch) *float64 { return &s.Alpha })
	alphaRateField = rateField("alpha_rate", "0bps", "0bps", "100Tbps",
		"Port rate that alpha applies to; each doubling above it doubles a port's alpha. 0bps applies alpha "+
			"unchanged to every port.",
		func(s *profile.Switch) *unit.BitRate { return &s.AlphaRate })
	headroomField = sizeField("headroom", "0B", "0B", "100GB",
		"Memory of each lossless ingress (port, class) for the frames that still arrive after XOFF. 0B computes "+
			"it from the link.",
		func(s *profile.Switch) *unit.Bytes { return &s.Headroom })
)

// checkHeadroom refuses a headroom that the switch cannot have.
func checkHeadroom(r *reader, n *node, settings *profile.Switch) {
	if settings.Headroom > settings.Buffer {
		r.add(n.Where("headroom"),
			"headroom is %v, more than the buffer of %v: one lossless class of one port takes headroom out of "+
				"the buffer", settings.Headroom, settings.Buffer)
	}
}

// portNamesField names the ports of a switch that is written out.
var portNamesField = field[nodeDraft]{
	key: "ports",
	doc: "Names of a switch's ports, in the order of their numbers, such as [Ethernet0, Ethernet4]. Endpoints of links " +
		"and settings of ports may use them in place of numbers.",
	schema: func(s *outline) schema { return schema{"type": "array", "items": nameSchema(s)} },
	read: func(r *reader, n *node, draft *nodeDraft) {
		if n.Kind != document.Sequence {
			r.add(n.At, "ports is %s: it must be a list of names such as [Ethernet0, Ethernet4]", document.KindNames[n.Kind])
			return
		}
		for _, item := range n.Items {
			name, ok := r.name(item, "ports")
			switch {
			case !ok:
				return
			case slices.Contains(draft.ports, name):
				r.add(item.At, "ports has %q twice: each port has a name of its own", name)
			case strings.Trim(name, "0123456789") == "":
				r.add(item.At, "ports: %q is a number, and ports are numbered by their places: write a name", name)
			}
			draft.ports = append(draft.ports, name)
		}
	},
}

// portNames are the names that a node has for its ports.
func (x *explicitDraft) portNames(node string) []string {
	for i := range x.nodes {
		if x.nodes[i].name == node {
			return x.nodes[i].ports
		}
	}
	return nil
}

// noPort reports that a node lacks a port of a name, with its ports.
func (x *explicitDraft) noPort(node, name string) string {
	if names := x.portNames(node); names != nil {
		return fmt.Sprintf("%s has no port %q: %s, or a number", node, shorten(name), instead(name, names))
	}
	return fmt.Sprintf("%q is not a port: allowed is 0 to %d, or a name that ports of %s lists", shorten(name),
		maxPorts-1, node)
}
