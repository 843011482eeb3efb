package sonic

import (
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/profile"
)

// names are a configuration's names of its profiles and maps, if they differ from the names in SONiC's templates: a
// scenario has no names for them. A key is a table, or a table and a queue or class, or these and a port before it:
// "WRED_PROFILE|3", "BUFFER_PROFILE|Ethernet0|3". A name of "" is a queue without a scheduler. "BUFFER_PROFILE of|name"
// is the port that has the settings of that profile.
type names map[string]string

// of returns the name for a key, which a port may have of its own, or otherwise.
func (n names) of(table, port string, index int, otherwise string) string {
	if name, _ := n.find(table, port, index); name != "" {
		return name
	}
	return otherwise
}

// find returns the name that is kept for a key, and whether one is.
func (n names) find(table, port string, index int) (name string, kept bool) {
	at := "|" + strconv.Itoa(index)
	for _, key := range []string{table + "|" + port + at, table + at, table} {
		if name, kept := n[key]; kept {
			return name, true
		}
	}
	return "", false
}

// keepNone keeps which ports have no scheduler at a queue, if it has one for others or none at all.
func (n names) keepNone(q int, ports []*port) {
	const table = "SCHEDULER"
	at := "|" + strconv.Itoa(q)
	without := func(p *port) bool { return p.queues[q].scheduler.name == "" }
	if !slices.ContainsFunc(ports, func(p *port) bool { return !without(p) }) {
		n[table+at] = ""
		return
	}
	for _, p := range ports {
		if without(p) {
			n[table+"|"+p.host()+at] = ""
		}
	}
}

// keep keeps the names that ports have for an index, which is "" for a port that has none: once what most of
// them have, and each other one.
func (n names) keep(table string, index int, ports []*port, name, otherwise func(*port) string) {
	var names []string
	usual := true
	for _, p := range ports {
		if is := name(p); is != "" {
			names = append(names, is)
			usual = usual && is == otherwise(p)
		}
	}
	if usual {
		return
	}
	wanted := mostOf(names)
	n[table+"|"+strconv.Itoa(index)] = wanted
	for _, p := range ports {
		if is := name(p); is != "" && is != wanted {
			n[table+"|"+p.host()+"|"+strconv.Itoa(index)] = is
		}
	}
}

// names returns the names in a configuration that the templates do not have.
func (d *device) names(t *tables, s *settings) names {
	n := names{}
	for _, table := range mapTables {
		if name := s.maps[table.field]; name != "" && name != mapName {
			n[table.table] = name
		}
	}
	if s.pool != "" && s.pool != ingressPoolName {
		n["BUFFER_POOL"] = s.pool
	}
	for q := range profile.Classes {
		n.keep("WRED_PROFILE", q, d.ports, func(p *port) string {
			if !p.wredOf(t, q).marks {
				return ""
			}
			return p.queues[q].wred.name
		}, func(*port) string { return wredNameOf(s.losslessQueue(q)) })
		n.keep("SCHEDULER", q, d.ports, func(p *port) string {
			return p.queues[q].scheduler.name
		}, func(*port) string { return schedulerName(q) })
		n.keepNone(q, d.ports)
	}
	for class, lossless := range s.lossless {
		if !lossless {
			continue
		}
		n.keep("BUFFER_PROFILE", class, d.ports, func(p *port) string { return p.groups[s.groupOf[class]].name },
			func(p *port) string { return profileName(p.rate, p.length) })
		n.keepFitting(class, d.ports, t, s)
	}
	if entry := d.root.child("PORT_QOS_MAP").child(globalEntry); entry != nil {
		n["PORT_QOS_MAP"] = globalEntry
	}
	return n
}

// keepFitting records which port has the settings of the buffer profile of a class: others may have its name, and other
// settings.
func (n names) keepFitting(class int, ports []*port, t *tables, s *settings) {
	for _, p := range ports {
		name := p.groups[s.groupOf[class]].name
		b := t.buffers[name]
		if b == nil {
			continue
		}
		headroom := p.set
		if headroom == 0 {
			headroom = p.headroom
		}
		fits := b.alphaIn(t.pools) == p.alpha && b.xoff == headroom
		if key := fittingKey(name); fits && n[key] == "" {
			n[key] = p.host()
		}
	}
}

// fittingKey returns the key for the port that has the settings of a buffer profile.
func fittingKey(name string) string { return "BUFFER_PROFILE of|" + name }

// losslessQueue reports whether a lossless class uses a queue.
func (s *settings) losslessQueue(q int) bool {
	for class, lossless := range s.lossless {
		if lossless && s.queueOf[class] == q {
			return true
		}
	}
	return false
}

// wredNameOf returns the name in SONiC's templates of the WRED profile of a queue.
func wredNameOf(lossless bool) string {
	if lossless {
		return wredName
	}
	return "AZURE_LOSSY"
}

func schedulerName(queue int) string { return "scheduler." + strconv.Itoa(queue) }
