//go:build linux && !mem

package bench

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// tickerKind is a node that sends nothing and does nothing but wake at a period.
const tickerKind plan.Kind = "ticker"

func init() {
	model.Register(model.Kind{
		Name:      tickerKind,
		Title:     "ticker",
		Design:    designTicker,
		NewDesign: func() model.Design { return new(ticker) },
		Record:    new(tickerRecord),
	})
}

// ticker is the design of a ticker, and its model.
type ticker struct {
	// Links are the links at its ports.
	Links []fabric.Attachment
	// Every is the period; 0 for a node that never wakes.
	Every unit.Duration

	next   unit.Time
	events uint64
}

func designTicker(p *plan.Plan, n *plan.Node) (model.Design, error) {
	return &ticker{Links: p.AttachmentsOf(n), Every: p.Devices[n.Index].Config.(unit.Duration)}, nil
}

func (t *ticker) Ports() []fabric.Attachment { return t.Links }

func (t *ticker) Build(*model.Builder) (model.Model, error) { return t, nil }

// Deliver is never called: no ticker sends.
func (t *ticker) Deliver(int, unit.Time, unit.Bytes, *wire.Frame) unit.Time { return unit.Never }

// Advance wakes as often as is due.
func (t *ticker) Advance(horizon unit.Time, _ *fabric.Outbox) unit.Time {
	if t.Every == 0 {
		return unit.Never
	}
	for t.next < horizon {
		t.next = t.next.Add(t.Every)
		t.events++
	}
	return t.next
}

func (t *ticker) InFlight(func(int, *wire.Frame)) {}
func (t *ticker) Events() uint64                  { return t.events }
func (t *ticker) Fault() error                    { return nil }
func (t *ticker) Acked() unit.Bytes               { return 0 }

func (t *ticker) Record(unit.Time) model.Record {
	return &tickerRecord{result.Device{Ports: make([]record.Port, len(t.Links))}}
}

type tickerRecord struct{ result.Device }

func (r *tickerRecord) Check(_ *plan.Plan, d model.Design) error {
	if len(r.Ports) != len(d.Ports()) {
		return fmt.Errorf("%d ports: the ticker has %d", len(r.Ports), len(d.Ports()))
	}
	return nil
}

func (r *tickerRecord) AddTo(o *result.Outcome) { o.Devices = append(o.Devices, r.Device) }
