package sonic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// judge reports the outcome for every key that is read.
func (d *device) judge(t *tables, s *settings) {
	d.judgeMaps(t, s)
	d.judgeQueues(t, s)
	d.judgeWRED(s, t)
	d.judgeSchedulers(t)
	d.judgeBuffers(t, s)
	d.judgeWatchdogs()
}

// agree reports a value that several ports share as taken, if all of them have the chosen setting, and otherwise
// reports its substitute.
func agree(v *value, fits bool, is, note string) {
	if !fits {
		v.approximated(is, note)
	}
}

const differs = "a switch of a scenario has one value for all its ports: that of most of them"

func (d *device) judgeMaps(t *tables, s *settings) {
	for _, table := range mapTables {
		chosen := s.maps[table.field]
		for _, p := range d.ports {
			agree(p.maps[table.field].at, p.maps[table.field].name == chosen, chosen, differs)
		}
		for _, p := range d.ports {
			p.maps[table.field].at.taken("")
		}
		for name, one := range t.maps[table.field] {
			for key, at := range one.at {
				switch {
				case at == nil:
				case name != chosen || !s.qos:
					at.absent("no port uses the map, or few do")
				default:
					s.judgePair(table.field, key, one.of[key], at)
				}
			}
		}
	}
	for _, p := range d.ports {
		agree(p.pfc.at, p.pfc.in == s.lossless, classText(s.lossless), differs)
		agree(p.watched.at, p.watched.in == s.lossless || !p.watchdog.on, classText(s.lossless),
			"a watchdog guards every lossless class")
	}
	for _, p := range d.ports {
		p.pfc.at.taken("")
		if p.watchdog.on {
			p.watched.at.taken("")
		} else {
			p.watched.at.absent("PFC_WD has no watchdog for the port that acts")
		}
	}
}

// judgePair reports the outcome for one pair of a map that is used.
func (s *settings) judgePair(field string, key, to int, at *value) {
	switch field {
	case "dscp_to_tc_map":
		at.taken("")
	case "tc_to_queue_map":
		agree(at, s.queueOf[key] == to, strconv.Itoa(s.queueOf[key]), "a port has 8 queues")
	case "tc_to_pg_map":
		agree(at, s.lossless[key] && to == key, "its own", "incoming frames are counted for each class separately")
	case "pfc_to_queue_map":
		agree(at, s.queueOf[key] == to, strconv.Itoa(s.queueOf[key]), "a pause stops the queue of its class")
	case "pfc_to_pg_map":
		agree(at, s.lossless[key] && to == key, "its own", "a pause is for the class that was counted")
	}
	at.taken("")
}

func (d *device) judgeQueues(t *tables, s *settings) {
	inUse := [profile.Classes]bool{}
	for _, q := range s.queueOf {
		inUse[q] = true
	}
	for _, p := range d.ports {
		for q := range profile.Classes {
			if !inUse[q] {
				p.queues[q].wred.at.absent(fmt.Sprintf("no traffic class uses queue %d", q))
			}
		}
	}
	for _, p := range d.ports {
		for q := range profile.Classes {
			if p.wredOf(t, q).marks {
				p.queues[q].wred.at.taken("")
			} else {
				p.queues[q].wred.at.absent("the profile marks nothing that is green")
			}
			p.queues[q].scheduler.at.taken("")
		}
	}
}

// judgeWRED reports for each profile whether a queue has it.
func (d *device) judgeWRED(s *settings, t *tables) {
	used := map[string]bool{}
	for _, p := range d.ports {
		for q := range profile.Classes {
			if slices.Contains(s.queueOf[:], q) {
				used[p.queues[q].wred.name] = true
			}
		}
	}
	for _, m := range d.entries("WRED_PROFILE") {
		switch one := t.wred[m.key]; {
		case !used[m.key]:
			absentAll(m.value, noQueueUses)
		case !one.marks:
			absentAll(m.value, "it marks nothing that is green; WRED of rocelab marks, and does not drop")
		default:
			judgeProfile(m.value, one)
		}
	}
}

// judgeProfile reports the outcome for the fields of a profile that marks.
func judgeProfile(entry *value, one *wred) {
	ecn := entry.child("ecn")
	agree(ecn, ecn.Text == "ecn_all", "ecn_all", "every packet is green")
	ecn.taken("")
	for _, colour := range colours {
		enable := entry.child("wred_" + colour + "_enable")
		enable.judgeColour(colour, enable.is("true"))
		for i, of := range []int64{int64(one.kmin), int64(one.kmax), int64(one.percent)} {
			v := entry.child(colour + "_" + wredFields[i])
			v.judgeColour(colour, v.is(strconv.FormatInt(of, 10)))
		}
	}
}

// portNames names ports, the first few of many.
func portNames(ports []*port) string {
	const few = 8
	var names []string
	for _, p := range ports {
		names = append(names, p.name)
	}
	if more := len(names) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), more)
	}
	return strings.Join(names, ", ")
}

// is reports whether a value is there and has a text.
func (v *value) is(text string) bool { return v != nil && strings.EqualFold(v.Text, text) }

// judgeColour reports a field of a colour as taken if it equals the one of green packets.
func (v *value) judgeColour(colour string, same bool) {
	if colour == "green" || same {
		v.taken("")
	}
	v.absent("every packet is green")
}

func (d *device) judgeSchedulers(t *tables) {
	used := map[string]bool{}
	for _, p := range d.ports {
		for q := range profile.Classes {
			used[p.queues[q].scheduler.name] = true
		}
	}
	for _, m := range d.entries("SCHEDULER") {
		if !used[m.key] {
			absentAll(m.value, "no queue uses the scheduler")
			continue
		}
		kind := m.value.child("type")
		agree(kind, !kind.is("WRR"), "DWRR", "round robin counts bytes")
		kind.taken("")
		if t.schedulers[m.key].strict {
			m.value.child("weight").absent("a strict queue has no weight")
		}
		m.value.child("weight").taken("")
	}
}

func (d *device) judgeWatchdogs() {
	for _, p := range d.ports {
		entry := p.watchdog.at
		if entry == nil {
			continue
		}
		for field, of := range map[string]string{
			"action":           actionOf(p.watchdog.drop),
			"detection_time":   milliseconds(p.watchdog.detect),
			"restoration_time": milliseconds(p.watchdog.restore),
		} {
			v, note := entry.child(field), differs
			switch {
			case !p.watchdog.on:
				of, note = "no watchdog", "one of rocelab acts"
			case v.is("0"):
				note = "a queue becomes normal again when the storm is over"
			}
			agree(v, v.is(of), of, note)
			v.taken("")
		}
	}
}

func milliseconds(of unit.Duration) string { return strconv.FormatInt(int64(of/unit.Millisecond), 10) }
