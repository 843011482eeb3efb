// Package modeltest has a kind of node for tests: a box in a link that holds each frame
// for a while and passes it on. It shows what a kind needs beside its package: one
// registration, a device in the plan, and its sheet.
package modeltest

import (
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// Holder is the kind.
const Holder plan.Kind = "holder"

func init() {
	model.Register(model.Kind{
		Name:      Holder,
		Title:     "holder",
		Design:    designHolder,
		NewDesign: func() model.Design { return new(design) },
		Record:    new(holderRecord),
		Sheet: result.KindSheet{
			File: "holders.csv",
			Doc:  "One row per holder.",
			Columns: []result.KindColumn{
				{Name: "held_us", Doc: "How long it held each frame."},
				{Name: "frames", Doc: "Frames that it passed on."},
			},
		},
	})
}

// Config is a holder in a plan.
type Config struct {
	// Hold is the time from the last bit of a frame in to its first bit out, if no other frame is in the way.
	Hold unit.Duration
}

// Insert puts a holder into a link of p: end A reaches it at port 0, end B at port 1.
// Both halves of the link are as the link was.
func Insert(p *plan.Plan, link int, name string, c Config) {
	far := p.Links[link]
	added := len(p.Links)
	p.Devices = append(p.Devices, plan.Device{Kind: Holder, Name: name, Links: []int{link, added}, Config: c})
	box := p.DeviceNode(len(p.Devices) - 1)
	if n := p.Node(far.B.Node); n.Kind == plan.KindNIC {
		p.NICs[n.Index].Link = added
	} else {
		n.Links[far.B.Port] = added
	}
	p.Links[link].B = plan.End{Node: box, Port: 0}
	far.A = plan.End{Node: box, Port: 1}
	p.Links = append(p.Links, far)
}

// design is the design of a holder.
type design struct {
	Config
	Links []fabric.Attachment
}

func designHolder(p *plan.Plan, n *plan.Node) (model.Design, error) {
	c, ok := p.Devices[n.Index].Config.(Config)
	if !ok || c.Hold < 0 || len(n.Links) != 2 {
		return nil, fmt.Errorf("it holds for %v and has %d ports: allowed are 0 and longer, and 2", c.Hold, len(n.Links))
	}
	return &design{c, p.AttachmentsOf(n)}, nil
}

func (d *design) Ports() []fabric.Attachment { return d.Links }

func (d *design) Build(*model.Builder) (model.Model, error) {
	return &holder{design: d, events: event.NewQueue(2)}, nil
}

// holder is the model.
type holder struct {
	*design
	events  *event.Queue
	ways    [2]way // by the port at which frames leave
	handled uint64
}

// way is the output side of a port.
type way struct {
	held fifo.Queue[*wire.Frame]
	busy unit.Time
	rec  record.Port
}

func (h *holder) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) unit.Time {
	at := h.Links[port].ArrivalOf(start, f)
	h.events.Arrive(port, at, length, f)
	return at
}

func (h *holder) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	var e event.Event
	for h.events.PopBefore(horizon, &e) {
		h.handled++
		if e.Kind == event.Timer {
			h.leave(e.Port, e.At, out)
		} else {
			h.enter(e.Port, e.At, e.Frame)
		}
	}
	return h.events.Next()
}

func (h *holder) enter(port int, now unit.Time, f *wire.Frame) {
	in := &h.ways[port].rec
	in.RxFrames++
	in.RxBytes += uint64(f.Len())
	if f.IsPFC() {
		in.RxPFCFrames++
		in.RxPFCBytes += uint64(f.Len())
		in.PausesIn.Count(f)
	}
	h.ways[1-port].held.Push(f)
	h.events.Schedule(now.Add(h.Hold), event.Timer, 1-port, 0)
}

func (h *holder) leave(port int, now unit.Time, out *fabric.Outbox) {
	w := &h.ways[port]
	if w.busy > now {
		h.events.Schedule(w.busy, event.Timer, port, 0)
		return
	}
	f := w.held.Pop()
	serial := h.Links[port].SerialTime(f)
	w.busy = now.Add(serial)
	w.rec.TxFrames++
	w.rec.TxBytes += uint64(f.Len())
	w.rec.Busy += serial
	if f.IsPFC() {
		w.rec.TxPFCFrames++
		w.rec.TxPFCBytes += uint64(f.Len())
		w.rec.PausesOut.Count(f)
	}
	out.Emit(port, h.Links[port].Link, now, f)
}

func (h *holder) InFlight(account func(int, *wire.Frame)) { h.events.InFlight(account) }
func (h *holder) Events() uint64                          { return h.handled }
func (h *holder) Fault() error                            { return nil }
func (h *holder) Acked() unit.Bytes                       { return 0 }

func (h *holder) Record(unit.Time) model.Record {
	r := &holderRecord{Hold: h.Hold}
	for i := range h.ways {
		w := &h.ways[i]
		r.Device.Ports = append(r.Device.Ports, w.rec)
		for k := range w.held.Len() {
			r.Device.Resident.Frames++
			r.Device.Resident.Bytes += uint64((*w.held.At(k)).Len())
		}
	}
	return r
}

// holderRecord is the record of a holder.
type holderRecord struct {
	Hold   unit.Duration
	Device result.Device
}

func (r *holderRecord) AddTo(o *result.Outcome) { o.Devices = append(o.Devices, r.Device) }

func (r *holderRecord) Check(*plan.Plan, model.Design) error {
	if len(r.Device.Ports) != 2 {
		return fmt.Errorf("%d ports: a holder has 2", len(r.Device.Ports))
	}
	return nil
}

func (r *holderRecord) Row() []string {
	frames := r.Device.Ports[0].TxFrames + r.Device.Ports[1].TxFrames
	return []string{fmt.Sprint(r.Hold.Microseconds()), strconv.FormatUint(frames, 10)}
}
