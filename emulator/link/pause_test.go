package link

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// received is one class of a PFC frame, and what it does to a port whose classes
// 3 and 4 obey.
type received struct {
	name   string
	class  uint8
	time   unit.Duration
	now    unit.Time
	effect Effect
	held   uint8
	until  unit.Time
	// rec is the class's record after it.
	rec record.Class
}

func TestPausesReceive(t *testing.T) {
	p := NewPauses(1<<3 | 1<<4)
	var rec [profile.Classes]record.Class
	for _, r := range []received{
		{
			name:   "XON for a class that is not held",
			class:  3,
			now:    10,
			effect: Unchanged,
			rec:    record.Class{ReceivedXON: 1},
		},
		{
			name:   "XOFF",
			class:  3,
			time:   100,
			now:    20,
			effect: Held,
			held:   1 << 3,
			until:  120,
			rec:    record.Class{ReceivedXOFF: 1, ReceivedXON: 1},
		},
		{
			name:   "XOFF again, for less",
			class:  3,
			time:   40,
			now:    30,
			effect: Held,
			held:   1 << 3,
			until:  70,
			rec:    record.Class{ReceivedXOFF: 2, ReceivedXON: 1},
		},
		{
			name:   "XOFF of another class",
			class:  4,
			time:   100,
			now:    40,
			effect: Held,
			held:   1<<3 | 1<<4,
			until:  140,
			rec:    record.Class{ReceivedXOFF: 1},
		},
		{
			name:   "XOFF of a class that does not obey is counted",
			class:  2,
			time:   100,
			now:    45,
			effect: Unchanged,
			held:   1<<3 | 1<<4,
			rec:    record.Class{ReceivedXOFF: 1},
		},
		{
			name:   "XON of a class that does not obey is counted",
			class:  2,
			now:    46,
			effect: Unchanged,
			held:   1<<3 | 1<<4,
			rec:    record.Class{ReceivedXOFF: 1, ReceivedXON: 1},
		},
		{
			name:   "XON",
			class:  3,
			now:    50,
			effect: Released,
			held:   1 << 4,
			until:  50,
			rec:    record.Class{ReceivedXOFF: 2, ReceivedXON: 2, Paused: 30},
		},
		{
			name:   "XOFF after it",
			class:  3,
			time:   5,
			now:    60,
			effect: Held,
			held:   1<<3 | 1<<4,
			until:  65,
			rec:    record.Class{ReceivedXOFF: 3, ReceivedXON: 2, Paused: 30},
		},
	} {
		effect := p.Receive(r.class, r.time, r.now, &rec[r.class])
		if effect != r.effect || p.Held() != r.held || p.Until(r.class) != r.until || rec[r.class] != r.rec {
			t.Fatalf("%s: effect %d, held %b, until %d, %+v; want %d, %b, %d, %+v", r.name,
				effect, p.Held(), p.Until(r.class), rec[r.class], r.effect, r.held, r.until, r.rec)
		}
	}
	// Class 3 is held from 60 to 65, class 4 from 40 to 140.
	open := rec
	if p.Close(62, &open); open[3].Paused != 32 || open[4].Paused != 22 {
		t.Errorf("paused for %d and %d up to 62, want 32 and 22", open[3].Paused, open[4].Paused)
	}
	open = rec
	if p.Close(100, &open); open[3].Paused != 35 || open[4].Paused != 60 {
		t.Errorf("paused for %d and %d up to 100, want 35 and 60", open[3].Paused, open[4].Paused)
	}
	for _, e := range []struct {
		now     unit.Time
		classes uint8
		next    unit.Time
	}{
		{64, 0, 65}, {65, 1 << 3, 140}, {140, 1<<3 | 1<<4, unit.Never},
	} {
		if classes, next := p.Expired(e.now); classes != e.classes || next != e.next {
			t.Errorf("expired at %d: %b, next at %d; want %b, %d", e.now, classes, next, e.classes, e.next)
		}
	}
}

// A port that was never paused has neither spans nor open pauses.
func TestPausesNeverUsed(t *testing.T) {
	p := NewPauses(1<<8 - 1)
	var rec [profile.Classes]record.Class
	p.Close(100, &rec)
	if classes, next := p.Expired(100); p.Held() != 0 || p.Until(3) != 0 || rec != [profile.Classes]record.Class{} ||
		classes != 0 || next != unit.Never || p.spans != nil {
		t.Errorf("held %b, until %d, %+v", p.Held(), p.Until(3), rec)
	}
}
