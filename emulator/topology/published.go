package topology

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
)

// TwoDC is a pair of data centres that train one model: clusters a and b, each
// a leaf-spine, their spines joined by long links (DCI).
//
// Source: draft-ji-ccwg-distributed-lossless-mechanism-00, figures 2 and 3: in
// each cluster 64 hosts of eight accelerators at 16 leaves and 2 spines, the
// spines interconnected over 120 km with 25.6 Tb/s. Rates of NICs and uplinks,
// and which spines are joined, are not given there.
type TwoDC struct {
	// Joined puts both clusters into one building: their leaves share the
	// spines, there is no DCI, and hosts, leaves and their names are the same.
	Joined bool
	// Leaves, Spines and Servers are per cluster, cluster and leaf; NICs per
	// server; Uplinks from each leaf to each spine; DCILinks for each pair of
	// spines.
	Leaves, Spines, Servers, NICs, Uplinks, DCILinks int
	Line, Uplink, DCI                                Line
}

// clusters are the prefixes of names.
var clusters = [2]string{"a-", "b-"}

// clusterHosts is the number of NICs of a cluster.
func (d *TwoDC) clusterHosts() int { return d.Leaves * d.Servers * d.NICs }

// Size returns the number of hosts and of links.
func (d *TwoDC) Size() (hosts, links int) {
	hosts = 2 * d.clusterHosts()
	links = hosts + 2*d.Leaves*d.Spines*d.Uplinks
	if !d.Joined {
		links += d.Spines * d.DCILinks
	}
	return hosts, links
}

// Server names the server of a host: a-server0 holds a-h0 and those after it.
func (d *TwoDC) Server(host int) string {
	return fmt.Sprintf("%sserver%d", clusters[host/d.clusterHosts()], host%d.clusterHosts()/d.NICs)
}

// Graph returns the fabric: leaves a-leaf0, ..., spines a-spine0, ..., hosts
// a-h0, ... and the same with "b"; joined, the spines are spine0 and on. Switches
// are numbered cluster by cluster, leaves first. A leaf's ports are its hosts,
// then its uplinks spine by spine; a spine's are its leaves, then the DCI.
func (d *TwoDC) Graph() *Graph {
	var switches, hosts []string
	for _, c := range clusters {
		switches = append(switches, names(c+"leaf", d.Leaves)...)
		if !d.Joined {
			switches = append(switches, names(c+"spine", d.Spines)...)
		}
		hosts = append(hosts, names(c+"h", d.clusterHosts())...)
	}
	stride := d.Leaves + d.Spines // from a switch to its like in the other cluster
	if d.Joined {
		switches = append(switches, names("spine", d.Spines)...)
		stride = d.Leaves
	}
	graph := New(switches, hosts)
	spine := func(cluster, i int) plan.NodeID {
		if d.Joined {
			cluster = 1
		}
		return plan.NodeID(cluster*stride + d.Leaves + i)
	}
	perLeaf := d.Servers * d.NICs
	for h := range hosts {
		leaf := h / perLeaf
		graph.join(graph.Host(h), plan.NodeID(leaf/d.Leaves*stride+leaf%d.Leaves), d.Line)
	}
	for c := range clusters {
		for l := range d.Leaves {
			for s := range d.Spines {
				for range d.Uplinks {
					graph.join(plan.NodeID(c*stride+l), spine(c, s), d.Uplink)
				}
			}
		}
	}
	for s := range d.Spines {
		for range d.DCILinks {
			if !d.Joined {
				graph.join(spine(0, s), spine(1, s), d.DCI)
			}
		}
	}
	return graph
}

// Racks is a leaf-spine with two servers at some leaves and one at the others, with as many uplinks as NICs, the same
// number to each spine.
//
// Source: the testbed of the PC4 paper, section IV: 2 spines of 12.8 Tb/s, 20
// leaves, 32 servers of eight NICs of 100 Gb/s, 1 us a link. How many servers a
// leaf holds is not given; with twelve leaves of two and eight of one, the 256
// uplinks fill both spines.
type Racks struct {
	// Double and Single are the numbers of leaves with two servers and with
	// one. NICs per server is a multiple of Spines.
	Double, Single, Spines, NICs int
	Line, Uplink                 Line
}

// Size returns the number of hosts and of links.
func (r *Racks) Size() (hosts, links int) {
	hosts = (2*r.Double + r.Single) * r.NICs
	return hosts, 2 * hosts
}

// Graph returns the fabric: leaf0, ..., the leaves with two servers first, spine0, ... and hosts leaf by leaf. A leaf's
// ports are its hosts, then its uplinks spine by spine.
func (r *Racks) Graph() *Graph {
	hosts, _ := r.Size()
	leaves := r.Double + r.Single
	graph := New(append(names("leaf", leaves), names("spine", r.Spines)...), names("h", hosts))
	next := 0
	below := make([]int, leaves)
	for l := range leaves {
		below[l] = r.NICs
		if l < r.Double {
			below[l] *= 2
		}
		for range below[l] {
			graph.join(graph.Host(next), plan.NodeID(l), r.Line)
			next++
		}
	}
	for l := range leaves {
		for s := range r.Spines {
			for range below[l] / r.Spines {
				graph.join(plan.NodeID(l), plan.NodeID(leaves+s), r.Uplink)
			}
		}
	}
	return graph
}

// Pods is a fat tree of three levels whose numbers are free: pods of ToR and
// aggregation switches, each ToR joined to each aggregation switch of its pod,
// aggregation switch j of every pod to the same Cores switches.
//
// Source: the topology of the HPCC paper's simulations (SIGCOMM 2019, section
// 5.1) and of the public simulator: 5 pods of 4 ToRs and 4 aggregation switches,
// 16 cores, 16 hosts of 100 Gb/s at each ToR, 400 Gb/s above. The LSTM+PIDNN
// thesis has 320 such hosts in a fat tree (section 4.4.2).
type Pods struct {
	// ToRs and Aggs are per pod, Hosts per ToR, Cores per aggregation switch.
	Pods, ToRs, Aggs, Hosts, Cores int
	Line, Uplink, Core             Line
}

// Size returns the number of hosts and of links.
func (p *Pods) Size() (hosts, links int) {
	hosts = p.Pods * p.ToRs * p.Hosts
	return hosts, hosts + p.Pods*p.Aggs*(p.ToRs+p.Cores)
}

// Graph returns the fabric. Switches are numbered pod by pod, ToRs before
// aggregation switches, the cores last; names count through the whole fabric:
// tor0, agg0, core0, h0.
func (p *Pods) Graph() *Graph {
	var switches []string
	for pod := range p.Pods {
		for i := range p.ToRs {
			switches = append(switches, fmt.Sprintf("tor%d", pod*p.ToRs+i))
		}
		for i := range p.Aggs {
			switches = append(switches, fmt.Sprintf("agg%d", pod*p.Aggs+i))
		}
	}
	hosts, _ := p.Size()
	graph := New(append(switches, names("core", p.Aggs*p.Cores)...), names("h", hosts))
	tor := func(pod, i int) plan.NodeID { return plan.NodeID(pod*(p.ToRs+p.Aggs) + i) }
	agg := func(pod, i int) plan.NodeID { return tor(pod, p.ToRs+i) }
	for h := range hosts {
		t := h / p.Hosts
		graph.join(graph.Host(h), tor(t/p.ToRs, t%p.ToRs), p.Line)
	}
	for pod := range p.Pods {
		for i := range p.ToRs {
			for j := range p.Aggs {
				graph.join(tor(pod, i), agg(pod, j), p.Uplink)
			}
		}
	}
	for pod := range p.Pods {
		for j := range p.Aggs {
			for c := range p.Cores {
				graph.join(agg(pod, j), plan.NodeID(len(switches)+j*p.Cores+c), p.Core)
			}
		}
	}
	return graph
}
