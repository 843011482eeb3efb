package scenario

import (
	"cmp"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowFault is an outage of a link with a detection time of its own.
type slowFault struct {
	link   int
	from   unit.Time
	detect unit.Duration
}

// noteDetect keeps the detection time of outages that a fault gives a link.
func noteDetect(b *builder, link int, f *faultDraft, outages ...fabric.Outage) {
	if !f.has("detect") {
		return
	}
	for _, outage := range outages {
		b.slow = append(b.slow, slowFault{link, outage.From, f.detect})
	}
}

// converging is a builder that works out who knows of outages and drains when.
type converging struct {
	*builder
	written *node // failover of the scenario, nil without
	routes  topology.Failover
	list    []plan.Convergence
}

var failoverPass = pass{
	name:  "failover",
	after: []*pass{&faultPass, &flowPass},
	run:   addFailover,
}

// addFailover works out who knows of the outages when, and what the switches do about it.
func addFailover(b *builder) {
	written := b.root.Child("failover")
	if written == nil && len(b.slow) == 0 {
		return
	}
	if len(b.list) > 0 || written != nil && refuseFailover(b, written) {
		return
	}
	c := &converging{builder: b, written: written}
	c.routes.Buckets, c.routes.Weighted = b.failover.buckets, b.failover.weighted
	for i := range b.plan.Switches {
		c.routes.Propagate = append(c.routes.Propagate, b.times[i].propagate)
	}
	for i := range b.plan.Links {
		c.learn(i)
	}
	if written != nil {
		c.converge()
	}
}

// converge makes the routes follow.
func (c *converging) converge() {
	effects, err := c.builder.routes.Converge(&c.routes, c.plan.Switches, len(c.list))
	if err != nil {
		c.add(c.written.At, "failover: %v: allowed are fewer links that go down", err)
		return
	}
	for i := range c.list {
		c.list[i].Settled, c.list[i].Returned = effects[i].Settled, effects[i].Returned
		c.list[i].Switches = effects[i].Switches
	}
	slices.SortStableFunc(c.list, func(x, y plan.Convergence) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.Link, y.Link))
	})
	c.plan.Failover = &plan.Failover{
		Buckets:     c.failover.buckets,
		Weighted:    c.failover.weighted,
		Convergence: c.list,
		Written: plan.FailoverKeys{
			Detect:    c.failover.detect,
			Propagate: c.failover.propagate,
			Restore:   c.failover.restore,
			Dampening: c.failover.dampening.planned(),
		},
	}
}

// learn gives a link what its ends know of its outages and drains, and the routes the losses that follow.
func (c *converging) learn(number int) {
	l := &c.plan.Links[number]
	slow := slices.ContainsFunc(c.slow, func(s slowFault) bool { return s.link == number })
	first := len(c.list)
	for rest := link.NewOutages(l.Outages); slow || c.written != nil; rest.RemoveFirst() {
		next, ok := rest.Next()
		if !ok {
			break
		}
		c.list = append(c.list, plan.Convergence{Link: number, Outage: next})
	}
	if len(c.list) > first {
		l.Knows = new([2]fabric.Knowledge)
		for end := range l.Knows {
			l.Knows[end].Down = c.learnEnd(first, end)
		}
	}
	for end, spans := range l.Withdrawn {
		for _, span := range spans {
			c.drain(number, end, span)
		}
	}
}

// learnEnd computes the knowledge that one end of a link has of its outages, which are in the list from first on: the
// spans during which it considers the link down.
func (c *converging) learnEnd(first, end int) (down []fabric.Outage) {
	penalty := penalty{dampening: &c.failover.dampening}
	for i := first; i < len(c.list); i++ {
		o := &c.list[i]
		times, waits := c.timesAt(o, end)
		seen := c.plan.Links[o.Link].SeenAt(o.Outage, end == 1)
		o.Ends[end] = plan.EndTimes{Detected: unit.Never, Restored: seen.To}
		detected := seen.From.Add(times.detect)
		if detected >= seen.To || seen.Unheard() {
			continue
		}
		o.Ends[end].Detected = detected
		down = append(down, fabric.Outage{From: detected, To: seen.To})
		if waits {
			o.Ends[end].Restored = max(seen.To.Add(times.restore), penalty.lost(detected))
		}
		c.routes.Losses = append(c.routes.Losses, topology.Loss{
			Link:  o.Link,
			End:   end,
			From:  detected,
			To:    o.Ends[end].Restored,
			Cause: i,
		})
	}
	return down
}

// timesAt returns how long an end of a link takes for an outage, and whether it waits before it uses the link again: a
// switch does, if the link leads to another.
func (c *converging) timesAt(o *plan.Convergence, end int) (times failoverTimes, waits bool) {
	l := &c.plan.Links[o.Link]
	near, far := l.A.Node, l.B.Node
	if end == 1 {
		near, far = far, near
	}
	if times = startTimes(c.builder); c.plan.KindOf(near) == plan.KindSwitch {
		times, waits = c.times[c.plan.Node(near).Index], c.plan.KindOf(far) == plan.KindSwitch
	}
	for _, s := range c.slow {
		if s.link == o.Link && o.From <= s.from && s.from < o.To {
			times.detect = s.detect
			break
		}
	}
	for _, reboot := range rebootsOf(c.plan, near) { // a switch that goes down knows of it
		if o.From <= reboot.From && reboot.From < o.To {
			times.detect = min(times.detect, reboot.From.Sub(o.From))
		}
	}
	return times, waits
}

// drain adds a span during which one end of a link withdraws it. Both ends of a drain are one entry if their spans are
// equal.
func (c *converging) drain(number, end int, span fabric.Outage) {
	at := slices.IndexFunc(c.list, func(known plan.Convergence) bool {
		return known.Link == number && known.Drain && known.Outage == span
	})
	if at < 0 {
		at = len(c.list)
		c.list = append(c.list, plan.Convergence{Link: number, Outage: span, Drain: true})
		for i := range c.list[at].Ends {
			c.list[at].Ends[i] = plan.EndTimes{Detected: unit.Never, Restored: span.To}
		}
	}
	c.list[at].Ends[end].Detected = span.From
	c.routes.Losses = append(c.routes.Losses, topology.Loss{
		Link:    number,
		End:     end,
		From:    span.From,
		To:      span.To,
		Drained: true,
		Cause:   at,
	})
}

// planned is the dampening as a plan has it, nil for none.
func (d *dampening) planned() *plan.Dampening {
	if !d.on {
		return nil
	}
	return &plan.Dampening{
		Penalty:     d.penalty,
		Suppress:    d.suppress,
		Reuse:       d.reuse,
		HalfLife:    d.halfLife,
		MaxSuppress: d.maxSuppress,
	}
}

// penalty is the figure of merit of a link at one end.
type penalty struct {
	*dampening
	value float64
	last  unit.Time
	out   bool
	reuse unit.Time
}

// lost counts a loss, and returns until when the link is out for it, 0 if it is not.
func (p *penalty) lost(now unit.Time) (until unit.Time) {
	if !p.on {
		return 0
	}
	p.value = float64(p.value*math.Exp2(-float64(now.Sub(p.last))/float64(p.halfLife))) + p.penalty
	p.last = now
	if p.maxSuppress > 0 {
		p.value = min(p.value, p.dampening.reuse*math.Exp2(float64(p.maxSuppress)/float64(p.halfLife)))
	}
	p.out = p.value > p.suppress || p.out && now < p.reuse
	if !p.out {
		return 0
	}
	p.reuse = now.Add(unit.Whole[unit.Duration](float64(p.halfLife) * math.Log2(p.value/p.dampening.reuse)))
	return p.reuse
}

// refuseFailover refuses failover beside what does not follow routes yet, and reports whether it did.
func refuseFailover(b *builder, written *node) bool {
	const keep = "routes keep to the shortest paths without faults"
	known := len(b.list)
	for i := range b.traffic {
		for _, key := range []string{"path", "paths"} {
			if pinned := b.traffic[i].node; pinned.Child(key) != nil && (key == "path" || b.traffic[i].balanced) {
				b.add(pinned.Where(key), "%s pins flows, and failover is on: a pinned flow does not follow "+
					"routes; use only one of them", key)
				return true
			}
		}
	}
	for i := range b.plan.Switches {
		if sw := &b.plan.Switches[i]; sw.Profile.Proximal.Enabled {
			b.add(b.settingPosition(sw.Name, "proximal"), "proximal CNP is on at %s, and failover is on: paths to "+
				"switches' loopbacks do not follow routes; use only one of them", sw.Name)
			return true
		}
	}
	switch ring := ringOf(b); {
	case len(b.edges) > 0:
		b.add(written.At, "failover does not apply to a fabric with edges: the tree along which it bridges does not follow "+
			"routes")
	case b.fabric.kind == &twoDC:
		b.add(written.At, "failover does not apply to %s: %s, and between two sites only longer ones may be left",
			twoDC.name, keep)
	case len(b.plan.WANs) > 0:
		b.add(written.At, "failover does not apply to a fabric with long-haul paths: their flaps are in their timelines, "+
			"and routes do not follow them")
	case ring >= 0:
		b.add(written.At, "failover does not apply to a ring: %s, and without link %s only longer ones are left between its "+
			"two switches", keep, b.graph.LinkName(ring))
	default:
		for i := range b.plan.Switches {
			checkBuckets(b, written, i)
		}
	}
	return len(b.list) > known
}

// checkBuckets refuses tables that have too few buckets for the groups of a switch.
func checkBuckets(b *builder, written *node, i int) {
	n := b.failover.buckets
	for _, set := range b.plan.Switches[i].NextHops {
		if n > 0 && len(set) > n && len(b.list) == 0 {
			b.add(written.Where("buckets"), "buckets is %d, and %s has groups of %d ports: allowed are %d or more, or 0", n,
				b.plan.Switches[i].Name, len(set), len(set))
		}
	}
}

// ringOf returns a link between two switches with hosts that are joined without it, too, by a way that is longer; -1
// for none.
func ringOf(b *builder) int {
	hosts := map[plan.NodeID]bool{}
	for i := range b.graph.Hosts {
		for _, at := range b.graph.LinksOf(b.graph.Host(i)) {
			l := &b.graph.Links[at]
			hosts[l.A.Node], hosts[l.B.Node] = true, true
		}
	}
	for i := range b.graph.Links {
		l := &b.graph.Links[i]
		if b.graph.IsHost(l.A.Node) || b.graph.IsHost(l.B.Node) || !hosts[l.A.Node] || !hosts[l.B.Node] {
			continue
		}
		if b.graph.Detour(l.A.Node, l.B.Node) {
			return i
		}
	}
	return -1
}

// startTimes are the times of a switch that has none of its own.
func startTimes(b *builder) failoverTimes {
	if b.root.Child("failover") == nil {
		return failoverTimes{}
	}
	return b.failover.failoverTimes
}

// checkTimes refuses times of a switch in a scenario without failover.
func checkTimes(b *builder, settings []*node) {
	for _, n := range settings {
		if n.Child("failover") != nil && b.root.Child("failover") == nil && len(b.list) == 0 {
			b.add(n.Where("failover"), "failover of a switch without failover of the scenario: write failover: {}, or more")
		}
	}
}
