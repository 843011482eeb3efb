package sonic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Exported is the result of exporting a switch.
type Exported struct {
	Config Config
	// Lines say what SONiC cannot have as it is; the path of what has no counterpart there is the scenario's
	// key.
	Lines []conversion.Line
}

// Export makes the configuration of a switch of a plan, which is given by its number. Memory is the scenario's record
// of the configuration that it was made from.
func Export(p *plan.Plan, number int, memory Memory) *Exported {
	sw := &p.Switches[number]
	e := &exporter{
		writer:   writer{config: Config{}},
		switched: &sw.Profile,
		names:    memory.Names,
	}
	for port, link := range sw.Links {
		near := plan.End{Node: p.SwitchNode(number), Port: port}
		attached := p.Attachment(link, p.Links[link].B == near)
		e.ports = append(e.ports, &exportedPort{
			host:     p.NodeName(p.Peer(link, near).Node),
			link:     attached,
			headroom: headroomAt(p, number, port),
			settings: sw.Profile.OfPort(port),
		})
	}
	if sw.PortNames != nil {
		for port, name := range sw.PortNames[:min(len(sw.PortNames), len(e.ports))] {
			e.ports[port].host = name
		}
	}
	e.namePorts()
	if !isPort(sw.Name) {
		e.config.set("DEVICE_METADATA", "localhost", "hostname", sw.Name)
	}
	e.classes()
	e.queues()
	e.buffers(e.switched.Buffer - guaranteed(p, number))
	e.perPort()
	e.leftOver()
	e.failover(p, number)
	memory.giveBack(e.config)
	return &Exported{e.config, e.lines}
}

type exporter struct {
	writer
	switched *profile.Switch
	names    names
	ports    []*exportedPort
}

// exportedPort is a port of the switch: host is the node at its other end, name what SONiC calls it.
type exportedPort struct {
	host, name string
	link       fabric.Attachment
	settings   *profile.Switch
	headroom   unit.Bytes
	length     unit.Length
}

// rate is the port's.
func (p *exportedPort) rate() unit.BitRate { return p.link.Tx.Rate }

// lossless reports whether PFC protects a class.
func (e *exporter) lossless(class int) bool {
	return e.switched.PFC.Enabled && e.switched.PFC.Lossless[class]
}

// namePorts names the ports after the hosts at them, if all these are names of ports, and otherwise by their numbers.
func (e *exporter) namePorts() {
	seen := map[string]bool{}
	for _, p := range e.ports {
		p.name = strings.ReplaceAll(p.host, "_", "/")
		seen[p.name] = isPort(p.name)
		p.length = unit.Length(p.link.Tx.Latency / unit.Metre.Propagation() * unit.Duration(unit.Metre))
	}
	named := len(seen) == len(e.ports)
	for _, is := range seen {
		named = named && is
	}
	for i, p := range e.ports {
		if !named {
			p.name = fmt.Sprintf("Ethernet%d", 4*i)
			p.host = p.name
		}
	}
}

// classes writes the maps of DSCPs, classes, queues and priority groups.
func (e *exporter) classes() {
	put := func(table string, from, to int) {
		e.config.set(table, e.names.of(table, "", 0, mapName), strconv.Itoa(from), strconv.Itoa(to))
	}
	for dscp, class := range e.switched.ClassOf {
		put("DSCP_TO_TC_MAP", dscp, int(class))
	}
	for class := range profile.Classes {
		group := 0
		if e.lossless(class) {
			group = class
			put("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", class, class)
		}
		put("TC_TO_QUEUE_MAP", class, int(e.switched.QueueOf[class]))
		put("TC_TO_PRIORITY_GROUP_MAP", class, group)
		put("MAP_PFC_PRIORITY_TO_QUEUE", class, int(e.switched.QueueOf[class]))
	}
}

// entry writes an entry under a name, or under one with the port's speed, length and number in it where another
// has the name, and returns the name that it has.
func (e *exporter) entry(table, name string, p *exportedPort, fields map[string]string) string {
	bySpeed := fmt.Sprintf("%s_%d_%dm", name, p.rate()/unit.Mbps, p.length/unit.Metre)
	for i := 0; ; i++ {
		is := name
		switch {
		case i == 1:
			is = bySpeed
		case i > 1:
			is = fmt.Sprintf("%s_%d", bySpeed, i)
		}
		if there, taken := e.config[table][is]; !taken {
			for field, value := range fields {
				e.config.set(table, is, field, value)
			}
			return is
		} else if sameFields(there, fields) {
			return is
		}
	}
}

func sameFields(a, b map[string]string) bool {
	for field, value := range a {
		if other, ok := b[field]; !ok || other != value {
			return false
		}
	}
	return len(a) == len(b)
}

// buffers writes the pool, of a size that is shared, and the profile of each lossless class.
func (e *exporter) buffers(shared unit.Bytes) {
	pool := e.names.of("BUFFER_POOL", "", 0, ingressPoolName)
	e.config.set("BUFFER_POOL", pool, "type", "ingress")
	e.config.set("BUFFER_POOL", pool, "mode", "dynamic")
	e.config.set("BUFFER_POOL", pool, "size", bytesText(max(0, shared)))
	e.inOrder("BUFFER_PROFILE", func(p *exportedPort, class int) {
		if !e.lossless(class) {
			return
		}
		one := writer{config: Config{}}
		one.bufferProfile("", p.settings.AlphaAt(p.rate()), e.switched.Reserve, p.headroom, e.switched.ResumeOffset)
		one.config.set("BUFFER_PROFILE", "", "pool", pool)
		name := e.names.of("BUFFER_PROFILE", p.host, class, profileName(p.rate(), p.length))
		before := len(e.config["BUFFER_PROFILE"])
		name = e.entry("BUFFER_PROFILE", name, p, one.config["BUFFER_PROFILE"][""])
		if len(e.config["BUFFER_PROFILE"]) > before {
			e.renamed(&one, "BUFFER_PROFILE", name)
		}
		e.config.set("BUFFER_PG", p.name+"|"+strconv.Itoa(class), "profile", name)
	})
}

// perPort writes what a port has beside its queues: speed, cable, maps, watchdog.
func (e *exporter) perPort() {
	var lossless [profile.Classes]bool
	for class := range profile.Classes {
		lossless[class] = e.lossless(class)
	}
	names := []string{}
	for _, p := range e.ports {
		names = append(names, p.name)
		e.config.set("PORT", p.name, "speed", strconv.FormatInt(int64(p.rate()/unit.Mbps), 10))
		e.config.set("PORT", p.name, "admin_status", "up")
		e.config.set("CABLE_LENGTH", mapName, p.name, strconv.FormatInt(int64(p.length/unit.Metre), 10)+"m")
		if exact := p.length.Propagation(); exact != p.link.Tx.Latency {
			e.approximated(pointer("CABLE_LENGTH", mapName, p.name), p.link.Tx.Latency.String(), exact.String(),
				"whole metres, 5 ns each")
		}
		if p.rate()%unit.Mbps != 0 {
			e.approximated(pointer("PORT", p.name, "speed"), p.rate().String(), (p.rate() / unit.Mbps * unit.Mbps).String(),
				"whole Mb/s")
		}
		if w := &p.settings.Watchdog; w.Enabled {
			e.config.set("PFC_WD", p.name, "action", actionOf(w.Drop))
			e.config.set("PFC_WD", p.name, "detection_time", milliseconds(w.Detect))
			e.config.set("PFC_WD", p.name, "restoration_time", milliseconds(w.Restore))
			e.config.set("PORT_QOS_MAP", p.name, "pfcwd_sw_enable", classText(lossless))
		}
	}
	if e.names["PORT_QOS_MAP"] == globalEntry {
		names = append(names, globalEntry)
	}
	for _, name := range names {
		for _, t := range mapTables {
			if e.config[t.table] != nil {
				e.config.set("PORT_QOS_MAP", name, t.field, e.names.of(t.table, "", 0, mapName))
			}
		}
		if name != globalEntry {
			e.config.set("PORT_QOS_MAP", name, "pfc_enable", classText(lossless))
		}
	}
}

// leftOver reports the settings of the switch that differ from the defaults and have no counterpart in SONiC's tables.
func (e *exporter) leftOver() {
	is, was := e.switched, profile.DefaultSwitch()
	say := func(key string, differs bool, value any) {
		if differs {
			line := conversion.Line{Path: "switch." + key, Verdict: conversion.Absent, Was: fmt.Sprint(value)}
			e.lines = append(e.lines, line)
		}
	}
	say("forwarding", is.Forwarding != was.Forwarding, profile.ForwardingNames[is.Forwarding])
	say("pfc.quanta", is.PFC.Quanta != was.PFC.Quanta, is.PFC.Quanta)
	say("pfc.refresh", is.PFC.Refresh != was.PFC.Refresh, is.PFC.Refresh)
	say("queue_bytes", is.Accounted, "accounted")
	say("latency", is.Latency != was.Latency, is.Latency)
	say("peer_response", is.PeerResponse != was.PeerResponse, is.PeerResponse)
	say("drop_not_ect", is.DropNotECT != was.DropNotECT, is.DropNotECT)
	say("proximal.enabled", is.Proximal.Enabled, true)
	say("classes.control", is.Control != was.Control, classList(is.Control))
	early := func(p *exportedPort) bool {
		return slices.ContainsFunc(p.settings.ECN[:], func(w profile.WRED) bool { return w.Enabled && w.AtEnqueue })
	}
	say("ecn.point", slices.ContainsFunc(e.ports, early), "enqueue")
	rounded := map[profile.Watchdog]bool{}
	for _, p := range e.ports {
		w := p.settings.Watchdog
		if !w.Enabled || rounded[w] || w.Detect%unit.Millisecond == 0 && w.Restore%unit.Millisecond == 0 {
			continue
		}
		rounded[w] = true
		e.approximated("switch.watchdog", fmt.Sprintf("%v and %v", w.Detect, w.Restore),
			milliseconds(w.Detect)+" and "+milliseconds(w.Restore)+" ms", "whole milliseconds")
	}
}
