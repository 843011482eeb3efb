package sonic

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// maxBytes bounds sizes of memory, as scenarios do.
const maxBytes = 100e9

// wred is a WRED profile's treatment of green packets.
type wred struct {
	marks      bool
	kmin, kmax unit.Bytes
	percent    int
}

// wredFields are its fields; the fields of the other colours are the same with their names.
var wredFields = []string{"min_threshold", "max_threshold", "drop_probability"}

// readWRED reads WRED_PROFILE.
func (d *device) readWRED() map[string]*wred {
	profiles := map[string]*wred{}
	for _, m := range d.entries("WRED_PROFILE") {
		ecn := d.word(d.field(m.value, "ecn"), "ecn_none", "ecn_green", "ecn_yellow", "ecn_red", "ecn_green_yellow",
			"ecn_green_red", "ecn_yellow_red", "ecn_all")
		one := &wred{percent: 100} // SAI's default
		for _, colour := range colours {
			enable := d.word(d.field(m.value, "wred_"+colour+"_enable"), "true", "false")
			least, most := d.field(m.value, colour+"_min_threshold"), d.field(m.value, colour+"_max_threshold")
			kmin, hasMin := d.whole(least, 0, maxBytes, "bytes")
			kmax, hasMax := d.whole(most, 0, maxBytes, "bytes")
			percent, hasPercent := d.whole(d.field(m.value, colour+"_drop_probability"), 0, 100, "percent")
			if hasMin && hasMax && !profile.Ordered(unit.Bytes(kmin), unit.Bytes(kmax)) {
				d.add(least, "%d is above %s_max_threshold of %d: allowed is min <= max", kmin, colour, kmax)
			}
			if colour != "green" {
				continue
			}
			one.kmin, one.kmax = unit.Bytes(kmin), unit.Bytes(kmax)
			if hasPercent {
				one.percent = int(percent)
			}
			one.marks = enable == "true" && hasMin && hasMax &&
				(ecn == "ecn_all" || ecn == "ecn_green" || ecn == "ecn_green_yellow" || ecn == "ecn_green_red")
		}
		profiles[m.key] = one
	}
	return profiles
}

// schedule is a scheduler's treatment of a queue.
type schedule struct {
	strict bool
	weight int
}

// readSchedulers reads SCHEDULER.
func (d *device) readSchedulers() map[string]schedule {
	list := map[string]schedule{}
	for _, m := range d.entries("SCHEDULER") {
		one := schedule{weight: 1}
		one.strict = d.word(d.field(m.value, "type"), "DWRR", "WRR", "STRICT") == "STRICT"
		weight, given := d.whole(d.field(m.value, "weight"), 1, 100, "")
		if given && !one.strict {
			one.weight = int(weight)
		}
		list[m.key] = one
	}
	return list
}

// readQueues reads QUEUE: which profile and which scheduler each queue of a port has.
func (d *device) readQueues() {
	for _, m := range d.entries("QUEUE") {
		ports, rest := d.portsOf(m.value)
		if !d.mine(m.value, ports) {
			continue
		}
		from, to, ok := d.span(m.value, rest)
		if !ok {
			continue
		}
		marking, scheduler := d.field(m.value, "wred_profile"), d.field(m.value, "scheduler")
		wredName, schedulerName := d.reference(marking, "WRED_PROFILE"), d.reference(scheduler, "SCHEDULER")
		for _, p := range ports {
			for q := from; q <= min(to, profile.Classes-1); q++ {
				if wredName != "" {
					p.queues[q].wred = use{wredName, marking}
				}
				if schedulerName != "" {
					p.queues[q].scheduler = use{schedulerName, scheduler}
				}
			}
		}
		switch note := fmt.Sprintf("a port has %d queues", profile.Classes); {
		case from >= profile.Classes:
			absentAll(m.value, note)
		case to >= profile.Classes:
			is := fmt.Sprintf("queues %d to %d", from, profile.Classes-1)
			marking.approximated(is, note)
			scheduler.approximated(is, note)
		}
	}
}

// mine reports whether an entry by port belongs to ports that take part. An entry for the CPU, or for a port that is
// down, is reported as without counterpart.
func (d *device) mine(entry *value, ports []*port) bool {
	if len(ports) == 0 {
		absentAll(entry, "no port of the scenario")
	}
	return len(ports) > 0
}
