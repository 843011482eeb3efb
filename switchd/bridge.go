package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Bounds of a bridge.
const (
	// maxStations is the number of stations that a bridge remembers, shared equally among the ports of the tree, so
	// that one liar takes no more than the share of its own port; but each port has minStations. To other stations it
	// floods.
	maxStations = 4096
	minStations = 64
	// stationAge is for how long it remembers one that is silent (IEEE 802.1Q, table 8-7: the ageing time
	// that is recommended).
	stationAge = 300 * unit.Second
	// moveInterval is the least time between two moves of a station from one port to another.
	moveInterval = unit.Second
	// sweepInterval is the least time between two searches of a full table for stations to forget.
	sweepInterval = unit.Second
	// What comes in at a port is flooded at most at 1/floodShare of the port's rate, after a burst of floodBurst.
	floodShare = 100
	floodBurst = 64 * unit.KB
)

// bridge forwards the frames whose address is outside the fabric, as a learning bridge does (IEEE 802.1Q, clause 8): to
// the port behind which the station was heard, else to all ports of the tree. Ports to NICs of rocelab's own are not in
// the tree. It ignores VLAN tags: a station is one address, with any tags.
type bridge struct {
	ports    []bridgePort
	stations map[wire.MAC]station
	quota    uint64    // of stations behind one port
	swept    unit.Time // when the table was last searched for stations to forget
}

// bridgePort is a bridge's record of a port.
type bridgePort struct {
	inTree bool
	// share is the rate at which floods may come in, and free the time at which a link of that rate would have carried
	// all floods so far.
	share unit.BitRate
	free  unit.Time
	count record.Bridge
}

// station is where and when a station was last heard, and when it may be heard at another port.
type station struct {
	port      uint16
	seen, may unit.Time
}

// newBridge returns a bridge without stations, nil if there is no tree.
func newBridge(config *Config) *bridge {
	if config.Tree == nil {
		return nil
	}
	b := &bridge{ports: make([]bridgePort, len(config.Ports)), stations: make(map[wire.MAC]station)}
	inTree := uint64(0)
	for i := range b.ports {
		if config.Tree[i] {
			inTree++
		}
		b.ports[i] = bridgePort{inTree: config.Tree[i], share: max(1, config.Ports[i].Rx.Rate/floodShare)}
	}
	b.quota = max(minStations, maxStations/max(1, inTree))
	return b
}

// learn remembers that the sender of a frame, which is passed on, is behind a port. Groups and the address 0 are never
// senders. If the port has its share of stations the sender is not learned, and stays where it was if it is known
// elsewhere; so does one that has just moved.
func (b *bridge) learn(address wire.MAC, port int, now unit.Time) {
	if isGroup(address) || address == (wire.MAC{}) {
		return
	}
	s, known := b.stations[address]
	if known && int(s.port) == port {
		s.seen = now
		b.stations[address] = s
		return
	}
	count := &b.ports[port].count
	if known && now < s.may {
		count.Held++
		return
	}
	if count.Stations >= b.quota {
		b.sweep(now)
	}
	if count.Stations >= b.quota {
		count.Unlearned++
		return
	}
	if s, known = b.stations[address]; known { // the sweep may have forgotten it
		b.ports[s.port].count.Stations--
		count.Moved++
		s.may = now.Add(moveInterval)
	}
	count.Stations++
	b.stations[address] = station{uint16(port), now, s.may}
}

// sweep forgets the stations that were silent for too long. It searches the whole table, so it is seldom done.
func (b *bridge) sweep(now unit.Time) {
	if b.swept != 0 && now.Sub(b.swept) < sweepInterval {
		return
	}
	b.swept = now
	for address, s := range b.stations {
		if now.Sub(s.seen) > stationAge {
			b.ports[s.port].count.Stations--
			delete(b.stations, address)
		}
	}
}

// find returns the port of a station, -1 for groups and for stations that are unknown.
func (b *bridge) find(address wire.MAC, now unit.Time) int {
	if s, known := b.stations[address]; known && now.Sub(s.seen) <= stationAge {
		return int(s.port)
	}
	return -1
}

// mayFlood reports whether a frame of length bytes that came in at a port is within the port's bound.
func (b *bridge) mayFlood(port int, length unit.Bytes, now unit.Time) bool {
	p := &b.ports[port]
	free := max(p.free, now).Add(p.share.SerialTime(length))
	if free.Sub(now) > p.share.SerialTime(floodBurst) {
		return false
	}
	p.free = free
	return true
}

// isGroup reports whether an address is that of a group, all stations included.
func isGroup(address wire.MAC) bool { return address[0]&1 != 0 }

// isLinkLocal reports whether an address is that of a group that no bridge passes on (IEEE 802.1Q, table 8-1).
func isLinkLocal(a wire.MAC) bool {
	return a[0] == 0x01 && a[1] == 0x80 && a[2] == 0xC2 && a[3] == 0 && a[4] == 0 && a[5] <= 0x0F
}

// bridgeFrame passes on a frame that came in at a port and is for no address of the fabric. Nothing in it
// changes but ECN.
func (s *Switch) bridgeFrame(in *port, frame *wire.Frame, length unit.Bytes) {
	b := s.bridge
	switch {
	case !b.ports[in.index].inTree:
		s.drop(in, fabric.DropNoRoute, frame)
		return
	case isLinkLocal(frame.Dst):
		s.drop(in, fabric.DropLinkLocal, frame)
		return
	}
	switch to := b.find(frame.Dst, s.now); {
	case to == in.index:
		s.drop(in, fabric.DropSamePort, frame)
	case to >= 0:
		b.learn(frame.Src, in.index, s.now)
		s.take(in, &s.ports[to], frame, length)
	case !b.mayFlood(in.index, length, s.now):
		s.drop(in, fabric.DropFlood, frame)
	default:
		b.learn(frame.Src, in.index, s.now)
		s.flood(in, frame, length)
	}
}

// flood sends a frame to all ports of the tree except its ingress. All but the last get copies, which the switch made
// itself.
func (s *Switch) flood(in *port, frame *wire.Frame, length unit.Bytes) {
	last := -1
	for i := range s.ports {
		if i == in.index || !s.bridge.ports[i].inTree {
			continue
		}
		if last >= 0 {
			s.takeCopy(in, &s.ports[last], frame, length)
		}
		last = i
	}
	if last < 0 {
		s.drop(in, fabric.DropSamePort, frame)
		return
	}
	s.take(in, &s.ports[last], frame, length)
}

// takeCopy takes a copy of a frame into the buffer for a port.
func (s *Switch) takeCopy(in, out *port, frame *wire.Frame, length unit.Bytes) {
	out.rec.SourcedFrames++
	out.rec.SourcedBytes += uint64(length)
	s.take(in, out, s.out.Copy(frame), length)
}
