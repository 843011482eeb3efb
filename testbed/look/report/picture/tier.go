package picture

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// tierRoom is the maximum number of boxes side by side in a tier.
const tierRoom = 18

// fabricMap is a fabric that is laid out.
type fabricMap struct {
	tiers  []fabricTier // from the top
	links  []mappedLink
	pauses []mappedPause
	stuck  []mappedPause // of deadlocks
	bottom float64
	// hot names the most loaded link, "" if there is none.
	hot string
}

// fabricTier is the boxes of one height.
type fabricTier struct {
	name   string
	groups []*group
}

// group is a box: a node, or several that are alike.
type group struct {
	name, hint string
	// short is the name where there is no room for it.
	short      string
	members    []string
	x, y, room float64
}

type mappedLink struct {
	Link
	a, b *group
	// count is the number of links in one, whose rate and utilisation are the largest, and whose ports are the most
	// loaded one's. hot marks the one with the most loaded link of all.
	count int
	hot   bool
}

type mappedPause struct {
	by, held *group
	Time     float64
	shares   []float64
	deadlock bool
}

func (m *fabricMap) y(tier int) float64 { return 60 + tierHeight*float64(tier) }

// layOut puts nodes into tiers by their way to the next host, long-haul paths on top; nodes beyond a tier's room become
// boxes with counts: hosts by the box of their switch, switches by their pod.
func (d Fabric) layOut() *fabricMap {
	levels := d.levels()
	peers := d.peers()
	highest := slices.Max(levels)
	pods := d.pods(levels, highest)
	owner := map[string]*group{}
	m := &fabricMap{}
	tiers := make([]fabricTier, highest+1)
	for at := highest; at >= 0; at-- { // hosts last: they come in the order of their switches
		var names []string
		for i, n := range d.Nodes {
			if levels[i] == at {
				names = append(names, n.Name)
			}
		}
		tiers[at] = fabricTier{name: d.tierName(levels, at)}
		part := func(name string) int { return pods[name] }
		if at == 0 && highest > 0 {
			part = func(name string) int { return above(name, peers, tiers[1], owner) }
			slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(part(a), part(b)) })
		}
		tiers[at].groups = fold(names, tiers[at].name, part)
		for _, g := range tiers[at].groups {
			for _, name := range g.members {
				owner[name] = g
			}
		}
	}
	for at := highest; at >= 0; at-- {
		if len(tiers[at].groups) > 0 {
			m.tiers = append(m.tiers, tiers[at])
		}
	}
	for i, t := range m.tiers {
		room := (wideWidth - tierLeft - 6) / float64(len(t.groups))
		for k, g := range t.groups {
			g.x, g.y, g.room = tierLeft+room*(float64(k)+0.5), m.y(i), room
		}
	}
	m.bottom = m.y(len(m.tiers) - 1)
	m.join(d, owner)
	return m
}

// levels are the nodes' distances to the next host, a long-haul path's one above all others.
func (d Fabric) levels() []int {
	index := map[string]int{}
	for i, n := range d.Nodes {
		index[n.Name] = i
	}
	peers := d.peers()
	levels := make([]int, len(d.Nodes))
	var queue []int
	for i, n := range d.Nodes {
		levels[i] = -1
		if n.Host {
			levels[i] = 0
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, peer := range peers[d.Nodes[at].Name] {
			if i, known := index[peer]; known && levels[i] < 0 && !d.Nodes[i].Path {
				levels[i] = levels[at] + 1
				queue = append(queue, i)
			}
		}
	}
	highest := slices.Max(levels)
	for i, n := range d.Nodes {
		if n.Path || levels[i] < 0 {
			levels[i] = highest + 1
		}
	}
	return levels
}

func (d Fabric) peers() map[string][]string {
	peers := map[string][]string{}
	for _, l := range d.Links {
		peers[l.A], peers[l.B] = append(peers[l.A], l.B), append(peers[l.B], l.A)
	}
	return peers
}

// tierName returns the name of a tier.
func (d Fabric) tierName(levels []int, at int) string {
	for i, n := range d.Nodes {
		if levels[i] == at && n.Path {
			return "DCI"
		}
	}
	switch {
	case at == 0:
		return "hosts"
	case at == 1 && slices.Max(levels) == 1:
		return "switch"
	case at < 4:
		return []string{"", "leaf", "spine", "core"}[at]
	}
	return fmt.Sprintf("tier %d", at)
}

// pods are the parts into which the nodes below a tier fall without it and the tiers above: as the pods of a fat tree,
// or two sites. They are numbered in the order of the nodes.
func (d Fabric) pods(levels []int, highest int) map[string]int {
	below := map[string]bool{}
	for i, n := range d.Nodes {
		below[n.Name] = levels[i] < highest
	}
	peers := d.peers()
	pods, count := map[string]int{}, 0
	for _, n := range d.Nodes {
		if _, known := pods[n.Name]; known || !below[n.Name] {
			continue
		}
		pods[n.Name] = count
		for queue := []string{n.Name}; len(queue) > 0; queue = queue[1:] {
			for _, peer := range peers[queue[0]] {
				if _, known := pods[peer]; !known && below[peer] {
					pods[peer] = count
					queue = append(queue, peer)
				}
			}
		}
		count++
	}
	return pods
}

// above returns the place of the box above to which a node is linked, past all for none.
func above(name string, peers map[string][]string, tier fabricTier, owner map[string]*group) int {
	for _, peer := range peers[name] {
		if i := slices.Index(tier.groups, owner[peer]); i >= 0 {
			return i
		}
	}
	return len(tier.groups)
}

// fold makes a box of each name or, if there are too many, of each part: the names below one box above, or of a pod. If
// the parts are too many or there is only one, all names are one box.
func fold(names []string, kind string, part func(string) int) (groups []*group) {
	if len(names) <= tierRoom {
		for _, name := range names {
			groups = append(groups, &group{name: name, hint: name, members: []string{name}})
		}
		return groups
	}
	under := map[int][]string{}
	for _, name := range names {
		under[part(name)] = append(under[part(name)], name)
	}
	if len(under) > tierRoom {
		return []*group{folded(names, kind)}
	}
	for _, p := range slices.Sorted(maps.Keys(under)) {
		groups = append(groups, folded(under[p], kind))
	}
	return groups
}

// folded is a box of several nodes.
func folded(names []string, kind string) *group {
	if len(names) == 1 {
		return &group{name: names[0], hint: names[0], members: names}
	}
	text := fmt.Sprintf("%d %s", len(names), kind)
	if kind != "hosts" {
		text = fmt.Sprintf("%d x %s", len(names), kind)
	}
	return &group{
		name:    text,
		short:   fmt.Sprint(len(names)),
		hint:    fmt.Sprintf("%s to %s", names[0], names[len(names)-1]),
		members: names,
	}
}

// join merges the links between the same boxes.
func (m *fabricMap) join(d Fabric, owner map[string]*group) {
	links, pauses := map[[2]*group]int{}, map[[2]*group]int{}
	m.hot = d.hotWords()
	hottest, _, hot := d.hottest()
	for number, l := range d.Links {
		a, b := owner[l.A], owner[l.B]
		if a == nil || b == nil || a == b {
			continue
		}
		if i, known := links[[2]*group{a, b}]; known {
			at := &m.links[i]
			at.count++
			at.hot = at.hot || hot && number == hottest
			at.Rate = max(at.Rate, l.Rate)
			if l.Utilisation > at.Utilisation {
				if at.Utilisation = l.Utilisation; at.a != a {
					l.A, l.B, l.Ends[0], l.Ends[1] = l.B, l.A, l.Ends[1], l.Ends[0]
				}
				at.A, at.B, at.Ends = l.A, l.B, l.Ends
			}
			continue
		}
		links[[2]*group{a, b}], links[[2]*group{b, a}] = len(m.links), len(m.links)
		m.links = append(m.links, mappedLink{l, a, b, 1, hot && number == hottest})
	}
	for _, p := range d.Pauses {
		by, held := owner[p.By], owner[p.Held]
		if by == nil || held == nil || by == held {
			continue
		}
		if i, known := pauses[[2]*group{by, held}]; known {
			at := &m.pauses[i]
			at.Time += p.Time
			if at.shares == nil {
				at.shares = slices.Clone(p.Shares)
			}
			for bin, share := range p.Shares {
				at.shares[bin] = max(at.shares[bin], share)
			}
			continue
		}
		pauses[[2]*group{by, held}] = len(m.pauses)
		m.pauses = append(m.pauses, mappedPause{by: by, held: held, Time: p.Time, shares: slices.Clone(p.Shares)})
	}
	stuck := map[[2]*group]bool{}
	for _, l := range d.Deadlocks {
		for _, w := range l.Waits {
			by, held := owner[w.For], owner[w.Node]
			if by == nil || held == nil || by == held || stuck[[2]*group{by, held}] {
				continue
			}
			stuck[[2]*group{by, held}] = true
			m.stuck = append(m.stuck, mappedPause{by: by, held: held, deadlock: true})
		}
	}
}
