package scenario

import (
	"path"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/unit"
)

// builder makes a plan of a draft.
type builder struct {
	*reader
	*draft
	graph    *topology.Graph
	routes   *topology.Routes
	plan     *plan.Plan
	wanLinks []wanLink
}

// build reads a tree and makes its plan. The plan is only of use if the reader
// has found no problem.
func build(r *reader, root *node, name string) *plan.Plan {
	d := newDraft(root)
	rootKeys.read(r, root, d)
	b := &builder{reader: r, draft: d, plan: &plan.Plan{
		Name:       name,
		Seed:       d.seed,
		Accounting: d.accounting,
		MTU:        d.mtu,
		Controller: d.controller,
		Until:      d.run.until,
		Limit:      d.run.limit,
		EndGrid:    d.run.endGrid,
		Record:     d.record,
		Expect:     plan.Expect{Congestion: d.expect.congestion, Checks: d.expect.checks},
	}}
	if d.run.until > d.run.limit {
		b.plan.Limit = d.run.until
	}
	if root.child("topology") == nil || root.child("topology").kind != mapping {
		b.requireReported(root)
		return b.plan
	}
	d.fabric.at = root.child("topology").at
	if b.graph = b.makeGraph(); b.graph == nil {
		return b.plan
	}
	if tables := len(b.graph.Switches) * len(b.graph.Hosts); tables > maxRoutes || len(b.graph.Hosts) > b.maxHosts {
		b.add(b.fabric.at, "%d switches and %d hosts: allowed are up to %d hosts, and %d routes (switches x hosts)",
			len(b.graph.Switches), len(b.graph.Hosts), b.maxHosts, maxRoutes)
		return b.plan
	}
	b.routes = b.graph.Route()
	b.addWANs()
	b.addSwitches()
	b.addNICs()
	b.addProximity()
	for i := range b.plan.Switches {
		b.checkBuffer(i)
	}
	b.checkDCI()
	b.addServers()
	b.addFaults()
	b.addFlows()
	if l := b.plan.Lookahead(); len(b.plan.Links) > 0 && d.controller.Latency < l {
		at := root.at
		if c := root.child("controller"); c != nil {
			at = c.where("latency")
		}
		b.add(at, "controller latency is %v: allowed is at least the run's longest window, %v", d.controller.Latency, l)
	}
	return b.plan
}

func (b *builder) addSwitches() {
	for i, name := range b.graph.Switches {
		s := plan.Switch{Name: name, Profile: profile.DefaultSwitch(), Links: b.linksOf(plan.NodeID(i))}
		if len(s.Links) > maxPorts {
			b.add(b.fabric.at, "%s has %d ports: allowed are up to %d", name, len(s.Links), maxPorts)
			return
		}
		s.Routes, s.NextHops = b.routes.Tables(plan.NodeID(i))
		if b.switchNode != nil {
			switchKeys.read(b.reader, b.switchNode, &s.Profile)
		}
		for _, e := range matching(b.switches, name) {
			switchKeys.read(b.reader, e.value, &s.Profile)
		}
		b.plan.Switches = append(b.plan.Switches, s)
	}
	b.checkPatterns("switches", b.switches, b.graph.Switches)
}

// checkBuffer refuses a switch whose lossless classes leave nothing to share.
func (b *builder) checkBuffer(i int) {
	s := &b.plan.Switches[i]
	if s.Profile.Headroom > s.Profile.Buffer {
		b.requireReported(b.switchNode, b.switches)
		return
	}
	set := unit.Bytes(0)
	for port, link := range s.Links {
		atB := b.plan.Links[link].B == plan.End{Node: plan.NodeID(i), Port: port}
		a := b.plan.Attachment(link, atB)
		if a.DCI {
			continue // it has memory of its own
		}
		for _, on := range s.Profile.PFC.Lossless {
			if on && s.Profile.PFC.Enabled {
				set += s.Profile.Reserve + s.Profile.HeadroomFor(&a, b.plan.MaxFrame())
			}
		}
		if set >= s.Profile.Buffer {
			at := b.root.at
			if b.switchNode != nil {
				at = b.switchNode.where("buffer")
			}
			b.add(at,
				"headroom and reserve of the %d ports of %s take the whole buffer of %v: allowed is a larger "+
					"buffer, fewer lossless classes or fewer ports",
				len(s.Links), s.Name, s.Profile.Buffer)
			return
		}
	}
}

func (b *builder) addNICs() {
	for i, name := range b.graph.Hosts {
		links := b.linksOf(b.graph.Host(i))
		if len(links) == 0 {
			b.add(b.hostPosition(name), "host %s has no link", name)
			links = []int{0}
		}
		n := plan.NIC{Name: name, Link: links[0], IP: plan.FirstIP + uint32(i)}
		p := nic{NIC: profile.DefaultNIC()}
		if b.nicNode != nil {
			nicKeys.read(b.reader, b.nicNode, &p)
		}
		for _, e := range matching(b.nics, name) {
			nicKeys.read(b.reader, e.value, &p)
		}
		if b.graph.Degree(b.graph.Host(i)) > 0 && !p.ownClasses {
			if peer := b.graph.Peer(b.graph.Host(i), 0); !b.graph.IsHost(peer) {
				p.ClassOf = b.plan.Switches[peer].Profile.ClassOf
			}
		}
		n.Profile = p.NIC
		b.plan.NICs = append(b.plan.NICs, n)
	}
	b.checkPatterns("nics", b.nics, b.graph.Hosts)
}

// matching returns the entries of a mapping of patterns that match name.
func matching(patterns *node, name string) []entry {
	if patterns == nil || patterns.kind != mapping {
		return nil
	}
	var list []entry
	for _, e := range patterns.entries {
		if ok, _ := path.Match(e.key, name); ok {
			list = append(list, e)
		}
	}
	return list
}

// checkPatterns refuses a pattern that no name matches.
func (b *builder) checkPatterns(what string, patterns *node, names []string) {
	if patterns == nil {
		return
	}
	if patterns.kind != mapping {
		b.requireReported(patterns)
		return
	}
	for _, e := range patterns.entries {
		if _, err := path.Match(e.key, ""); err != nil {
			b.add(e.at, "%q is not a pattern: allowed are names with *, ? and [a-z]", shorten(e.key))
			continue
		}
		found := false
		for _, name := range names {
			ok, _ := path.Match(e.key, name)
			found = found || ok
		}
		if !found && len(names) > 0 {
			b.add(e.at, "%s: nothing has the name %q: known are %s", what, shorten(e.key), listEnds(names))
		}
	}
}

// listEnds names a list by its ends.
func listEnds(names []string) string {
	if len(names) <= 6 {
		out := names[0]
		for _, n := range names[1:] {
			out += ", " + n
		}
		return out
	}
	return names[0] + ", " + names[1] + " ... " + names[len(names)-1]
}

// readSwitch and readNIC read settings into a scratch profile, for messages
// even where no graph can be made.
func readSwitch(r *reader, n *node) {
	s := profile.DefaultSwitch()
	switchKeys.read(r, n, &s)
}

func readNIC(r *reader, n *node) {
	p := nic{NIC: profile.DefaultNIC()}
	nicKeys.read(r, n, &p)
}

func readPatterns(key string, one func(*reader, *node)) func(*reader, *node) {
	return func(r *reader, n *node) {
		if n.kind != mapping {
			r.add(n.at, "%s is %s: it must be a mapping of names to settings", key, kindNames[n.kind])
			return
		}
		for _, e := range n.entries {
			one(r, e.value)
		}
	}
}

// frameTime is how long a full-size frame, extensions apart, takes at a NIC's
// line rate.
func (b *builder) frameTime(nic int) unit.Duration {
	return b.plan.Accounting.SerialTime(&Extensions(nil).sample(nil, b.plan.MTU).data, b.lineRate(nic))
}

// lineRate is the rate at which a NIC sends.
func (b *builder) lineRate(nic int) unit.BitRate {
	l := &b.plan.Links[b.plan.NICs[nic].Link]
	if l.A.Node != b.plan.NICNode(nic) {
		return l.Backward.Rate
	}
	return l.Forward.Rate
}
