package topology

import "github.com/rocelab/rocelab/emulator/plan"

// Rail is a rail-optimised fabric: NIC i of every server of a group is at leaf i
// of that group, which is the group's rail i, and spines join all leaves. Traffic
// between NICs of one number passes one leaf, within a group, and no spine.
//
// Source: NVIDIA's reference architecture of the DGX SuperPOD, whose scalable
// unit is a group of 32 servers with eight NICs each, at eight leaves. The
// numbers are free here.
type Rail struct {
	// Groups of servers; Servers are per group, NICs per server
	// and so the leaves of a group; Uplinks lead from each leaf to each spine.
	Groups, Servers, NICs, Spines, Uplinks int
	Line, Uplink                           Line
}

// Size returns the number of hosts and of links.
func (r *Rail) Size() (hosts, links int) {
	hosts = r.Groups * r.Servers * r.NICs
	return hosts, hosts + r.Groups*r.NICs*r.Spines*r.Uplinks
}

// Graph returns the fabric: leaf0, ..., group by group and rail by rail, spine0,
// ... and hosts server by server. A leaf's ports are the servers of its group,
// then its uplinks spine by spine; a spine's are the leaves.
func (r *Rail) Graph() *Graph {
	hosts, _ := r.Size()
	leaves := r.Groups * r.NICs
	graph := New(append(names("leaf", leaves), names("spine", r.Spines)...), names("h", hosts))
	for h := range hosts {
		server, nic := h/r.NICs, h%r.NICs
		graph.join(graph.Host(h), plan.NodeID(server/r.Servers*r.NICs+nic), r.Line)
	}
	for l := range leaves {
		for s := range r.Spines {
			for range r.Uplinks {
				graph.join(plan.NodeID(l), plan.NodeID(leaves+s), r.Uplink)
			}
		}
	}
	return graph
}
