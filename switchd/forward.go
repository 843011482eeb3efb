package switchd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flowlets is the size of the flowlet table. Flows whose hashes meet in one
// entry share their flowlets, as in LetFlow's hardware: an entry changes its
// hop only after both were idle.
const flowlets = 1 << 12

// forwarding chooses the next hop of each frame.
type forwarding struct {
	mode    profile.Forwarding
	id      uint32
	firstIP uint32
	// routes gives the set of each station, sets the beginning of the set in hops: all sets of a switch side by side,
	// in a few cache lines.
	routes []uint16
	// loopbacks gives the set of each switch, by number; their addresses begin at
	// firstLoopback.
	firstLoopback uint32
	loopbacks     []uint16
	sets          []hopSet
	hops          []uint16
	gap           unit.Duration
	// stream draws for Spray ("<name>/spray") and Flowlet ("<name>/flowlet").
	stream *chance.Stream
	// turns is the round robin of each set of next hops.
	turns []uint32
	table []flowlet
	// ports are the switch's, whose queues LeastQueue compares.
	ports []port
	// owned is set if routes is the switch's own copy, no longer the configuration's.
	owned bool
}

// hopSet is count ports from hops[first] on.
type hopSet struct{ first, count uint32 }

// flowlet is an entry of the flowlet table.
type flowlet struct {
	// last is the time of the last frame that used the entry; draw chose the hop.
	last unit.Time
	draw uint32
	used bool
}

func newForwarding(config *Config, ports []port) forwarding {
	fw := forwarding{
		mode:          config.Profile.Forwarding,
		id:            config.ID,
		firstIP:       config.FirstIP,
		routes:        config.Routes,
		gap:           config.Profile.FlowletGap,
		firstLoopback: config.FirstLoopback,
		loopbacks:     config.Loopbacks,
		ports:         ports,
	}
	for _, set := range config.NextHops {
		fw.sets = append(fw.sets, hopSet{uint32(len(fw.hops)), uint32(len(set))})
		fw.hops = append(fw.hops, set...)
	}
	switch fw.mode {
	case profile.Spray:
		fw.stream = chance.New(config.Seed, config.Name+"/spray")
	case profile.Flowlet:
		fw.stream = chance.New(config.Seed, config.Name+"/flowlet")
		fw.table = make([]flowlet, flowlets)
	case profile.RoundRobin:
		fw.turns = make([]uint32, len(config.NextHops))
	}
	return fw
}

// covers reports whether a frame is for an address of the fabric: a station's or a switch's.
func (fw *forwarding) covers(frame *wire.Frame) bool {
	return frame.EtherType == wire.EtherTypeIPv4 && (frame.DstIP-fw.firstIP < uint32(len(fw.routes)) ||
		frame.DstIP-fw.firstLoopback < uint32(len(fw.loopbacks)))
}

// next returns the port through which a frame goes on, or -1 if there is no route.
func (fw *forwarding) next(frame *wire.Frame, now unit.Time) int {
	nic := frame.DstIP - fw.firstIP
	if frame.EtherType != wire.EtherTypeIPv4 {
		return -1
	}
	var route uint16
	if nic < uint32(len(fw.routes)) {
		route = fw.routes[nic]
	} else if sw := frame.DstIP - fw.firstLoopback; sw < uint32(len(fw.loopbacks)) {
		route = fw.loopbacks[sw]
	} else {
		return -1
	}
	set := &fw.sets[route]
	switch set.count {
	case 0:
		return -1
	case 1:
		return int(fw.hops[set.first])
	}
	hops := fw.hops[set.first : set.first+set.count]
	return int(hops[fw.choose(frame, route, hops, now)])
}

// choose returns which of several next hops a frame takes.
func (fw *forwarding) choose(frame *wire.Frame, route uint16, set []uint16, now unit.Time) uint32 {
	n := uint32(len(set))
	switch fw.mode {
	case profile.Flowlet:
		return fw.flowletDraw(flowHash(frame, fw.id), now) % n
	case profile.Spray:
		return uint32(fw.stream.Below(uint64(n)))
	case profile.RoundRobin:
		turn := fw.turns[route]
		fw.turns[route] = (turn + 1) % n
		return turn
	case profile.LeastQueue:
		return leastQueue(fw.ports, set, now)
	}
	return flowHash(frame, fw.id) % n
}

// flowletDraw returns the draw of the flow's present flowlet, a new one after
// more than gap without a frame.
func (fw *forwarding) flowletDraw(hash uint32, now unit.Time) uint32 {
	e := &fw.table[hash%flowlets]
	if !e.used || now.Sub(e.last) > fw.gap {
		e.used, e.draw = true, uint32(fw.stream.Uint64()>>32)
	}
	e.last = now
	return e.draw
}

// leastQueue returns the place in set of the port with the fewest bytes queued; among equal
// ones that which is free first, then the first of the set. A port whose link is down is taken only if all are.
func leastQueue(ports []port, set []uint16, now unit.Time) uint32 {
	best, least, free := 0, never, unit.Never
	for i, pi := range set {
		p := &ports[pi]
		queued := p.length()
		if p.down {
			queued = never
		}
		if until := max(p.busyUntil, now); queued < least || queued == least && until < free {
			best, least, free = i, queued, until
		}
	}
	return uint32(best)
}

// flowHash returns the hash by which the switch with an ID chooses among next hops. With one seed everywhere, every
// stage would choose alike (polarisation).
func flowHash(frame *wire.Frame, id uint32) uint32 { return wire.FlowHash(frame, id) }

// Onward returns the ports through which the switch with a number sends a flow's frames on, among the ports on shortest
// paths: the one that ECMP chooses for the frame, or all of them if the switch spreads the frames of a flow.
func Onward(id uint32, mode profile.Forwarding, set []uint16, frame *wire.Frame) []uint16 {
	if mode != profile.ECMP || len(set) < 2 {
		return set
	}
	chosen := flowHash(frame, id) % uint32(len(set))
	return set[chosen : chosen+1]
}
