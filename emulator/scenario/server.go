package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/topology"
)

// addServers gives each NIC the server that holds it.
func (b *builder) addServers() {
	if b.fabric.kind == "explicit" {
		b.writtenServers()
		return
	}
	per := b.fabric.nicsPerServer
	var pair *topology.TwoDC
	if b.fabric.kind == "two-dc" {
		pair = b.fabric.twoDC(topology.Line{})
	}
	for i := range b.plan.NICs {
		n := &b.plan.NICs[i]
		switch n.Server = n.Name; {
		case per == 1:
		case pair != nil:
			n.Server = pair.Server(i)
		default:
			n.Server = fmt.Sprintf("server%d", i/per)
		}
	}
}

// writtenServers takes the servers of nodes that are written out. A server's
// name is its own: no switch has it, and no host that is not in it.
func (b *builder) writtenServers() {
	hosts := map[string]*nodeDraft{}
	for i := range b.fabric.nodes {
		hosts[b.fabric.nodes[i].name] = &b.fabric.nodes[i]
	}
	held := map[string]int{}
	for i := range b.plan.NICs {
		n := &b.plan.NICs[i]
		d := hosts[n.Name]
		if n.Server = d.server; n.Server == "" {
			n.Server = n.Name
		}
		if held[n.Server]++; held[n.Server] == maxNICsPerServer+1 {
			b.add(d.serverAt, "server %q has more than %d hosts: allowed are up to %d", n.Server, maxNICsPerServer, maxNICsPerServer)
		}
		other := hosts[n.Server]
		switch {
		case other == nil || other == d:
		case !other.host:
			b.add(d.serverAt, "server %q has the name of a switch: a server's name is its own", n.Server)
		case other.server != n.Server:
			b.add(d.serverAt, "server %q has the name of a host that is not in it: give that host the same server, or the server another name", n.Server)
		}
	}
}
