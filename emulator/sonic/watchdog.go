package sonic

import "github.com/rocelab/rocelab/plugins/cc/unit"

// watchdogUse is the configuration of PFC_WD for a port.
type watchdogUse struct {
	on              bool
	drop            bool
	detect, restore unit.Duration
	at              *value
}

// readWatchdogs reads PFC_WD.
func (d *device) readWatchdogs() {
	for _, m := range d.entries("PFC_WD") {
		if m.key == "GLOBAL" {
			d.whole(d.field(m.value, "POLL_INTERVAL"), 1, 1e6, "ms")
			continue
		}
		ports, _ := d.portsOf(m.value)
		if !d.mine(m.value, ports) {
			continue
		}
		action := d.word(d.field(m.value, "action"), "drop", "forward", "alert")
		one := watchdogUse{on: action != "alert", drop: action != "forward", at: m.value}
		detect, ok := d.whole(d.field(m.value, "detection_time"), 1, 100_000, "ms")
		if !ok && d.field(m.value, "detection_time") == nil {
			d.add(m.value, "the watchdog has no detection_time: it must say one in ms, such as \"detection_time\": \"200\"")
		}
		restore, ok := d.whole(d.field(m.value, "restoration_time"), 0, 100_000, "ms")
		if !ok || restore == 0 {
			restore = detect
		}
		one.detect = unit.Duration(detect) * unit.Millisecond
		one.restore = unit.Duration(restore) * unit.Millisecond
		for _, p := range ports {
			p.watchdog = one
		}
	}
}
