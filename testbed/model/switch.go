package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

func init() {
	Register(Kind{
		Name:      plan.KindSwitch,
		Title:     "switch",
		Design:    designSwitch,
		NewDesign: func() Design { return new(Switch) },
		Record:    new(SwitchRecord),
		Sampled:   true,
	})
}

// Switch is the design of a switch.
type Switch struct{ switchd.Config }

func designSwitch(p *plan.Plan, n *plan.Node) (Design, error) {
	s := &p.Switches[n.Index]
	c := switchd.Config{
		ID:       uint32(n.Index),
		Name:     s.Name,
		Seed:     p.Seed,
		Profile:  s.Profile,
		Ports:    p.AttachmentsOf(n),
		Routes:   s.Routes,
		NextHops: s.NextHops,
		Epochs:   s.Epochs,
		Reboots:  s.Reboots,
		Faults:   s.Faults,
		FirstIP:  plan.FirstIP,
		Tree:     s.Tree,
		MaxFrame: p.MaxFrame(),
	}
	if s.Proximity != nil {
		c.FirstLoopback, c.Loopbacks = plan.FirstLoopback, s.Proximity.Loopbacks
		c.Proximity = proximityOf(s.Proximity)
	}
	return &Switch{c}, nil
}

// Ports returns the links at the switch's ports.
func (s *Switch) Ports() []fabric.Attachment { return s.Config.Ports }

// Build makes the switch.
func (s *Switch) Build(*Builder) (Model, error) {
	m, err := switchd.New(s.Config)
	if err != nil {
		return nil, fmt.Errorf("switch %s: %w", s.Name, err)
	}
	set := s.Profile.Headroom > 0 || s.Profile.DCI.PFC.Headroom > 0
	for i := range s.Profile.Own {
		set = set || s.Profile.Own[i].Headroom > 0
	}
	return switchModel{m, set}, nil
}

// switchModel is a switch as runners see it.
type switchModel struct {
	*switchd.Switch
	headroomSet bool // by the scenario, so that what is lost for want of it is what was asked for
}

func (m switchModel) Machine() fabric.Node { return m.Switch }
func (m switchModel) Fault() error         { return nil }
func (m switchModel) Acked() unit.Bytes    { return 0 }

func (m switchModel) Tell(t *record.Tally) {
	before := t.Lossless
	m.Switch.Tell(t)
	if m.headroomSet {
		t.Lossless = before
	}
}

func (m switchModel) Record(end unit.Time) Record {
	frames, bytes := m.Resident()
	r := &SwitchRecord{result.Switch{
		Ports:     m.Records(end),
		Resident:  result.Volume{Frames: frames, Bytes: bytes},
		BufferMax: m.BufferMax(),
		Proximal:  m.ProximalRecord(),
		NoRoute:   switchd.NoRoute(m.Switch),
		Faults:    m.FaultsMet(),
	}}
	tiers := m.Tiers(end)
	for t := range plan.NumTiers {
		if over := tiers[uint8(t)]; over != nil {
			r.Tiers = append(r.Tiers, result.Tier{Tier: t, Over: *over})
		}
	}
	return r
}

// SwitchRecord is the record of a switch.
type SwitchRecord struct{ result.Switch }

// AddTo puts it into the outcome.
func (r *SwitchRecord) AddTo(o *result.Outcome) { o.Switches = append(o.Switches, r.Switch) }
