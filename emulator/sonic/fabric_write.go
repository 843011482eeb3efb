package sonic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func (f *fabricImport) writeTopology(b *strings.Builder) {
	b.WriteString("topology:\n  kind: explicit\n  nodes:\n")
	for _, d := range f.devices {
		var names []string
		for _, p := range d.ports {
			names = append(names, p.label)
		}
		fmt.Fprintf(b, "    - {name: %s, kind: switch, ports: [%s]}\n", quoted(d.name), strings.Join(names, ", "))
	}
	for _, name := range f.names {
		if server := f.hosts[name].server; server != name {
			fmt.Fprintf(b, "    - {name: %s, server: %s}\n", quoted(name), quoted(server))
			continue
		}
		fmt.Fprintf(b, "    - {name: %s}\n", quoted(name))
	}
	b.WriteString("  links:\n")
	for _, c := range f.cables {
		var ends []string
		var at *port
		for _, e := range c.ends {
			end := e.node + ":0"
			if e.of != nil {
				at, end = e.of, e.node+":"+e.of.label
			}
			ends = append(ends, fmt.Sprintf("%q", end))
		}
		fmt.Fprintf(b, "    - {endpoints: [%s], rate: %s, length: %dm}\n", strings.Join(ends, ", "), rateText(at.rate),
			at.length/unit.Metre)
	}
	b.WriteString("\n")
}

// nicSet is hosts whose NICs have the same settings.
type nicSet struct {
	nic   *NIC
	hosts []string
}

// nicSets are the hosts by their settings, in the order of the hosts.
func (f *fabricImport) nicSets() (sets []*nicSet) {
	for _, name := range f.names {
		nic := f.hosts[name].nic
		i := slices.IndexFunc(sets, func(s *nicSet) bool {
			return s.nic == nic || s.nic != nil && nic != nil && slices.Equal(s.nic.Params, nic.Params) &&
				slices.Equal(s.nic.Keys, nic.Keys)
		})
		if i < 0 {
			i = len(sets)
			sets = append(sets, &nicSet{nic: nic})
		}
		sets[i].hosts = append(sets[i].hosts, name)
	}
	return sets
}

// writeHosts writes the settings of NICs, the algorithm with each set of parameters, and an incast of each set's hosts.
func (f *fabricImport) writeHosts(b *strings.Builder, s *settings) {
	sets := f.nicSets()
	if data := s.dataDSCP(); data >= 0 {
		fmt.Fprintf(b, "nic: {data_dscp: %d}\n", data)
	}
	var keys, named strings.Builder
	for i, set := range sets {
		if set.nic == nil {
			continue
		}
		for _, name := range set.hosts {
			if len(set.nic.Keys) > 0 {
				fmt.Fprintf(&keys, "  %s: {%s}\n", quoted(name), strings.Join(set.nic.Keys, ", "))
			}
		}
		fmt.Fprintf(&named, "  nics%d:             # of %s\n    name: dcqcn\n", i, set.nic.Name)
		if len(set.nic.Params) > 0 {
			fmt.Fprintf(&named, "    params:\n      %s\n", strings.Join(set.nic.Params, "\n      "))
		}
	}
	if keys.Len() > 0 {
		fmt.Fprintf(b, "nics:\n%s", &keys)
	}
	if named.Len() > 0 {
		fmt.Fprintf(b, "algorithms:\n%s", &named)
	}
	b.WriteString("algorithm: dcqcn\ntraffic:               # incasts, to be replaced by your own\n")
	receiver := f.names[len(f.names)-1]
	for i, set := range sets {
		senders := slices.DeleteFunc(slices.Clone(set.hosts), func(name string) bool { return name == receiver })
		if len(senders) == 0 {
			continue
		}
		algorithm := ""
		if set.nic != nil {
			algorithm = fmt.Sprintf(", algorithm: nics%d", i)
		}
		for j := range senders {
			senders[j] = quoted(senders[j])
		}
		fmt.Fprintf(b, "  - {name: burst%d, kind: incast, senders: [%s], receiver: %s, size: %dMB%s}\n", i,
			strings.Join(senders[:min(len(senders), 8)], ", "), quoted(receiver), f.burst(), algorithm)
	}
}

// burst is the size of a sender's flow in MB, the largest that any switch asks for.
func (f *fabricImport) burst() (size int64) {
	for i, d := range f.devices {
		size = max(size, d.burst(f.read[i], 8))
	}
	return size
}
