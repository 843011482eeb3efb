package sonic

import (
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// tables is the content of a configuration, by name.
type tables struct {
	wred       map[string]*wred
	schedulers map[string]schedule
	pools      map[string]*pool
	buffers    map[string]*buffer
	// maps are the maps of mapTables, by field.
	maps map[string]map[string]*numberMap
}

// settings are the settings of the one switch of a scenario. If its ports differ, they are the settings of most of
// them, and writePorts writes the settings of the others, as far as a port may have its own.
type settings struct {
	// maps are the names of the maps, by field; "" for none. They are none together in a file without
	// PORT_QOS_MAP.
	maps    map[string]string
	classOf [profile.MaxDSCP + 1]int
	queueOf [profile.Classes]int
	// groupOf is the priority group of each class.
	groupOf  [profile.Classes]int
	qos      bool
	lossless [profile.Classes]bool

	// wred and schedules are by queue.
	wred      [profile.Classes]wred
	schedules [profile.Classes]schedule

	// pool is the pool of the lossless priority groups, shared is its size and apart its shared headroom; the others
	// are the settings of each group. A headroom of 0 follows from the link.
	pool                      string
	shared, apart             unit.Bytes
	alpha                     float64
	reserve, headroom, resume unit.Bytes

	watchdog watchdogUse
	// chip is the profile that the switch has; "" for none. failover is the scenario's, nil for none.
	chip     string
	failover *failover
}

// settle finds the settings.
func (d *device) settle(t *tables) *settings {
	s := &settings{maps: map[string]string{}}
	s.qos = d.root.child("PORT_QOS_MAP") != nil
	for _, table := range mapTables {
		s.maps[table.field] = most(d.ports, func(p *port) string { return p.maps[table.field].name })
	}
	if !s.qos { // as in every scenario
		s.classOf[26], s.classOf[48], s.classOf[56], s.lossless[3] = 3, 6, 7, true
		d.standIn("PORT_QOS_MAP", "DSCP 26 is class 3, which is lossless", "the file has no maps of ports")
	}
	chosen := func(field string) *numberMap { return t.maps[field][s.maps[field]] }
	for dscp := range s.classOf {
		s.classOf[dscp] = chosen("dscp_to_tc_map").get(dscp, s.classOf[dscp])
	}
	for class := range profile.Classes {
		s.queueOf[class] = chosen("tc_to_queue_map").get(class, class)
		if s.queueOf[class] >= profile.Classes {
			s.queueOf[class] = class
		}
		s.groupOf[class] = chosen("tc_to_pg_map").get(class, class)
	}
	if s.qos {
		s.lossless = most(d.ports, func(p *port) [profile.Classes]bool { return p.pfc.in })
	}
	for q := range profile.Classes {
		s.wred[q] = most(d.ports, func(p *port) wred { return p.wredOf(t, q) })
		s.schedules[q] = most(d.ports, func(p *port) schedule { return p.scheduleOf(t, q) })
	}
	s.watchdog = most(d.ports, func(p *port) watchdogUse { return p.watchdog.values() })
	return s
}

// wredOf returns the marking of a queue of the port; the zero value if nothing marks it.
func (p *port) wredOf(t *tables, q int) wred {
	if one := t.wred[p.queues[q].wred.name]; one != nil && one.marks {
		return *one
	}
	return wred{}
}

// scheduleOf returns the scheduling of a queue of the port.
func (p *port) scheduleOf(t *tables, q int) schedule {
	if one, ok := t.schedulers[p.queues[q].scheduler.name]; ok {
		return one
	}
	return schedule{weight: 1}
}

// values returns the settings of a watchdog, regardless of their place; the zero value for one that does not act.
func (w watchdogUse) values() watchdogUse {
	if !w.on {
		return watchdogUse{}
	}
	w.at = nil
	return w
}

// settleBuffers finds what lossless priority groups have; what the file does not say is as in every scenario.
func (d *device) settleBuffers(t *tables, s *settings) {
	usual := profile.DefaultSwitch()
	var alphas []float64
	var reserves, resumes, headrooms []unit.Bytes
	var pools []string
	silent := map[*port]bool{}
	for _, p := range d.ports {
		if p.settle(t, s) {
			alphas, headrooms = append(alphas, p.alpha), append(headrooms, p.set)
		} else {
			silent[p] = true
		}
		for class, lossless := range s.lossless {
			b := t.buffers[p.groups[s.groupOf[class]].name]
			if !lossless || b == nil {
				continue
			}
			reserves, resumes = append(reserves, given(b.reserve, usual.Reserve)),
				append(resumes, given(b.resume, usual.ResumeOffset))
			pools = append(pools, b.pool)
		}
	}
	s.alpha, s.reserve, s.resume = usual.Alpha, usual.Reserve, usual.ResumeOffset
	if pools != nil {
		s.alpha, s.reserve, s.resume = mostOf(alphas), mostOf(reserves), mostOf(resumes)
		s.headroom = mostOf(headrooms)
	}
	for p := range silent {
		p.alpha, p.set = s.alpha, s.headroom
	}
	s.pool = mostOf(pools)
	if _, there := t.pools[ingressPoolName]; s.pool == "" && there {
		s.pool = ingressPoolName
	}
	if p := t.pools[s.pool]; p != nil {
		s.shared, s.apart = p.size, p.xoff
	}
	if s.shared == 0 {
		s.shared = usual.Buffer
		d.standIn("BUFFER_POOL", usual.Buffer.String(), "the file has no size of the lossless pool")
	}
	if pools == nil && s.classes() > 0 {
		d.standIn("BUFFER_PG", guaranteeOf(s.alpha, s.headroom), "the file has no buffer profile of lossless classes")
	}
}

// given returns a size of a profile, or the usual one if it is not set.
func given(size, usual unit.Bytes) unit.Bytes {
	if size < 0 {
		return usual
	}
	return size
}

// alphaIn is the alpha of a profile. A static threshold is the share of its pool that it is, as a power of
// two; without either it is the usual one.
func (b *buffer) alphaIn(pools map[string]*pool) float64 {
	if p := pools[b.pool]; b.alpha == 0 && b.static > 0 && p != nil && p.size > 0 {
		power := math.Round(math.Log2(float64(b.static) / float64(p.size)))
		return min(math.Exp2(max(power, -maxPower)), profile.MaxAlpha)
	}
	if b.alpha == 0 {
		return profile.DefaultSwitch().Alpha
	}
	return b.alpha
}

// most returns what most ports have; of several the one that comes first.
func most[T comparable](ports []*port, of func(*port) T) T {
	list := make([]T, len(ports))
	for i, p := range ports {
		list[i] = of(p)
	}
	return mostOf(list)
}

// mostOf returns the value that a list has most often; of several the one that comes first, of none the zero
// value.
func mostOf[T comparable](list []T) (best T) {
	count := map[T]int{}
	for _, v := range list {
		count[v]++
	}
	for _, v := range list {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}

// control are the classes that bypass the buffer, as in every scenario: 6 and 7, as far as they are not
// lossless and share their queue with no other.
func (s *settings) control() (in [profile.Classes]bool) {
	in[6], in[7] = !s.lossless[6], !s.lossless[7]
	for range 2 {
		for class := range profile.Classes {
			for other := range profile.Classes {
				if in[class] && !in[other] && s.queueOf[class] == s.queueOf[other] {
					in[class] = false
				}
			}
		}
	}
	return in
}
