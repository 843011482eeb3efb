package sonic

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// nameHosts names the hosts of the links: by their own names, or if a host has several links by its name and the port.
func (f *fabricImport) nameHosts() {
	count := map[string]int{}
	for _, c := range f.cables {
		for _, e := range c.ends {
			if e.device == nil {
				count[e.node]++
			}
		}
	}
	for _, c := range f.cables {
		for i := range c.ends {
			e := &c.ends[i]
			if e.device != nil {
				continue
			}
			name := e.node
			if count[e.node] > 1 {
				name += "-" + e.port
			}
			if f.hosts[name] != nil || f.device(name) != nil {
				f.problems.Add(c.at, "%s has two links at port %q: each of its NICs needs a port of its own", e.node, e.port)
				continue
			}
			f.addHost(name, e.node)
			e.node = name
		}
	}
}

func (f *fabricImport) addHost(name, server string) {
	f.hosts[name] = &host{server: server}
	f.names = append(f.names, name)
}

// addIdle gives each port that is up and has no link a host.
func (f *fabricImport) addIdle() {
	for _, d := range f.devices {
		for _, p := range d.ports {
			if p.cable != nil {
				continue
			}
			name := d.name + "-" + p.host()
			if f.hosts[name] != nil {
				f.problems.Add(document.Position{File: f.sources.Links.Name, Line: 1, Column: 1},
					"a host is called %s, but that is also the name of the host at port %s of %s, which has no "+
						"link in the list", name, p.name,
					d.name)
				continue
			}
			f.idle++
			f.addHost(name, name)
			p.cable = &cable{ends: [2]cableEnd{{node: name}, {d.name, p.name, d, p}}}
			f.cables = append(f.cables, p.cable)
		}
	}
}

// giveNICs gives hosts the settings of their NICs. The settings of a server apply to all its NICs.
func (f *fabricImport) giveNICs() {
	for i := range f.sources.NICs {
		nic, found := &f.sources.NICs[i], false
		all := nic.Guess && !f.hasHost(nic.Host)
		for _, name := range f.names {
			h := f.hosts[name]
			if !all && nic.Host != name && nic.Host != h.server {
				continue
			}
			found = true
			if h.nic != nil {
				f.problems.Add(document.Position{File: nic.Name, Line: 1, Column: 1},
					"host %s has settings of %s already: a NIC has one set", name, h.nic.Name)
				break
			}
			h.nic = nic
		}
		if !found {
			f.problems.Add(document.Position{File: nic.Name, Line: 1, Column: 1}, "there is no host %s: %s", shorten(nic.Host),
				spelling.Hint(nic.Host, f.names, "hosts are "+someOf(f.names)))
		}
	}
}

// hasHost reports whether there is a host, or a server, of a name.
func (f *fabricImport) hasHost(name string) bool {
	return slices.ContainsFunc(f.names, func(one string) bool { return one == name || f.hosts[one].server == name })
}
