package switchd

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Config is all that a Switch is made from.
type Config struct {
	// ID seeds the ECMP hash, so that switches of different stages hash
	// differently, and numbers the switch's MAC addresses. Unique in a fabric.
	ID uint32
	// Name names the switch's streams of chance. Unique in a fabric.
	Name string
	// Seed is the run's seed.
	Seed    uint64
	Profile profile.Switch
	// Ports are the links at the ports, in their order. Range: 1 to
	// event.MaxPorts.
	Ports []fabric.Attachment
	// Routes gives, for each station by number, NICs before edges, an index into NextHops; NextHops are sets of ports.
	// An empty set means that there is no route.
	Routes   []uint16
	NextHops [][]uint16
	// Epochs are the changes of Routes in the run, in their order.
	Epochs []fabric.Epoch `json:",omitempty"`
	// Reboots are the spans during which the switch reboots. All of its links have outages then.
	Reboots []fabric.Outage `json:",omitempty"`
	// Faults are the other faults of the switch.
	Faults []fault.Planned `json:",omitempty"`
	// FirstIP is the IPv4 address of station 0; station i has FirstIP + i.
	FirstIP uint32
	// FirstLoopback is the address of switch 0; switch i has FirstLoopback + i. Loopbacks gives, for each switch by
	// number, the set in NextHops towards it; nil if nothing is sent to switches.
	FirstLoopback uint32
	Loopbacks     []uint16
	// Tree marks each port that belongs to the spanning tree along which the switch bridges frames for other addresses.
	// nil if there are none: then such a frame has no route.
	Tree []bool
	// Wire is set if the switch has two ports and passes every frame from one to the other, link-local groups too:
	// nothing in a frame changes except ECN.
	Wire bool
	// Proximity is the input of proximal CNP. It is required if Profile.Proximal is enabled.
	Proximity *Proximity
	// MaxFrame is the largest frame on the fabric, in bytes on the wire, from which headroom is computed. Range: above
	// 0 if a class is lossless and Profile.Headroom is 0.
	MaxFrame unit.Bytes
	// Recording selects the records kept over time.
	Recording Recording
}

// check joins every problem of c.
func (c *Config) check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if n := len(c.Ports); n < 1 || n > event.MaxPorts {
		bad("%d ports: allowed are 1 to %d", n, event.MaxPorts)
	}
	for i := range c.Ports {
		a := &c.Ports[i]
		if a.Tx.Rate <= 0 || a.Rx.Rate <= 0 {
			bad("port %d: rate %v / %v: must be above 0", i, a.Tx.Rate, a.Rx.Rate)
		}
		for _, err := range []error{fabric.CheckSlow(a.Tx.Rate, a.TxSlow), fabric.CheckSlow(a.Rx.Rate, a.RxSlow)} {
			if err != nil {
				bad("port %d: %w", i, err)
			}
		}
		if a.Tx.Latency < 0 || a.Rx.Latency < 0 {
			bad("port %d: latency %v / %v: must not be negative", i, a.Tx.Latency, a.Rx.Latency)
		}
		if !(a.Loss >= 0 && a.Loss <= 1) {
			bad("port %d: loss %v: allowed is 0 to 1", i, a.Loss)
		}
		if !(a.BER >= 0 && a.BER <= 1) {
			bad("port %d: bit error ratio %v: allowed is 0 to 1", i, a.BER)
		}
		if a.DCI && a.Rx.Rate > 0 && a.Tx.Rate > 0 {
			errs = append(errs, c.checkDCI(i)...)
		}
	}
	for i, set := range c.NextHops {
		for _, p := range set {
			if int(p) >= len(c.Ports) {
				bad("next hops %d: port %d: the switch has ports 0 to %d", i, p, len(c.Ports)-1)
			}
		}
	}
	for sw, r := range c.Loopbacks {
		if int(r) >= len(c.NextHops) {
			bad("route to switch %d: next hops %d: there are %d sets", sw, r, len(c.NextHops))
		}
	}
	for nic, r := range c.Routes {
		if int(r) >= len(c.NextHops) {
			bad("route to NIC %d: next hops %d: there are %d sets", nic, r, len(c.NextHops))
		}
	}
	errs = append(errs, checkEpochs(c)...)
	errs = append(errs, checkReboots(c)...)
	if c.Wire && len(c.Ports) != 2 {
		bad("a wire of %d ports: it has two", len(c.Ports))
	}
	if c.Tree != nil && len(c.Tree) != len(c.Ports) {
		bad("tree of %d ports: the switch has %d", len(c.Tree), len(c.Ports))
	}
	if r := &c.Recording; r.Grid.Width < 0 || r.Grid.Most < 0 || r.Tiers != nil && len(r.Tiers) != len(c.Ports) {
		bad("recording: width %v, at most %d bins, tiers of %d ports: must not be negative, and of all %d ports",
			r.Grid.Width, r.Grid.Most, len(r.Tiers), len(c.Ports))
	}
	if c.MaxFrame <= 0 && c.Profile.Headroom == 0 && lossless(&c.Profile) != 0 {
		bad("largest frame %v: must be above 0 to compute headroom", c.MaxFrame)
	}
	if c.Profile.Proximal.Enabled && !c.Proximity.fits(c) {
		bad("proximal CNP: it needs the proximal device of each of %d NICs, the kind of each of %d ports "+
			"and the loop to each of %d switches", len(c.Routes), len(c.Ports), len(c.Loopbacks))
	}
	errs = append(errs, checkProfile(&c.Profile)...)
	for i := range c.Profile.Own {
		port := c.Profile.Own[i].Number
		if port < 0 || port >= len(c.Ports) || i > 0 && port <= c.Profile.Own[i-1].Number {
			bad("settings of port %d: the switch has ports 0 to %d, and each may have settings once, in order",
				port, len(c.Ports)-1)
			continue
		}
		for _, err := range checkProfile(c.Profile.OfPort(port)) {
			bad("port %d: %w", port, err)
		}
	}
	return errors.Join(errs...)
}

func checkProfile(prof *profile.Switch) []error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if prof.Buffer <= 0 {
		bad("buffer %v: must be above 0", prof.Buffer)
	}
	if !(prof.Alpha > 0 && prof.Alpha <= profile.MaxAlpha) {
		bad("alpha %v: allowed is above 0, up to %d", prof.Alpha, profile.MaxAlpha)
	}
	if prof.AlphaRate < 0 || prof.Reserve < 0 || prof.Headroom < 0 || prof.ResumeOffset < 0 {
		bad("alpha rate %v, reserve %v, headroom %v, resume offset %v: none may be negative",
			prof.AlphaRate, prof.Reserve, prof.Headroom, prof.ResumeOffset)
	}
	if prof.PFC.Enabled && prof.PFC.Quanta == 0 {
		bad("PFC quanta 0: allowed are 1 to 65535")
	}
	if prof.PFC.Enabled && !(prof.PFC.Refresh > 0 && prof.PFC.Refresh < 1) {
		bad("PFC refresh %v: allowed is between 0 and 1", prof.PFC.Refresh)
	}
	if w := &prof.Watchdog; w.Enabled && (w.Detect <= 0 || w.Restore <= 0) {
		bad("watchdog detect %v, restore %v: must be above 0", w.Detect, w.Restore)
	}
	if int(prof.Forwarding) >= len(profile.ForwardingNames) {
		bad("forwarding %d: allowed are 0 to %d", prof.Forwarding, len(profile.ForwardingNames)-1)
	}
	if prof.FlowletGap < 0 || prof.Latency < 0 {
		bad("flowlet gap %v, latency %v: must not be negative", prof.FlowletGap, prof.Latency)
	}
	errs = append(errs, checkProximal(&prof.Proximal)...)
	for d, c := range prof.ClassOf {
		if c >= profile.Classes {
			bad("DSCP %d: class %d: allowed are 0 to 7", d, c)
		}
	}
	for c := range profile.Classes {
		errs = append(errs, checkClass(prof, c)...)
	}
	return errs
}

func checkClass(prof *profile.Switch, class int) []error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("class %d: "+format, append([]any{class}, args...)...))
	}
	if w := prof.Weight[class]; w < 1 || w > profile.MaxWeight {
		bad("weight %d: allowed are 1 to %d", w, profile.MaxWeight)
	}
	if e := &prof.ECN[class]; e.Enabled {
		if err := profile.CheckMarking(e.Kmin, e.Kmax, e.Pmax); err != nil {
			bad("%w", err)
		}
		if e.ScaleRate < 0 {
			bad("scale rate %v: must not be negative", e.ScaleRate)
		}
	}
	if prof.Control[class] && prof.PFC.Enabled && prof.PFC.Lossless[class] {
		bad("is both control and lossless: a control class bypasses the buffer and cannot pause")
	}
	if prof.QueueOf[class] >= profile.Classes {
		bad("queue %d: allowed are 0 to 7", prof.QueueOf[class])
		return errs
	}
	for d := range class {
		if prof.QueueOf[d] == prof.QueueOf[class] && prof.Control[d] != prof.Control[class] {
			bad("shares queue %d with class %d: a control class, never paused, needs a queue of its own", prof.QueueOf[class], d)
		}
	}
	return errs
}

// lossless returns the classes that PFC protects, as bits.
func lossless(prof *profile.Switch) (mask uint8) {
	for c, on := range prof.PFC.Lossless {
		if on && prof.PFC.Enabled {
			mask |= 1 << c
		}
	}
	return mask
}

func checkProximal(prof *profile.Proximal) []error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("proximal CNP: "+format, args...))
	}
	if !prof.Enabled {
		return nil
	}
	if prof.Threshold < 0 || prof.Interval <= 0 || prof.Spacing <= 0 || prof.GainPeriod <= 0 {
		bad("threshold %v: must not be negative; interval %v, spacing %v, gain period %v: must be above 0",
			prof.Threshold, prof.Interval, prof.Spacing, prof.GainPeriod)
	}
	if !(prof.BufferShare > 0 && prof.BufferShare <= 1) || !(prof.Gain > 0 && prof.Gain < 1) {
		bad("buffer share %v: allowed is above 0, up to 1; gain %v: allowed is between 0 and 1", prof.BufferShare, prof.Gain)
	}
	if int(prof.Map) >= len(profile.ProximalMapNames) || int(prof.QPs) >= len(profile.QPSourceNames) ||
		int(prof.Notify) >= len(profile.ProximalNotifyNames) {
		bad("map %d, QPs %d, notify %d: allowed are 0 to %d, 0 to %d, 0 to %d", prof.Map, prof.QPs, prof.Notify,
			len(profile.ProximalMapNames)-1, len(profile.QPSourceNames)-1, len(profile.ProximalNotifyNames)-1)
	}
	const most = profile.MaxCNPsAtOnce
	if prof.MaxCNPs < 1 || prof.MaxCNPs > most || prof.CNPs < 1 || prof.CNPs > most || prof.DSCP > profile.MaxDSCP {
		bad("most CNPs %d, CNPs %d: allowed are 1 to %d; DSCP %d: allowed are 0 to %d",
			prof.MaxCNPs, prof.CNPs, most, prof.DSCP, profile.MaxDSCP)
	}
	if l := &prof.Learning; l.Gap <= 0 || l.Capacity < 1 || l.Capacity > profile.MaxFlowTable || l.Age < 0 {
		bad("learning with a gap of %v: must be above 0; capacity %d: allowed are 1 to %d; age %v: must not be negative",
			l.Gap, l.Capacity, profile.MaxFlowTable, l.Age)
	}
	return errs
}
