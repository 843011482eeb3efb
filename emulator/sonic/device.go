package sonic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// device is the configuration of one switch.
type device struct {
	problems
	root *value
	// name is the switch's hostname, "" if it is not set.
	name string
	// ports are the ports that take part, in the order of their numbers; known are all of the file, by name.
	ports []*port
	known map[string]*port
	// stands are lines about settings that the file lacks, warnings are faults of the settings that it has.
	stands   []conversion.Line
	warnings []string
	// groups are the entries of FG_NHG, state is that of BGP_DEVICE_GLOBAL.
	groups []tableUse
	state  switchState
}

// port is a port of the switch, and what the tables say of it.
type port struct {
	name string
	// label is its name in a scenario.
	label string
	// down is set for a port that does not take part.
	down bool
	rate unit.BitRate
	// length is the cable's, 0 for one that is not said yet.
	length unit.Length
	// headroom follows from the link, set is the file's own value, 0 for none. alpha is the alpha of its lossless
	// classes.
	headroom, set unit.Bytes
	alpha         float64
	queues        [profile.Classes]queueUse
	// groups are the buffer profiles of the priority groups.
	groups [profile.Classes]use
	// maps are the maps of PORT_QOS_MAP, by field; pfc and watched are its classes.
	maps         map[string]use
	pfc, watched classSet
	watchdog     watchdogUse
	damping      dampingUse
	// cable is the link of a fabric at the port; nil for none.
	cable *cable
}

// use is a reference to an entry by name, and where it is.
type use struct {
	name string
	at   *value
}

type queueUse struct{ wred, scheduler use }

// classSet is a list of classes, and where it is.
type classSet struct {
	in [profile.Classes]bool
	at *value
}

// host returns the scenario's name of the host at the port: a name of a scenario has no slash.
func (p *port) host() string { return strings.ReplaceAll(p.name, "/", "_") }

// maxPorts bounds the ports of a switch; the largest chips have 1024 lanes.
const maxPorts = 1024

// portsOf returns the ports that a key such as "Ethernet0,Ethernet4|3-4" names before its bar, and the rest after it. A
// port that the file does not have is a problem, one that does not take part is left out.
func (d *device) portsOf(entry *value) (list []*port, rest string) {
	names, rest, _ := strings.Cut(entry.key, "|")
	for name := range strings.SplitSeq(names, ",") {
		p := d.known[name]
		switch {
		case p == nil && isPort(name):
			var all []string
			for _, known := range d.ports {
				all = append(all, known.name)
			}
			d.add(entry, "PORT has no port %q%s", shorten(name), meant(name, all))
		case p != nil && !p.down:
			list = append(list, p)
		}
	}
	return list, rest
}

// isPort reports whether a name is one of a port of the front panel.
func isPort(name string) bool {
	for _, begin := range []string{"Ethernet", "Eth"} {
		if number, ok := strings.CutPrefix(name, begin); ok && number != "" && number[0] >= '0' && number[0] <= '9' {
			return true
		}
	}
	return false
}

// orderedByPort sorts by the numbers in the names of ports: Ethernet8 before Ethernet16.
func orderedByPort(a, b *port) int {
	return cmp.Or(cmp.Compare(portNumber(a.name), portNumber(b.name)), cmp.Compare(a.name, b.name))
}

// portNumber is the first number in a port's name.
func portNumber(name string) int {
	number, digits := 0, false
	for _, c := range name {
		switch {
		case c >= '0' && c <= '9' && number < 1e8:
			number, digits = 10*number+int(c-'0'), true
		case digits:
			return number
		}
	}
	return number
}

// readPorts reads PORT and CABLE_LENGTH. A file without PORT has the ports that its other tables name.
func (d *device) readPorts() {
	d.known = map[string]*port{}
	const noPort = "no port of the front panel"
	for _, m := range d.entries("PORT") {
		if !isPort(m.key) {
			absentAll(m.value, noPort)
			continue
		}
		d.readPort(m.value)
	}
	if d.root.child("PORT") == nil {
		d.standInPorts()
	}
	for _, p := range d.known {
		if !p.down {
			p.label = p.host()
			d.ports = append(d.ports, p)
		}
	}
	slices.SortFunc(d.ports, orderedByPort)
	switch {
	case len(d.ports) > maxPorts:
		d.add(d.root, "%d ports: allowed are up to %d", len(d.ports), maxPorts)
	case len(d.ports) < 2 && d.Len() == 0:
		at := d.root
		if table := d.root.child("PORT"); table != nil {
			at = table
		}
		d.add(at, "%d ports are up: two are the least that can exchange packets", len(d.ports))
	}
	d.readCables()
	d.standInCables()
}

func (d *device) readPort(entry *value) {
	p := &port{name: entry.key, maps: map[string]use{}}
	if strings.ContainsAny(p.name, "| ,:") || len(p.name) > 60 {
		d.add(entry, "%q is not the name of a port", shorten(p.name))
		return
	}
	status := d.field(entry, "admin_status")
	p.down = d.word(status, "up", "down") == "down"
	d.known[p.name] = p
	if role := entry.child("role"); role != nil && !slices.Contains([]string{"", "Ext"}, role.Text) {
		p.down = true // a port inside the switch
	}
	if !p.down {
		status.taken("")
		p.damping = readDamping(d, entry)
	} else {
		absentAll(entry, "the port takes no part in the scenario")
	}
	speed := d.field(entry, "speed")
	if speed == nil && entry.child("speed") == nil && !p.down {
		d.add(entry, "the port has no speed: it must say one in Mb/s, such as \"speed\": \"100000\"")
		return
	}
	if mbps, ok := d.whole(speed, 10, 10_000_000, "Mb/s"); ok {
		p.rate = unit.BitRate(mbps) * unit.Mbps
		speed.taken(rateText(p.rate))
	}
}

// standInPorts makes ports from the names in the other tables, or four if there are none.
func (d *device) standInPorts() {
	const rate = 100 * unit.Gbps
	add := func(name string) {
		if isPort(name) && len(name) <= 60 && d.known[name] == nil && len(d.known) <= maxPorts {
			d.known[name] = &port{name: name, rate: rate, maps: map[string]use{}}
		}
	}
	for _, table := range []string{"QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "PFC_WD"} {
		for _, m := range d.entries(table) {
			names, _, _ := strings.Cut(m.key, "|")
			for name := range strings.SplitSeq(names, ",") {
				add(name)
			}
		}
	}
	for _, m := range d.entries("CABLE_LENGTH") {
		for _, cable := range m.value.members {
			add(cable.key)
		}
	}
	for next := 0; len(d.known) < 4; next += 4 {
		add(fmt.Sprintf("Ethernet%d", next))
	}
	d.standIn("PORT", fmt.Sprintf("%d ports of %v", len(d.known), rate), "the file has no ports")
}

// standIn reports the stand-in for a missing table.
func (d *device) standIn(table, is, note string) {
	d.stands = append(d.stands, conversion.Line{
		Path:    pointer(table),
		Verdict: conversion.Approximated,
		Is:      is,
		Note:    note,
	})
}

func (d *device) readCables() {
	for _, m := range d.entries("CABLE_LENGTH") {
		for _, cable := range m.value.members {
			v := d.field(m.value, cable.key)
			p := d.known[cable.key]
			if v == nil || p == nil && !isPort(cable.key) {
				continue
			}
			text, metres := strings.CutSuffix(v.Text, "m")
			length, err := unit.ParseLength(text + "m")
			switch {
			case !metres || err != nil || length > maxCable || strings.ContainsAny(text, "k "):
				d.add(v, "%q is not allowed: it must be a length in metres, such as \"300m\", up to %v", shorten(v.Text), maxCable)
			case p == nil:
				d.add(v, "PORT has no port %q", shorten(cable.key))
			case p.down:
			case length == 0:
				p.length = unit.Metre
				v.approximated("1m", "a link without latency is impossible")
			default:
				p.length = length
				v.taken(fmt.Sprintf("%v (5 ns/m)", length.Propagation()))
			}
		}
	}
}

// standInCables gives ports without a cable one of 200 m, of 1 us as every link of a scenario.
func (d *device) standInCables() {
	without := 0
	for _, p := range d.ports {
		if p.length == 0 {
			p.length = 200 * unit.Metre
			without++
		}
	}
	if without > 0 {
		d.standIn("CABLE_LENGTH", "200m", "the file has no cable of "+unit.Count(without, "port"))
	}
}

// maxCable bounds the length of a cable: a longer one is a path of its own, not a cable.
const maxCable = 200 * unit.Kilometre

// rateText is a rate as a scenario has it, exactly.
func rateText(rate unit.BitRate) string {
	if rate%unit.Gbps == 0 {
		return fmt.Sprintf("%dGbps", rate/unit.Gbps)
	}
	return fmt.Sprintf("%dMbps", rate/unit.Mbps)
}
