package scenario

import "fmt"

var serverPass = pass{
	name:  "servers",
	after: []*pass{&nicPass},
	run:   addServers,
}

// addServers gives each NIC the server that holds it.
func addServers(b *builder) {
	if servers := b.fabric.kind.servers; servers != nil {
		servers(b)
		return
	}
	b.nameServers(func(host int) string { return fmt.Sprintf("server%d", host/b.fabric.nicsPerServer) })
}

// nameServers gives each NIC the server that name returns for its host, or its own server if servers have one NIC.
func (b *builder) nameServers(name func(host int) string) {
	for i := range b.plan.NICs {
		n := &b.plan.NICs[i]
		host := i
		if b.was != nil {
			host = b.was[i]
		}
		if n.Server = n.Name; b.fabric.nicsPerServer > 1 {
			n.Server = name(host)
		}
	}
}
