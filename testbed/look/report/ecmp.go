package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// runGroup is a group of equal-cost ports in a run.
type runGroup struct {
	variant *variant
	run     *run
	picture.Group
}

// equalCostGroups are the sets of ports among which the switches of a fabric choose by ECMP, as the router of runs
// finds them on the same graph, those with the largest difference in bytes first. A long-haul path is part of its
// link. A set that sent nothing is left out.
func equalCostGroups(d *picture.Fabric) (groups []picture.Group) {
	var switches, hosts []string
	paths := map[string][]linkEnd{}
	for _, n := range d.Nodes {
		switch {
		case n.Host:
			hosts = append(hosts, n.Name)
		case n.Path:
			paths[n.Name] = nil
		default:
			switches = append(switches, n.Name)
		}
	}
	index := map[string]plan.NodeID{}
	for i, name := range append(slices.Clone(switches), hosts...) {
		index[name] = plan.NodeID(i)
	}
	graph, ports := topology.New(switches, hosts), make([][]picture.End, len(index))
	join := func(a, b linkEnd) {
		from, known := index[a.node]
		to, too := index[b.node]
		if known && too && a.Port != "" && b.Port != "" {
			graph.Join(from, to, 0, 0)
			ports[from], ports[to] = append(ports[from], a.End), append(ports[to], b.End)
		}
	}
	for _, l := range d.Links {
		a, b := linkEnd{l.A, l.Ends[0]}, linkEnd{l.B, l.Ends[1]}
		if _, isPath := paths[a.node]; isPath {
			a, b = b, a
		}
		if far, isPath := paths[b.node]; !isPath {
			join(a, b)
		} else if paths[b.node] = append(far, a); len(far) == 1 {
			join(far[0], a)
		}
	}
	routes := graph.Route()
	for i, name := range switches {
		_, sets := routes.Tables(plan.NodeID(i))
		for _, set := range sets {
			if len(set) < 2 {
				continue
			}
			var members []picture.End
			for _, port := range set {
				members = append(members, ports[i][port])
			}
			byBytes := func(a, b picture.End) int { return cmp.Compare(a.Bytes, b.Bytes) }
			g := picture.Group{Node: name, Most: slices.MaxFunc(members, byBytes), Least: slices.MinFunc(members, byBytes)}
			if g.Most.Bytes > 0 {
				groups = append(groups, g)
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b picture.Group) int { return cmp.Compare(b.Gap(), a.Gap()) })
	return groups
}

// linkEnd is an end of a link that is to be joined.
type linkEnd struct {
	node string
	picture.End
}

// groupTable has the most uneven groups of all runs.
func groupTable(groups []runGroup) table {
	t := table{
		ID:      "ecmp",
		Caption: "ECMP groups",
		Head: []cell{{Text: "run"}, {Text: "switch"}, {Text: "most loaded"}, {Text: "sent"}, {Text: "least loaded"},
			{Text: "sent"}, {Text: "ratio"}},
	}
	slices.SortStableFunc(groups, func(a, b runGroup) int { return cmp.Compare(b.Gap(), a.Gap()) })
	for _, g := range groups[:min(len(groups), rowsShown)] {
		sent := func(end picture.End) cell {
			where := fmt.Sprintf("%s#node=%s&port=%s/tx_bytes", g.run.key("ports.csv"), url.QueryEscape(g.Node),
				url.QueryEscape(end.Port))
			return measured("tx_bytes", fmt.Sprintf("%.0f", end.Bytes), where)
		}
		ratio := "-"
		if g.Least.Bytes > 0 {
			ratio = strings.TrimSuffix(fmt.Sprintf("%.2f", g.Most.Bytes/g.Least.Bytes), ".00")
		}
		t.Rows = append(t.Rows, tableRow{
			Head: cell{Text: g.variant.name(g.run)},
			Cells: []cell{{Text: g.Node}, {Text: ":" + g.Most.Port}, sent(g.Most), {Text: ":" + g.Least.Port}, sent(g.Least),
				{Text: ratio}},
		})
	}
	if len(groups) > len(t.Rows) {
		t.LeftOut = fmt.Sprintf("The first %d of %d groups.", len(t.Rows), len(groups))
	}
	return t
}
