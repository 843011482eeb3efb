package judge

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A field with bounds is drawn within them, and only for those who ask for its
// signal.
func TestBoundedFieldsAreDrawn(t *testing.T) {
	table := []contract.Field[cc.Event]{
		{Signal: "INT", Least: -3, Most: 5, At: func(e *cc.Event) any { return &e.RemoteDelay }},
		{Signal: "ECNEcho", Most: 1, At: func(e *cc.Event) any { return &e.CE }},
		{Signal: "INT", At: func(e *cc.Event) any { return &e.Acked }},
	}
	c := chance.New(1, "bounded")
	drawn := map[unit.Duration]bool{}
	for range 200 {
		var e cc.Event
		bounded(c, table, &cc.Signals{INT: true}, &e)
		if e.CE || e.Acked != 0 {
			t.Fatalf("without its signal or bounds: %+v", e)
		}
		drawn[e.RemoteDelay] = true
	}
	if len(drawn) != 9 || !drawn[-3] || !drawn[5] {
		t.Errorf("drawn %v, want -3 to 5", drawn)
	}
}

// An algorithm whose wake-ups do not end has a bounded number of them between two events from outside. Tier:
// -short.
func TestEndlessWakeUpsAreBounded(t *testing.T) {
	for name, handle := range map[string]func(*cc.Event, *cc.Decision){
		"what was sent":         func(e *cc.Event, d *cc.Decision) { d.WakeBytes = max(1, e.Sent) },
		"one byte more":         func(e *cc.Event, d *cc.Decision) { d.WakeBytes = e.Sent + 1 },
		"a picosecond later":    func(e *cc.Event, d *cc.Decision) { d.WakeAt = e.Now + 1 },
		"both, the least later": func(e *cc.Event, d *cc.Decision) { d.WakeAt, d.WakeBytes = e.Now+1, e.Sent+1 },
	} {
		t.Run(name, func(t *testing.T) {
			l := newRandomFlow(answer{handle: handle}, cc.Facts{LineRate: 100 * unit.Gbps})
			for i := range 3 {
				before := l.events
				e := cc.Event{Kind: cc.EventCNP, Now: unit.Time(i+1) * unit.Time(unit.Second), Sent: unit.Bytes(i+1) * unit.GB}
				if err := l.play(e); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if n := l.events - before; n > 2*mostWakes+1 || i > 0 && n < mostWakes {
					t.Errorf("%s: %d answers for event %d, want %d wake-ups at most of each kind", name, n, i, mostWakes)
				}
			}
		})
	}
}
