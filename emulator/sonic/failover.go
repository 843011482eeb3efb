package sonic

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// What CONFIG_DB has of links that go down: the damping of link events of PORT, the tables of fine-grained ECMP, and
// what a switch advertises by BGP.
//
// Sources: sonic-net/SONiC, doc/link_event_damping/Link-event-damping-HLD.md; sonic-net/sonic-swss,
// orchagent/port/portschema.h; sonic-net/sonic-buildimage, src/sonic-yang-models/yang-models:
// sonic-fine-grained-ecmp.yang, sonic-bgp-device-global.yang.

// dampingFields are the damping fields of a port, the algorithm first.
var dampingFields = []string{"link_event_damping_algorithm", "flap_penalty", "suppress_threshold", "reuse_threshold",
	"decay_half_life", "max_suppress_time"}

// The words for a port with damping and without: additive increase, exponential decrease.
const (
	dampingOn  = "aied"
	dampingOff = "disabled"
)

// unbounded is the ceiling, in half lives, of a penalty that a scenario has no bound for: SONiC asks for one, and this
// one, of a million times the reuse threshold, is out of reach.
const unbounded = 20

// dampingUse is PORT's damping of a port's link events; the zero value of Dampening is a port without damping, with why
// as the reason if damping was set and does not apply.
type dampingUse struct {
	plan.Dampening
	why string
	at  *value
}

// wholeNumber is the largest number of a field of CONFIG_DB's type uint32.
const wholeNumber = 1<<32 - 1

// Bounds of a dampening of a scenario.
const (
	mostPenalty = 1e6
	mostLife    = 1000 * unit.Second
)

// readDamping reads the damping of a port.
func readDamping(d *device, entry *value) (use dampingUse) {
	use.at = entry
	on := d.word(d.field(entry, dampingFields[0]), dampingOff, dampingOn) == dampingOn
	var n [5]int64
	for i, name := range dampingFields[1:] {
		n[i], _ = d.whole(d.field(entry, name), 0, wholeNumber, "")
	}
	penalty, suppress, reuse, life, most := n[0], n[1], n[2], n[3], n[4]
	one := plan.Dampening{
		Penalty:     float64(penalty),
		Suppress:    float64(suppress),
		Reuse:       float64(reuse),
		HalfLife:    unit.Duration(life) * unit.Millisecond,
		MaxSuppress: unit.Duration(most) * unit.Millisecond,
	}
	switch {
	case !on:
		use.why = "the port has no damping"
	case slices.Min(n[:]) == 0 || reuse > suppress || life > most:
		use.why = "SONiC takes damping for disabled if a value is 0, reuse_threshold above suppress_threshold or " +
			"decay_half_life above max_suppress_time"
	case penalty > mostPenalty || suppress > mostPenalty || one.HalfLife > mostLife || one.MaxSuppress > mostLife &&
		most != unbounded*life:
		use.why = fmt.Sprintf("a scenario has penalties up to %d and times up to %v", int(mostPenalty), mostLife)
	case reuse == suppress || one.MaxSuppress <= plan.LeastSuppress(one.Suppress, one.Reuse, one.HalfLife):
		use.why = "with these no port is ever held, or each by its first penalty: a scenario has no such damping"
	default:
		use.Dampening = one
		if most == unbounded*life {
			use.MaxSuppress = 0
		}
	}
	return use
}

// tableUse is an entry of FG_NHG, and how many buckets it has.
type tableUse struct {
	name string
	size int
	at   *value
}

// switchState is the switch's global state, with the values that set it: weighted groups, and traffic shifted away from
// it.
type switchState struct {
	weighted, away     bool
	weightedAt, awayAt *value
}

// stateFields are the fields of BGP_DEVICE_GLOBAL that are read.
var stateFields = []string{"wcmp_enabled", "tsa_enabled"}

// stateTable and stateEntry are where they are, groupTable is where tables of groups are.
const (
	stateTable = "BGP_DEVICE_GLOBAL"
	stateEntry = "STATE"
	groupTable = "FG_NHG"
)

// readFailover reads FG_NHG and BGP_DEVICE_GLOBAL.
func readFailover(d *device) {
	for _, m := range d.entries(groupTable) {
		at := d.field(m.value, "bucket_size")
		if size, ok := d.whole(at, 1, 1<<16-1, ""); ok {
			d.groups = append(d.groups, tableUse{m.key, int(size), at})
		} else if at == nil && m.value.child("bucket_size") == nil {
			d.add(m.value, "the group has no bucket_size: it must say one, such as \"bucket_size\": \"120\"")
		}
	}
	for _, m := range d.entries(stateTable) {
		if m.key != stateEntry {
			continue
		}
		d.state.weightedAt, d.state.awayAt = d.field(m.value, stateFields[0]), d.field(m.value, stateFields[1])
		d.state.weighted = d.word(d.state.weightedAt, "true", "false") == "true"
		d.state.away = d.word(d.state.awayAt, "true", "false") == "true"
	}
}

// failover is a scenario's failover settings, common to all of its switches.
type failover struct {
	dampening plan.Dampening // the zero value for none
	buckets   int
	weighted  bool
	// drained are the switches that traffic is shifted away from.
	drained []string
	// refused is the reason why the scenario has none of it, "" if it has.
	refused string
}

// mostBuckets is the largest table of a scenario.
const mostBuckets = 4096

// settleFailover finds it for the switches of some configurations. Damping is that of most ports that have any, between
// switches if there are such ports; a table that of most groups.
func settleFailover(devices []*device) *failover {
	f := &failover{}
	var dampenings []plan.Dampening
	var sizes []int
	var weighted []bool
	for _, d := range devices {
		for _, p := range d.ports {
			if use := p.damping; use.Penalty > 0 && !p.leadsToHost() {
				dampenings = append(dampenings, use.Dampening)
			}
		}
		for _, g := range d.groups {
			sizes = append(sizes, min(g.size, mostBuckets))
		}
		weighted = append(weighted, d.state.weighted)
		if d.state.away && !hasHosts(d) {
			f.drained = append(f.drained, d.name)
		}
	}
	f.dampening, f.buckets, f.weighted = mostOf(dampenings), mostOf(sizes), mostOf(weighted)
	return f
}

// leadsToHost reports whether a port of a fabric leads to a host. The hosts of a single configuration stand for unknown
// neighbours.
func (p *port) leadsToHost() bool {
	return p.cable != nil && (p.cable.ends[0].device == nil || p.cable.ends[1].device == nil)
}

// hasHosts reports whether a switch has hosts.
func hasHosts(d *device) bool {
	return slices.ContainsFunc(d.ports, func(p *port) bool { return p.cable == nil || p.leadsToHost() })
}

// isEmpty reports whether the scenario has nothing of it.
func (f *failover) isEmpty() bool {
	return f == nil || f.refused != "" ||
		f.dampening.Penalty == 0 && f.buckets == 0 && !f.weighted && f.drained == nil
}

// refuse leaves all of it out if it makes the scenario invalid, as between the switches of a ring, and reports whether
// it does.
func (f *failover) refuse(wrong error) bool {
	var list document.Errors
	if f.isEmpty() || !errors.As(wrong, &list) {
		return false
	}
	for _, one := range list {
		if strings.Contains(one.Message, "failover") || strings.Contains(one.Message, "drain") {
			f.refused = one.Message
			return true
		}
	}
	return false
}

// write writes failover, and the drains of switches that traffic is shifted away from.
func (f *failover) write(b *strings.Builder) {
	if f.isEmpty() {
		return
	}
	var keys []string
	if f.buckets > 0 {
		keys = append(keys, fmt.Sprintf("buckets: %d", f.buckets))
	}
	if f.weighted {
		keys = append(keys, "weighted: true")
	}
	if d := f.dampening; d.Penalty > 0 {
		text := fmt.Sprintf("dampening: {penalty: %.0f, suppress: %.0f, reuse: %.0f, half_life: %sms", d.Penalty, d.Suppress,
			d.Reuse, milliseconds(d.HalfLife))
		if d.MaxSuppress > 0 {
			text += fmt.Sprintf(", max_suppress: %sms", milliseconds(d.MaxSuppress))
		}
		keys = append(keys, text+"}")
	}
	fmt.Fprintf(b, "failover: {%s}\n", strings.Join(keys, ", "))
	for i, name := range f.drained {
		if i == 0 {
			b.WriteString("faults:                # traffic is shifted away from these\n")
		}
		fmt.Fprintf(b, "  - {kind: drain, switch: %s, from: 0s}\n", quoted(name))
	}
	b.WriteString("\n")
}

// keepFailover keeps the name of the group whose table the scenario has, and which fields of the state the file has.
func (n names) keepFailover(d *device, f *failover) {
	for _, g := range d.groups {
		if min(g.size, mostBuckets) == f.buckets && n[groupTable] == "" {
			n[groupTable] = g.name
		}
	}
	var there []string
	if d.state.weightedAt != nil {
		there = append(there, stateFields[0])
	}
	if d.state.awayAt != nil && d.state.away == slices.Contains(f.drained, d.name) {
		there = append(there, stateFields[1])
	}
	if there != nil {
		n[stateTable] = strings.Join(there, " ")
	}
}

// oneDampening and oneSetting are the reasons why a configuration does not have its own.
const (
	oneDampening = "a scenario has one dampening for all its links: that of most ports between switches"
	oneSetting   = "a scenario has one for all its switches: that of most of them"
)

// judgeFailover reports the outcome for the failover settings.
func judgeFailover(d *device, f *failover) {
	without := 0
	for _, p := range d.ports {
		p.judgeDamping(f)
		if p.damping.Penalty == 0 && p.cable != nil && !p.leadsToHost() {
			without++
		}
	}
	if without > 0 && f.dampening.Penalty > 0 && f.refused == "" {
		d.standIn("PORT", "damping", unit.Count(without, "port")+" between switches: "+oneDampening)
	}
	for _, g := range d.groups {
		switch {
		case f.refused != "":
			g.at.absent(f.refused)
		case g.size != f.buckets:
			g.at.approximated(fmt.Sprint(f.buckets), fmt.Sprintf("a scenario has one table size for all groups, up to %d",
				mostBuckets))
		default:
			g.at.approximated(fmt.Sprint(f.buckets), "every group has the table, not only those of some prefixes")
		}
	}
	s := &d.state
	switch {
	case f.refused != "" && s.weighted:
		s.weightedAt.absent(f.refused)
	case f.refused == "":
		agree(s.weightedAt, s.weighted == f.weighted, fmt.Sprint(f.weighted), oneSetting)
	}
	s.weightedAt.taken("")
	switch {
	case s.away && f.refused != "":
		s.awayAt.absent(f.refused)
	case s.away && !slices.Contains(f.drained, d.name):
		s.awayAt.absent("its links lead to hosts, which have no other way: a scenario has no such drain")
	}
	s.awayAt.taken("")
}

// judgeDamping reports the outcome for the damping of a port.
func (p *port) judgeDamping(f *failover) {
	use := &p.damping
	for _, name := range dampingFields {
		v := use.at.child(name)
		switch {
		case use.Penalty == 0:
			v.absent(use.why)
		case f.refused != "":
			v.absent(f.refused)
		case p.leadsToHost():
			v.absent("a host has no other way: a port that leads to one is used as soon as it is up")
		case use.Dampening == f.dampening:
			v.taken("")
		case f.dampening.Penalty == 0:
			v.absent(oneDampening)
		default:
			v.approximated(f.dampingField(name), oneDampening)
		}
	}
}

// dampingField returns the value of a field of PORT for the dampening of a scenario.
func (f *failover) dampingField(name string) string { return dampingOf(&f.dampening)[name] }
