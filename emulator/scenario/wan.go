package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A link with a long-haul path is one link of the graph, with the path's delays
// as its latencies: so routes, base RTTs and BDPs reach across it. In the plan it
// is a node and two links, whose latencies are taken out of the delays.

// wanLink is a link of the graph that has a long-haul path.
type wanLink struct {
	link  int
	draft *wanDraft
}

// insertWANs gives the links of the graph that have a path its delays.
func (b *builder) insertWANs(graph *topology.Graph, hauls []wanLink) {
	b.wanLinks = hauls
	for _, h := range hauls {
		p := h.draft.profile()
		l := &graph.Links[h.link]
		l.Forward.Latency, l.Backward.Latency = p.Phases[0].Delay[0], p.Phases[0].Delay[1]
	}
}

// profile makes the path's profile from the written keys.
func (w *wanDraft) profile() profile.WAN {
	state := w.wanState
	if state.back == 0 {
		state.back = state.length
	}
	path := profile.WAN{
		Length: [2]unit.Length{state.length, state.back},
		Phases: []profile.WANPhase{state.phase(0, w.perKilometre)},
	}
	for i := range w.timeline {
		e := &w.timeline[i]
		if e.flap > 0 {
			path.Flaps = append(path.Flaps, fabric.Outage{From: e.at, To: e.at.Add(e.flap)})
		}
		if state.apply(e) {
			path.Phases = append(path.Phases, state.phase(e.at, w.perKilometre))
		}
	}
	return path
}

// apply takes what a timeline's entry names, and reports whether that was
// anything.
func (s *wanState) apply(event *wanEventDraft) (changed bool) {
	given := func(key string) bool {
		is := event.node.Child(key) != nil
		changed = changed || is
		return is
	}
	if given("length") {
		s.length, s.back = event.length, event.length
	}
	if given("backward_length") {
		s.back = event.back
	}
	if given("equipment") {
		s.equipment = event.equipment
	}
	if given("jitter") {
		s.jitter = event.jitter
	}
	if given("loss") {
		s.loss, s.burst = event.loss, profile.WANLoss{}
	}
	if given("burst_loss") {
		s.loss, s.burst = 0, event.burst
	}
	return changed
}

func (s *wanState) phase(from unit.Time, perKilometre unit.Duration) profile.WANPhase {
	delay := func(l unit.Length) unit.Duration {
		return perKilometre.Scale(int64(l), int64(unit.Kilometre)) + s.equipment
	}
	loss := s.burst
	if s.burst == (profile.WANLoss{}) {
		loss.Good = s.loss
	}
	return profile.WANPhase{From: from, Delay: [2]unit.Duration{delay(s.length), delay(s.back)}, Jitter: s.jitter,
		Loss: loss}
}

var wanPass = pass{
	name: "long-haul paths",
	run:  addWANs,
}

// addWANs puts the paths' nodes into the plan, between the two ends of their
// links. The first half of a link keeps its number.
func addWANs(b *builder) {
	taken := map[string]bool{}
	for _, names := range [][]string{b.graph.Switches, b.graph.Hosts} {
		for _, name := range names {
			taken[name] = true
		}
	}
	b.plan.Links = append([]plan.Link(nil), b.graph.Links...)
	for i := range b.plan.Links {
		for _, end := range []*plan.End{&b.plan.Links[i].A, &b.plan.Links[i].B} {
			if b.isEdge(end.Node) {
				end.Node += plan.NodeID(len(b.wanLinks)) // edges are numbered behind the paths
			}
		}
	}
	for i, joined := range b.wanLinks {
		path := plan.WAN{
			Name:    joined.draft.name,
			Profile: joined.draft.profile(),
			Links:   [2]int{joined.link, len(b.plan.Links)},
		}
		if path.Name == "" {
			path.Name = fmt.Sprintf("wan%d", i)
		}
		first := i == 0 || joined.draft != b.wanLinks[i-1].draft // links that share a path's keys are said once
		if taken[path.Name] && first {
			b.add(b.wanPosition(joined.draft, "name"),
				"long-haul path %q has the name of another node: give it a different one", path.Name)
		}
		taken[path.Name] = true
		link := b.plan.Links[joined.link]
		node := b.graph.Host(b.numNICs() + i) // they follow the NICs
		near, far := link, link
		near.Forward.Latency = max(1, b.attachmentLatency(&path.Profile))
		near.Backward.Latency = near.Forward.Latency
		far.Forward, far.Backward = near.Forward, near.Backward
		near.B, far.A = plan.End{Node: node, Port: 0}, plan.End{Node: node, Port: 1}
		b.plan.Links[joined.link] = near
		b.plan.Links = append(b.plan.Links, far)
		b.plan.WANs = append(b.plan.WANs, path)
	}
}

var wanDelays = pass{
	name:  "delays of long-haul paths",
	after: []*pass{&wanPass},
	run:   checkWANs,
}

// checkWANs refuses paths that are too short for the largest frame, which an edge may let in.
func checkWANs(b *builder) {
	for i, joined := range b.wanLinks {
		path := &b.plan.WANs[i]
		rate, frame := b.plan.Links[path.Links[0]].Forward.Rate, b.plan.MaxFrame()
		first := i == 0 || joined.draft != b.wanLinks[i-1].draft
		if !first || joined.draft.length <= 0 || path.Profile.CanCarry(rate, frame) {
			continue
		}
		least := profile.LeastDelay(rate, frame)
		b.add(b.wanPosition(joined.draft, ""), "long-haul path %s has a delay of %v, and its largest frame of %v takes %v "+
			"at %v: allowed is a delay of at least %v; a shorter way is a link with a latency", path.Name,
			path.Profile.ShortestDelay(), frame, least/2, rate, least)
	}
}

// attachmentLatency returns the latency of the links at the ends of a path. If windows are held to the clock they
// should be few, so with edges it is as much as may be taken out of the path's delay.
func (b *builder) attachmentLatency(path *profile.WAN) unit.Duration {
	if len(b.edges) > 0 {
		return path.ShortestDelay() / 4
	}
	return path.AttachmentLatency()
}

// wanPosition returns the position of a path's key, the path's if it lacks the key, the topology's if the path is its
// default.
func (b *builder) wanPosition(draft *wanDraft, key string) position {
	if draft.node == nil {
		return b.fabric.at
	}
	return draft.node.Where(key)
}

// linksOf returns the plan's links at the ports of a node of the graph.
func (b *builder) linksOf(id plan.NodeID) []int {
	links := b.graph.LinksOf(id)
	for port, link := range links {
		for i := range b.wanLinks {
			if b.wanLinks[i].link == link && b.graph.Links[link].B == (plan.End{Node: id, Port: port}) {
				links[port] = b.plan.WANs[i].Links[1]
			}
		}
	}
	return links
}
