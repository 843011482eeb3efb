package link

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
	p := NewPauses(1<<3|1<<4, 0)
	var rec record.Classes
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
		t.Run(r.name, func(t *testing.T) {
			effect := p.Receive(r.class, r.time, r.now, rec.Of(r.class))
			if effect != r.effect || p.Held() != r.held || p.Until(r.class) != r.until || *rec.Of(r.class) != r.rec {
				t.Fatalf("%s: effect %d, held %b, until %d, %+v; want %d, %b, %d, %+v", r.name,
					effect, p.Held(), p.Until(r.class), *rec.Of(r.class), r.effect, r.held, r.until, r.rec)
			}
		})
	}
	// Class 3 is held from 60 to 65, class 4 from 40 to 140.
	open := rec.Clone()
	if p.Close(62, &open); open.At(3).Paused != 32 || open.At(4).Paused != 22 {
		t.Errorf("paused for %d and %d up to 62, want 32 and 22", open.At(3).Paused, open.At(4).Paused)
	}
	open = rec.Clone()
	if p.Close(100, &open); open.At(3).Paused != 35 || open.At(4).Paused != 60 {
		t.Errorf("paused for %d and %d up to 100, want 35 and 60", open.At(3).Paused, open.At(4).Paused)
	}
	for _, e := range []struct {
		now     unit.Time
		classes uint8
		next    unit.Time
	}{
		{64, 0, 65}, {65, 1 << 3, 140}, {140, 1<<3 | 1<<4, unit.Never},
	} {
		t.Run(fmt.Sprintf("now=%v", e.now), func(t *testing.T) {
			if classes, next := p.Expired(e.now); classes != e.classes || next != e.next {
				t.Errorf("expired at %d: %b, next at %d; want %b, %d", e.now, classes, next, e.classes, e.next)
			}
		})
	}
}

// A port that was never paused has neither spans nor open pauses.
func TestPausesNeverUsed(t *testing.T) {
	p := NewPauses(1<<8-1, 0)
	var rec record.Classes
	p.Close(100, &rec)
	if classes, next := p.Expired(100); p.Held() != 0 || p.Until(3) != 0 || rec.Used != 0 ||
		classes != 0 || next != unit.Never || p.spans != nil {
		t.Errorf("held %b, until %d, %+v", p.Held(), p.Until(3), rec)
	}
}

// A pause takes effect a response time after it came and lasts its time from then on; XON is obeyed at once and takes
// one back that is to come (IEEE 802.3, 31B.3.7). Tier: -short. Red if a pause is obeyed at once, if XON waits, if
// XON leaves a pause that is to come, or if a second pause puts the first off.
func TestPausesTakeTime(t *testing.T) {
	p := NewPauses(1<<3, 10)
	var rec record.Classes
	receive := func(time unit.Duration, now unit.Time, want Effect) {
		t.Helper()
		if effect := p.Receive(3, time, now, rec.Of(3)); effect != want {
			t.Fatalf("at %d: effect %d, want %d", now, effect, want)
		}
	}
	begin := func(now unit.Time, want bool) {
		t.Helper()
		if p.Begin(3, now) != want || (p.Held() != 0) != want {
			t.Fatalf("at %d: held %b, want %t", now, p.Held(), want)
		}
	}
	receive(100, 20, Pending) // from 30
	begin(29, false)
	receive(100, 25, Unchanged) // to 135
	if _, next := p.Expired(29); next != 30 {
		t.Fatalf("next at %d, want 30", next)
	}
	begin(30, true)
	if p.Until(3) != 135 {
		t.Fatalf("until %d, want 135", p.Until(3))
	}
	receive(100, 50, Held) // to 160
	if p.Until(3) != 160 {
		t.Fatalf("until %d, want 160", p.Until(3))
	}
	receive(0, 60, Released)
	receive(100, 70, Pending)
	receive(0, 75, Unchanged)
	begin(80, false)
	if rec.At(3).Paused != 30 || rec.At(3).ReceivedXOFF != 4 || rec.At(3).ReceivedXON != 2 {
		t.Errorf("%+v, want 30 paused, 4 XOFF, 2 XON", *rec.At(3))
	}
}
