package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/wan"
)

func init() {
	Register(Kind{
		Name:      plan.KindWAN,
		Title:     "long-haul path",
		Design:    designWAN,
		NewDesign: func() Design { return new(WAN) },
		Record:    new(WANRecord),
	})
}

// WAN is the design of a long-haul path.
type WAN struct{ wan.Config }

func designWAN(p *plan.Plan, n *plan.Node) (Design, error) {
	c := wan.Config{Name: n.Name, Seed: p.Seed, Profile: p.WANs[n.Index].Profile, MaxFrame: p.MaxFrame()}
	for port := range n.Links {
		c.Ports[port] = p.AttachmentAt(n, port)
	}
	return &WAN{c}, nil
}

// Ports returns the links at the path's two ports.
func (w *WAN) Ports() []fabric.Attachment { return w.Config.Ports[:] }

// Build makes the path.
func (w *WAN) Build(*Builder) (Model, error) {
	m, err := wan.New(w.Config)
	if err != nil {
		return nil, fmt.Errorf("long-haul path %s: %w", w.Name, err)
	}
	return wanModel{m}, nil
}

// wanModel is a long-haul path as runners see it.
type wanModel struct{ *wan.Path }

func (m wanModel) Machine() fabric.Node { return m.Path }
func (m wanModel) Fault() error         { return nil }
func (m wanModel) Acked() unit.Bytes    { return 0 }

func (m wanModel) Record(end unit.Time) Record {
	records := m.Records(end)
	return &WANRecord{result.WAN{Ports: records[:], InTransit: m.Held()}}
}

// WANRecord is the record of a long-haul path.
type WANRecord struct{ result.WAN }

// AddTo puts it into the outcome.
func (r *WANRecord) AddTo(o *result.Outcome) { o.WANs = append(o.WANs, r.WAN) }
