package judge

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
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
