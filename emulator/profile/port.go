package profile

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port is the settings of one port of a switch, in place of the switch's. All of them apply.
type Port struct {
	// Number is the port's. Range: 0 to the number of the switch's ports less 1.
	Number int
	// Alpha, AlphaRate and Headroom are as in Switch.
	Alpha     float64
	AlphaRate unit.BitRate
	Headroom  unit.Bytes
	// ECN is by class; of a DCI port only Enabled and AtEnqueue hold, as for the switch's own.
	ECN      [Classes]WRED
	Watchdog Watchdog
	// Strict and Weight are by queue.
	Strict [Classes]bool
	Weight [Classes]int
}

// OfPort returns the settings that hold at a port: s, or a copy of it with the port's own in their place. It
// must not be changed.
func (s *Switch) OfPort(port int) *Switch {
	i, own := s.findOwn(port)
	if !own {
		return s
	}
	p, at := &s.Own[i], *s
	at.Alpha, at.AlphaRate, at.Headroom = p.Alpha, p.AlphaRate, p.Headroom
	at.ECN, at.Watchdog, at.Strict, at.Weight = p.ECN, p.Watchdog, p.Strict, p.Weight
	return &at
}

// SetPort gives a port the settings that a port may have of its own. If they equal the switch's, the port has none of
// its own.
func (s *Switch) SetPort(port int, settings *Switch) {
	own := Port{
		Number:    port,
		Alpha:     settings.Alpha,
		AlphaRate: settings.AlphaRate,
		Headroom:  settings.Headroom,
		ECN:       settings.ECN,
		Watchdog:  settings.Watchdog,
		Strict:    settings.Strict,
		Weight:    settings.Weight,
	}
	usual := Port{
		Number:    port,
		Alpha:     s.Alpha,
		AlphaRate: s.AlphaRate,
		Headroom:  s.Headroom,
		ECN:       s.ECN,
		Watchdog:  s.Watchdog,
		Strict:    s.Strict,
		Weight:    s.Weight,
	}
	i, there := s.findOwn(port)
	switch {
	case there && own == usual:
		s.Own = slices.Delete(s.Own, i, i+1)
	case there:
		s.Own[i] = own
	case own != usual:
		s.Own = slices.Insert(s.Own, i, own)
	}
}

// findOwn returns the place of a port's own settings, and whether they are there.
func (s *Switch) findOwn(port int) (place int, there bool) {
	return slices.BinarySearchFunc(s.Own, port, func(p Port, number int) int { return cmp.Compare(p.Number, number) })
}
