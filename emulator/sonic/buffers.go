package sonic

import (
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// pool is an entry of BUFFER_POOL.
type pool struct {
	ingress, static bool
	// size and xoff, the shared headroom, are 0 if they are not set.
	size, xoff unit.Bytes
}

// readPools reads BUFFER_POOL.
func (d *device) readPools() map[string]*pool {
	pools := map[string]*pool{}
	for _, m := range d.entries("BUFFER_POOL") {
		one := &pool{
			ingress: d.word(d.field(m.value, "type"), "ingress", "egress", "both") != "egress",
			static:  d.word(d.field(m.value, "mode"), "dynamic", "static") == "static",
		}
		if size, ok := d.whole(d.field(m.value, "size"), 1, maxBytes/2, "bytes"); ok {
			one.size = unit.Bytes(size)
		}
		xoff, _ := d.whole(d.field(m.value, "xoff"), 0, maxBytes/2, "bytes")
		one.xoff = unit.Bytes(xoff)
		d.whole(d.field(m.value, "percentage"), 0, 100, "percent")
		pools[m.key] = one
	}
	return pools
}

// buffer is the content of a buffer profile for a lossless priority group.
type buffer struct {
	pool string
	// alpha is 0 if the profile has none; static is its threshold in bytes, 0 for none.
	alpha  float64
	static unit.Bytes
	// reserve, xoff and resume are the guarantee, the headroom and the offset of XON; -1 where the profile
	// does not say them.
	reserve, xoff, resume unit.Bytes
	// counted is set if the size of the profile includes the headroom.
	counted bool
}

// readProfiles reads BUFFER_PROFILE.
func (d *device) readProfiles() map[string]*buffer {
	profiles := map[string]*buffer{}
	for _, m := range d.entries("BUFFER_PROFILE") {
		one := &buffer{pool: d.reference(d.field(m.value, "pool"), "BUFFER_POOL")}
		power, dynamic := d.whole(d.field(m.value, "dynamic_th"), -maxPower, maxPower, "")
		if dynamic {
			one.alpha = min(math.Exp2(float64(power)), profile.MaxAlpha)
		}
		static, _ := d.whole(d.field(m.value, "static_th"), 0, maxBytes, "bytes")
		one.static = unit.Bytes(static)
		one.reserve = d.optional(m.value, "size")
		one.xoff = d.optional(m.value, "xoff")
		one.resume = d.optional(m.value, "xon_offset")
		xon := d.optional(m.value, "xon")
		if xon > 0 && one.xoff > 0 && one.reserve >= xon+one.xoff { // as Spectrum has it
			one.counted = true
			one.reserve -= one.xoff
		}
		profiles[m.key] = one
	}
	return profiles
}

// maxGuarantee bounds what one priority group is guaranteed.
const maxGuarantee = 1 << 30

// optional reads a size that need not be there: -1 if it is missing.
func (d *device) optional(entry *value, field string) unit.Bytes {
	if size, ok := d.whole(d.field(entry, field), 0, maxGuarantee, "bytes"); ok {
		return unit.Bytes(size)
	}
	return -1
}

// readGroups reads BUFFER_PG: which profile each priority group of a port has.
func (d *device) readGroups() {
	for _, m := range d.entries("BUFFER_PG") {
		ports, rest := d.portsOf(m.value)
		if !d.mine(m.value, ports) {
			continue
		}
		from, to, ok := d.span(m.value, rest)
		if !ok {
			continue
		}
		v := d.field(m.value, "profile")
		if v == nil {
			continue
		}
		if v.Text == "NULL" || v.Text == "null" {
			v.absent("the switch makes the profile from speed and cable; rocelab takes its own defaults")
			continue
		}
		name := d.reference(v, "BUFFER_PROFILE")
		for _, p := range ports {
			for g := from; g <= min(to, profile.Classes-1) && name != ""; g++ {
				p.groups[g] = use{name, v}
			}
		}
	}
	d.checkQueueBuffers()
}

// checkQueueBuffers looks at BUFFER_QUEUE, which has no counterpart and may be wrong all the same.
func (d *device) checkQueueBuffers() {
	for _, m := range d.entries("BUFFER_QUEUE") {
		ports, rest := d.portsOf(m.value)
		if len(ports) == 0 {
			continue
		}
		d.span(m.value, rest)
		if v := d.field(m.value, "profile"); v != nil && v.Text != "NULL" && v.Text != "null" {
			d.reference(v, "BUFFER_PROFILE")
		}
	}
}
