package sonic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// dampingOf are the fields of a port for a dampening, rounded to whole numbers and milliseconds.
func dampingOf(d *plan.Dampening) map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(max(1, math.Round(x)), 'f', 0, 64) }
	life := max(1, (d.HalfLife+unit.Millisecond/2)/unit.Millisecond)
	most := max(life, (d.MaxSuppress+unit.Millisecond/2)/unit.Millisecond)
	if d.MaxSuppress == 0 {
		most = unbounded * life
	}
	values := []string{dampingOn, number(d.Penalty), number(d.Suppress), number(d.Reuse), fmt.Sprint(int64(life)),
		fmt.Sprint(int64(most))}
	fields := map[string]string{}
	for i, name := range dampingFields {
		fields[name] = values[i]
	}
	return fields
}

// failover writes what the plan has of links that go down.
func (e *exporter) failover(p *plan.Plan, number int) {
	state := map[string]bool{"wcmp_enabled": p.Failover != nil && p.Failover.Weighted, "tsa_enabled": isDrained(p, number)}
	for _, field := range stateFields {
		if state[field] || slices.Contains(strings.Fields(e.names[stateTable]), field) {
			e.config.set(stateTable, stateEntry, field, strconv.FormatBool(state[field]))
		}
	}
	if p.Failover == nil {
		return
	}
	e.table(p, number)
	e.damping(p, number)
	is, usual := p.Failover.Written, plan.UsualFailover
	for _, time := range []struct {
		key       string
		is, usual unit.Duration
	}{{"detect", is.Detect, usual.Detect}, {"propagate", is.Propagate, usual.Propagate},
		{"restore", is.Restore, usual.Restore}} {
		if time.is != time.usual {
			e.lines = append(e.lines, conversion.Line{
				Path:    "failover." + time.key,
				Verdict: conversion.Absent,
				Was:     time.is.String(),
				Note:    "SONiC has no key for how long its software takes",
			})
		}
	}
}

// table writes the table of a group.
func (e *exporter) table(p *plan.Plan, number int) {
	size := p.Failover.Buckets
	if size == 0 {
		return
	}
	most := 1
	for _, set := range p.Switches[number].NextHops {
		most = max(most, len(set))
	}
	name := e.names.of(groupTable, "", 0, "ROCELAB")
	e.config.set(groupTable, name, "bucket_size", strconv.Itoa(size))
	e.config.set(groupTable, name, "match_mode", "prefix-based")
	e.config.set(groupTable, name, "max_next_hops", strconv.Itoa(min(most, 128)))
	e.approximated(pointer(groupTable, name, "bucket_size"), strconv.Itoa(size), strconv.Itoa(size),
		"for prefixes that FG_NHG_PREFIX is to name; here every group has the table")
}

// damping writes the damping of the ports that lead to switches, or of all ports of a switch without such.
func (e *exporter) damping(p *plan.Plan, number int) {
	d := p.Failover.Written.Dampening
	if d == nil {
		return
	}
	fields := dampingOf(d)
	toSwitch := func(port int) bool {
		link := p.Switches[number].Links[port]
		return p.KindOf(p.Peer(link, plan.End{Node: p.SwitchNode(number), Port: port}).Node) == plan.KindSwitch
	}
	some := false
	for port := range e.ports {
		some = some || toSwitch(port)
	}
	for port, one := range e.ports {
		if some && !toSwitch(port) {
			continue
		}
		for _, field := range dampingFields {
			e.config.set("PORT", one.name, field, fields[field])
		}
	}
	exact := map[string]bool{
		"penalty":   d.Penalty == math.Trunc(d.Penalty),
		"suppress":  d.Suppress == math.Trunc(d.Suppress),
		"reuse":     d.Reuse == math.Trunc(d.Reuse),
		"half_life": d.HalfLife%unit.Millisecond == 0,
	}
	values := []float64{d.Penalty, d.Suppress, d.Reuse}
	for i, key := range []string{"penalty", "suppress", "reuse"} {
		if !exact[key] {
			e.approximated("failover.dampening."+key, numberText(values[i]), fields[dampingFields[1+i]], "whole numbers")
		}
	}
	if !exact["half_life"] {
		e.approximated("failover.dampening.half_life", d.HalfLife.String(), fields["decay_half_life"], "whole milliseconds")
	}
	if d.MaxSuppress%unit.Millisecond != 0 || d.MaxSuppress < d.HalfLife {
		e.approximated("failover.dampening.max_suppress", d.MaxSuppress.String(), fields["max_suppress_time"],
			"SONiC asks for a ceiling, in whole milliseconds and no shorter than the half life")
	}
}

// isDrained reports whether both ends of all links of a switch withdraw them from the start to the end.
func isDrained(p *plan.Plan, number int) bool {
	always := fabric.Outage{From: 0, To: unit.Never}
	links := p.Switches[number].Links
	return len(links) > 0 && !slices.ContainsFunc(links, func(l int) bool {
		w := &p.Links[l].Withdrawn
		return !slices.Contains(w[0], always) || !slices.Contains(w[1], always)
	})
}
