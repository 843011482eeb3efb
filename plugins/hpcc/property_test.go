package hpcc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A NAK's bytes count for the round; what it and a timeout say of losses does
// not.
func TestProgress(t *testing.T) {
	for _, form := range []string{"window", "rate"} {
		t.Run(form, func(t *testing.T) {
			f := start(t, "form="+form)
			f.ack(3*us, 50_000, link100(us, 0, 0))
			before := f.d
			f.Handle(&cc.Event{Kind: cc.EventNak, Acked: 4000}, &f.d)
			f.Handle(&cc.Event{Kind: cc.EventTimeout}, &f.d)
			var r *round
			switch s := f.Sender.(type) {
			case *rate:
				r = &s.round
			case *window:
				r = &s.round
			}
			if *r != (round{una: 5000, nxt: 5000, lastUpdate: 51_000}) || f.d != before {
				t.Errorf("%s: %+v, %+v", form, *r, f.d)
			}
			r.begin()
			if r.lastUpdate != 51_000 {
				t.Errorf("%s: going back shortened the round to %v", form, r.lastUpdate)
			}
		})
	}
}

// Whatever comes, the decision stays within its bounds, and two lives with one seed are the same.
func TestProperties(t *testing.T) {
	for _, params := range []string{"", "max_stage=0 initial_u=0 eta=1", "form=rate",
		"form=rate multi_rate=true max_stage=0", "form=rate initial_u=0 max_stage=0"} {
		t.Run(fmt.Sprintf("%q", params), func(t *testing.T) {
			a, b := start(t, params), start(t, params)
			r := chance.New(7, "life")
			e := cc.Event{}
			for i := range 20_000 {
				e.Kind, e.Now = cc.EventKind(1+r.Below(6)), e.Now.Add(unit.Duration(r.Below(1<<r.Below(36))))
				e.Acked, e.Inflight = unit.Bytes(r.Below(1<<r.Below(20))), unit.Bytes(r.Below(1<<r.Below(20)))
				if r.Below(50) == 0 {
					e.INT.Hops, e.INT.Max = uint8(r.Below(256)), uint8(r.Below(256))
				}
				for j := range e.INT.Record {
					if rate := uint64(e.INT.Record[j]) >> 61; r.Below(2) == 0 {
						e.INT.Record[j] = inband.Record(rate<<61 | uint64(r.Below(1<<61)))
					}
					if r.Below(500) == 0 {
						e.INT.Record[j] = inband.Record(r.Below(6)) << 61
					}
				}
				a.Handle(&e, &a.d)
				b.Handle(&e, &b.d)
				if a.d != b.d || a.d.Rate < 99*unit.Mbps || a.d.Rate > 100*unit.Gbps || a.d.Window < 52 || a.d.Window > 52375 {
					t.Fatalf("%s, event %d: %+v and %+v after %+v", params, i, a.d, b.d, e)
				}
			}
		})
	}
}

func TestParamErrors(t *testing.T) {
	for params, message := range map[string]string{
		"form=rate w_ai=80B":  "parameter w_ai: form rate has no such parameter; it belongs to form window",
		"ai_rate=50Mbps":      "parameter ai_rate: form window has no such parameter; it belongs to form rate",
		"multi_rate=true":     "parameter multi_rate: form window has no such parameter; it belongs to form rate",
		"max_stage=2.5":       "parameter max_stage: 2.5 is not a whole number",
		"eta=0":               "parameter eta: 0 is below 0.01",
		"t=0s":                "parameter t: 0s is below 1ns",
		"form=both":           `parameter form: "both" is not one of window, rate`,
		"min_rate=0bps":       "parameter min_rate: 0bps is below 1bps",
		"form=rate max_w=1KB": "parameter max_w: hpcc has no such parameter",
	} {
		t.Run(params, func(t *testing.T) {
			if _, err := makeControl(params); err == nil || !strings.HasPrefix(err.Error(), message) {
				t.Errorf("%s: %v, want %q", params, err, message)
			}
		})
	}
}

func TestSignals(t *testing.T) {
	c, err := makeControl("")
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Signals(); s != (cc.Signals{Acks: true, INT: true}) {
		t.Errorf("%+v", s)
	}
	if c.NewReceiver(cctest.Facts()) != nil {
		t.Error("there is a receiver")
	}
}

var forms = []string{"form=window", "form=rate", "form=rate multi_rate=true"}

// acks returns an event and what makes the next of it: an ACK of one hop each
// 80 ns.
func acks() (*cc.Event, func()) {
	e := &cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 40_000}
	m := inband.NewStamper(100 * unit.Gbps)
	e.INT = inband.Stack{Hops: 1, Max: inband.MaxHops}
	sent := unit.Bytes(0)
	return e, func() {
		e.Now = e.Now.Add(80 * unit.Nanosecond)
		sent += 1000
		e.INT.Record[0] = m.Stamp(e.Now, sent, sent%10_000)
	}
}

func TestNoAllocations(t *testing.T) {
	for _, params := range forms {
		t.Run(params, func(t *testing.T) {
			f := start(t, params)
			e, next := acks()
			if n := testing.AllocsPerRun(100, func() {
				next()
				f.Handle(e, &f.d)
			}); n != 0 {
				t.Errorf("%s: %v allocations an event", params, n)
			}
		})
	}
}

// An ACK with one hop; the time includes making its record.
func BenchmarkAck(b *testing.B) {
	for _, params := range forms {
		b.Run(params, func(b *testing.B) {
			f := start(b, params)
			e, next := acks()
			for b.Loop() {
				next()
				f.Handle(e, &f.d)
			}
		})
	}
}
