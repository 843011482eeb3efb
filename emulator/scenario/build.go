package scenario

import (
	"path"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// builder makes a plan of a draft.
type builder struct {
	*reader
	*draft
	graph    *topology.Graph
	routes   *topology.Routes
	plan     *plan.Plan
	wanLinks []wanLink
	// relative has the settings of each switch in bdp, and ownPorts its ports with settings of their own.
	relative []relative
	// times are each switch's times of failover, slow the outages with detection times of their own.
	times    []failoverTimes
	slow     []slowFault
	ownPorts [][]ownPort
	// edges are in the order of their numbers; was gives the number that each host had before the edges became the
	// last, nil if it is the same.
	edges []*edgeDraft
	was   []int
	// words are the hosts that words of the traffic mean, so far.
	words map[string][]int
}

// build reads a tree and makes its plan. The plan is only of use if the reader
// has found no problem.
func build(r *reader, root *node, name string) *plan.Plan {
	written := newDraft(root)
	rootKeys.read(r, root, written)
	b := &builder{reader: r, draft: written, plan: &plan.Plan{
		Name:       name,
		Seed:       written.seed,
		Accounting: written.accounting,
		MTU:        written.mtu,
		Controller: written.controller,
		Until:      written.run.until,
		Limit:      written.run.limit,
		EndGrid:    written.run.endGrid,
		Record:     written.record,
		Expect: plan.Expect{
			Congestion:    written.expect.congestion,
			Costly:        written.expect.costly,
			AnyCompletion: written.expect.anyCompletion,
			Checks:        written.expect.checks,
		},
	}}
	if written.run.until > written.run.limit {
		b.plan.Limit = written.run.until
	}
	if root.Child("topology") == nil || root.Child("topology").Kind != document.Mapping {
		b.requireReported(root)
		return b.plan
	}
	written.fabric.at = root.Child("topology").At
	if b.graph = b.makeGraph(); b.graph == nil {
		return b.plan
	}
	b.takeEdges()
	if tables := len(b.graph.Switches) * len(b.graph.Hosts); tables > maxRoutes || len(b.graph.Hosts) > b.maxHosts {
		b.add(b.fabric.at, "%d switches and %d hosts: allowed are up to %d hosts, and %d routes (switches x hosts)",
			len(b.graph.Switches), len(b.graph.Hosts), b.maxHosts, maxRoutes)
		return b.plan
	}
	b.routes = b.graph.Route()
	for _, pass := range passes {
		pass.run(b)
	}
	return b.plan
}

var costlyCheck = pass{
	name:  "cost of congestion",
	after: []*pass{&flowPass},
	run:   checkCostly,
}

// checkCostly rejects `costly` if no bound is known for the time without congestion.
func checkCostly(b *builder) {
	if !b.expect.costly || len(b.list) > 0 {
		return
	}
	if reason := b.plan.Unbounded(); reason != "" {
		b.add(b.root.Child("expect").Where("congestion"), "congestion is costly, and no bound is known of iterations: %s; "+
			"allowed are any and required", reason)
	}
}

var controllerCheck = pass{
	name:  "controller",
	after: []*pass{&wanPass},
	run:   checkController,
}

// checkController refuses a controller that is quicker than a window, since changes are known only at its end. The
// default one is as slow as that.
func checkController(b *builder) {
	window := b.plan.Lookahead()
	if len(b.plan.Links) == 0 || b.controller.Latency >= window {
		return
	}
	c := b.root.Child("controller")
	if c.Child("latency") == nil {
		b.plan.Controller.Latency = window
		return
	}
	b.add(c.Where("latency"), "controller latency is %v: allowed is at least the run's longest window, %v",
		b.controller.Latency, window)
}

var switchPass = pass{
	name:  "switches",
	after: []*pass{&wanPass, &edgePass},
	run:   addSwitches,
}

func addSwitches(b *builder) {
	for i, name := range b.graph.Switches {
		settings := b.settingsOf(name)
		sw := plan.Switch{Name: name, Profile: startOf(settings...), Links: b.linksOf(plan.NodeID(i))}
		if len(sw.Links) > maxPorts {
			b.add(b.fabric.at, "%s has %d ports: allowed are up to %d", name, len(sw.Links), maxPorts)
			return
		}
		sw.Routes, sw.NextHops = b.routes.Tables(plan.NodeID(i))
		sw.Profile.DropNotECT = len(b.edges) == 0
		sw.Profile.Watchdog.Detect = 0 // computed, if it stays so
		b.reader.relative, b.reader.times = relative{}, startTimes(b)
		for _, n := range settings {
			switchKeys.read(b.reader, n, &sw.Profile)
		}
		b.checkQueueBytes(&sw.Profile, settings)
		b.checkMemory(&sw.Profile, settings)
		b.mapOthers(&sw.Profile, settings)
		b.plan.Switches = append(b.plan.Switches, sw)
		b.graph.Transit = append(b.graph.Transit, sw.Profile.Transit())
		b.relative = append(b.relative, b.reader.relative)
		b.times = append(b.times, b.reader.times)
		checkTimes(b, settings)
		b.addPorts(i, settings)
	}
	b.checkPatterns("switches", b.switches, b.graph.Switches)
	b.checkPorts()
}

// checkQueueBytes refuses queue_bytes: accounted if it would equal frame.
func (b *builder) checkQueueBytes(settings *profile.Switch, written []*node) {
	if !settings.Accounted || b.plan.Accounting == wire.Bare48 {
		return
	}
	for i := len(written) - 1; i >= 0; i-- {
		if written[i].Child("queue_bytes") != nil {
			b.add(written[i].Where("queue_bytes"), "queue_bytes is accounted, and accounting is %v: allowed is frame, or "+
				"accounted where accounting is bare48", b.plan.Accounting)
			return
		}
	}
}

// settingsOf returns the settings written for a switch, in the order in which they apply.
func (b *builder) settingsOf(name string) (settings []*node) {
	if b.switchNode != nil {
		settings = append(settings, b.switchNode)
	}
	for _, e := range matching(b.switches, name) {
		settings = append(settings, e.Value)
	}
	return settings
}

// startOf returns the defaults under the settings of a switch: the usual ones, or the defaults of the last chip that
// the settings name.
func startOf(settings ...*node) profile.Switch {
	start := profile.DefaultSwitch()
	for i := len(settings) - 1; i >= 0; i-- {
		if n := settings[i].Child("profile"); n != nil && n.Kind == document.Scalar {
			if chip := profile.ChipNamed(n.Text); chip != nil {
				chip.Give(&start)
				return start
			}
		}
	}
	return start
}

var bufferCheck = pass{
	name:  "buffers of switches",
	after: []*pass{&dciThresholds},
	run:   checkBuffers,
}

// checkBuffers checks each switch.
func checkBuffers(b *builder) {
	for i := range b.plan.Switches {
		b.checkBuffer(i)
	}
}

// checkBuffer refuses a switch whose lossless classes leave nothing to share.
func (b *builder) checkBuffer(i int) {
	sw := &b.plan.Switches[i]
	if sw.Profile.Headroom > sw.Profile.Buffer {
		b.requireReported(b.switchNode, b.switches)
		return
	}
	set := unit.Bytes(0)
	for port, link := range sw.Links {
		atB := b.plan.Links[link].B == plan.End{Node: plan.NodeID(i), Port: port}
		a := b.plan.Attachment(link, atB)
		if a.DCI {
			continue // it has its own memory
		}
		for _, on := range sw.Profile.PFC.Lossless {
			if on && sw.Profile.PFC.Enabled {
				set += sw.Profile.Reserve + sw.Profile.OfPort(port).HeadroomFor(&a, b.plan.MaxFrame())
			}
		}
		if set >= sw.Profile.Buffer {
			at := b.root.At
			if b.switchNode != nil {
				at = b.switchNode.Where("buffer")
			}
			b.add(at,
				"headroom and reserve of the %d ports of %s take the whole buffer of %v: allowed is a larger "+
					"buffer, fewer lossless classes or fewer ports",
				len(sw.Links), sw.Name, sw.Profile.Buffer)
			return
		}
	}
}

var nicPass = pass{
	name:  "NICs",
	after: []*pass{&switchPass},
	run:   addNICs,
}

func addNICs(b *builder) {
	for i, name := range b.nicNames() {
		links := b.linksOf(b.graph.Host(i))
		if len(links) == 0 {
			b.add(b.hostPosition(name), "host %s has no link", name)
			links = []int{0}
		}
		n := plan.NIC{Name: name, Link: links[0], IP: plan.StationIP(i)}
		var written []*node
		if b.nicNode != nil {
			written = append(written, b.nicNode)
		}
		for _, e := range matching(b.nics, name) {
			written = append(written, e.Value)
		}
		settings := startOfNIC(written...)
		for _, node := range written {
			nicKeys.read(b.reader, node, &settings)
		}
		if b.graph.Degree(b.graph.Host(i)) > 0 && !settings.ownClasses {
			if peer := b.graph.Peer(b.graph.Host(i), 0); !b.graph.IsHost(peer) {
				settings.ClassOf = b.plan.Switches[peer].Profile.ClassOf
			}
		}
		n.Profile = settings.NIC
		b.plan.NICs = append(b.plan.NICs, n)
	}
	b.checkPatterns("nics", b.nics, b.nicNames())
}

// matching returns the entries of a mapping of patterns that match name.
func matching(patterns *node, name string) []entry {
	if patterns == nil || patterns.Kind != document.Mapping {
		return nil
	}
	var list []entry
	for _, e := range patterns.Entries {
		if ok, _ := path.Match(e.Key, name); ok {
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
	if patterns.Kind != document.Mapping {
		b.requireReported(patterns)
		return
	}
	for _, pair := range patterns.Entries {
		if _, err := path.Match(pair.Key, ""); err != nil {
			b.add(pair.At, "%q is not a pattern: allowed are names with *, ? and [a-z]", shorten(pair.Key))
			continue
		}
		found := false
		for _, name := range names {
			ok, _ := path.Match(pair.Key, name)
			found = found || ok
		}
		if !found && len(names) > 0 {
			b.add(pair.At, "%s: nothing has the name %q: known are %s", what, shorten(pair.Key), listEnds(names))
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

// readSwitch and readNIC read settings into a scratch profile, for messages even if no graph can be made.
func readSwitch(r *reader, n *node) {
	s := startOf(n)
	switchKeys.read(r, n, &s)
}

func readNIC(r *reader, n *node) {
	p := startOfNIC(n)
	nicKeys.read(r, n, &p)
}

func readPatterns(key string, one func(*reader, *node)) func(*reader, *node) {
	return func(r *reader, n *node) {
		if n.Kind != document.Mapping {
			r.add(n.At, "%s is %s: it must be a mapping of names to settings", key, document.KindNames[n.Kind])
			return
		}
		for _, e := range n.Entries {
			one(r, e.Value)
		}
	}
}

// frameTime returns the time of a full-size frame without extensions at a NIC's line rate.
func (b *builder) frameTime(nic int) unit.Duration {
	return b.plan.Accounting.SerialTime(&Extensions(nil).exchange(nil, b.plan.MTU).data, b.lineRate(nic))
}

// lineRate returns the rate at which a NIC sends.
func (b *builder) lineRate(nic int) unit.BitRate {
	return b.plan.NICRate(nic)
}
