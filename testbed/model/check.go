package model

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Check reports whether r cannot come from the node of blueprint b in p, in a run that may last up to limit. A
// compromised daemon can report anything: the code that makes tables of reports relies on the shape checked here, and
// on no numbers.
func (r *Report) Check(p *plan.Plan, b *Blueprint, limit unit.Time) error {
	if r.ID != b.ID {
		return fmt.Errorf("a report of node %d in the place of node %d, %s", r.ID, b.ID, b.Name)
	}
	kind, err := KindNamed(b.Kind)
	if err != nil {
		return err
	}
	got := reflect.TypeOf(r.Record)
	if got != reflect.TypeOf(kind.Record) || reflect.ValueOf(r.Record).IsNil() {
		return fmt.Errorf("a record of %v for the %s %s", got, kind.Title, b.Name)
	}
	if r.Fault != "" && len(b.Algorithms()) == 0 {
		return fmt.Errorf("a fault of an algorithm at %s, which runs none", b.Name)
	}
	for link := range r.InFlight {
		inward := false
		for _, a := range b.Ports() {
			inward = inward || link == a.Link^1
		}
		if !inward {
			return fmt.Errorf("frames in flight to %s on direction %d, which does not lead there", b.Name, link)
		}
	}
	err = r.Record.Check(p, b.Design)
	if err == nil {
		err = checkTimes(reflect.ValueOf(r.Record).Elem(), p.Record.MostBins(limit))
	}
	if err != nil {
		return fmt.Errorf("the record of %s: %w", b.Name, err)
	}
	return nil
}

// Types that checkTimes tells apart.
var (
	timeType      = reflect.TypeFor[unit.Time]()
	seriesType    = reflect.TypeFor[record.Series]()
	histogramType = reflect.TypeFor[record.Histogram]()
)

// checkTimes looks for times before the run, and for series with more bins than the
// run has, in all that v holds.
func checkTimes(v reflect.Value, bins int) error {
	switch v.Type() {
	case timeType:
		if v.Int() < 0 {
			return fmt.Errorf("a time of %d ps", v.Int())
		}
		return nil
	case seriesType:
		return checkSeries(v.Addr().Interface().(*record.Series), bins)
	case histogramType:
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := checkTimes(v.Field(i), bins); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := checkTimes(v.Index(i), bins); err != nil {
				return err
			}
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); {
			if err := checkTimes(entry.Value(), bins); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return checkTimes(v.Elem(), bins)
		}
	}
	return nil
}

func checkSeries(s *record.Series, most int) error {
	if len(s.Bins) > most {
		return fmt.Errorf("a series of %d bins: allowed are %d", len(s.Bins), most)
	}
	return nil
}

// Check reports whether r cannot come from a NIC of that design.
func (r *NICRecord) Check(_ *plan.Plan, d Design) error {
	n, ok := d.(*NIC)
	if !ok || len(r.Ends) != n.Ends.Len() || len(r.Phases) != len(n.Ranks) || len(r.Peers) != len(n.Peers) {
		return fmt.Errorf("%d ends of flows, %d ranks and %d peers, which differ from the NIC's", len(r.Ends), len(r.Phases),
			len(r.Peers))
	}
	for i := range r.Ends {
		end := n.Ends.At(i)
		if err := r.Ends[i].check(&end); err != nil {
			return err
		}
	}
	for i := range r.Phases {
		if most := len(n.Ranks[i].Phases); len(r.Phases[i]) > most {
			return fmt.Errorf("%d phases of rank %d, which has %d", len(r.Phases[i]), i, most)
		}
	}
	for i := range r.Groups {
		if !n.Ends.inSeries(r.Groups[i].Group) {
			return fmt.Errorf("series of group %d, but no flow of it begins there", r.Groups[i].Group)
		}
	}
	if err := checkFaults(r.Faults, n.Faults); err != nil {
		return err
	}
	return checkPort(&r.Port)
}

func (r *EndRecord) check(end *End) error {
	if c := end.Receiver; c != nil {
		if r.Flow != c.Flow || r.Receiver == nil || r.Receiver.ReceiverExtra == nil || r.Sender != nil {
			return fmt.Errorf("not the receiver of flow %s in its place", c.Name)
		}
		return nil
	}
	c := end.Sender
	switch {
	case r.Flow != c.Flow || r.Sender == nil || r.Sender.SenderExtra == nil || r.Receiver != nil:
		return fmt.Errorf("not the sender of flow %s in its place", c.Name)
	case len(r.Sender.Messages) > len(c.Messages):
		return fmt.Errorf("%d messages of flow %s, which has %d", len(r.Sender.Messages), c.Name, len(c.Messages))
	}
	return nil
}

// Check reports whether r cannot come from a switch of that design.
func (r *SwitchRecord) Check(p *plan.Plan, d Design) error {
	s, ok := d.(*Switch)
	if !ok || len(r.Ports) != len(s.Config.Ports) || (r.Proximal != nil) != s.Profile.Proximal.Enabled {
		return fmt.Errorf("%d ports, proximal CNP %v: they differ from the switch's", len(r.Ports), r.Proximal != nil)
	}
	if r.Proximal != nil {
		if err := checkProximal(p, r.Proximal); err != nil {
			return err
		}
	}
	for i := range r.Tiers {
		if r.Tiers[i].Tier >= plan.NumTiers || i > 0 && r.Tiers[i].Tier <= r.Tiers[i-1].Tier {
			return fmt.Errorf("series of tier %d in place %d: they go up to %d, each once", r.Tiers[i].Tier, i, plan.NumTiers-1)
		}
	}
	if n := len(s.Epochs); len(r.NoRoute) != 0 && len(r.NoRoute) != n+1 {
		return fmt.Errorf("losses in %d epochs: there are %d", len(r.NoRoute), n+1)
	}
	if err := checkFaults(r.Faults, s.Faults); err != nil {
		return err
	}
	return checkPorts(r.Ports)
}

func checkFaults(met []fault.Met, planned []fault.Planned) error {
	if len(met) != len(planned) {
		return fmt.Errorf("counts of %d faults: there are %d", len(met), len(planned))
	}
	return nil
}

func checkProximal(p *plan.Plan, r *record.Proximal) error {
	stations := uint32(p.Stations())
	// What comes in at edges may bear any address.
	foreign := stations > uint32(len(p.NICs))
	known := func(ip uint32) bool { return foreign || ip == 0 || ip >= plan.FirstIP && ip-plan.FirstIP < stations }
	for i := range r.Actions {
		a := &r.Actions[i]
		if a.Kind >= record.NumProximalKinds || a.Peer < 0 || a.Peer >= len(p.Switches) ||
			!known(a.SrcIP) || !known(a.DstIP) {
			return fmt.Errorf("action %d of proximal CNP is of kind %d, about switch %d and a flow from %08x to %08x: there is "+
				"none", i, a.Kind, a.Peer, a.SrcIP, a.DstIP)
		}
	}
	return nil
}

// Check reports whether r cannot come from a long-haul path.
func (r *WANRecord) Check(_ *plan.Plan, d Design) error {
	if _, ok := d.(*WAN); !ok || len(r.Ports) != len(WAN{}.Config.Ports) {
		return fmt.Errorf("%d ports, which differ from a long-haul path's", len(r.Ports))
	}
	return checkPorts(r.Ports)
}

func checkPorts(ports []record.Port) error {
	for i := range ports {
		if err := checkPort(&ports[i]); err != nil {
			return fmt.Errorf("port %d: %w", i, err)
		}
	}
	return nil
}

func checkPort(p *record.Port) error {
	if err := errors.Join(p.Classes.Check(), p.Queues.Check()); err != nil {
		return err
	}
	if len(p.Drops) > 0 {
		if last := slices.Max(slices.Collect(maps.Keys(p.Drops))); last >= fabric.NumDropReasons {
			return fmt.Errorf("drops for reason %d: there are %d", last, fabric.NumDropReasons)
		}
	}
	for i := range p.Storms {
		if class := p.Storms[i].Class; int(class) >= profile.Classes {
			return fmt.Errorf("a storm of class %d: allowed are 0 to %d", class, profile.Classes-1)
		}
	}
	return nil
}
