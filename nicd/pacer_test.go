package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The next packet may start one gap after the last: its bytes on the wire at the
// rate in force, rounded up to whole picoseconds, or the fixed gap.
func TestPacerGap(t *testing.T) {
	const ps = unit.Picosecond
	for _, c := range []struct {
		rate       unit.BitRate
		fixed      unit.Duration
		accounting wire.Accounting
		bytes      unit.Bytes
		want       unit.Duration
	}{
		{100 * unit.Gbps, 0, wire.Full, 1082, 86560 * ps},
		{400 * unit.Gbps, 0, wire.Full, 1082, 21640 * ps},
		{3 * unit.Gbps, 0, wire.Full, 1, 2667 * ps},
		{100 * unit.Gbps, 0, wire.Bare48, 1048, 83 * ns}, // whole nanoseconds, rounded down
		{100 * unit.Gbps, 5 * us, wire.Full, 1082, 5 * us},
		{unit.Kbps, 5 * us, wire.Full, 1082, 5 * us},
	} {
		t.Run(fmt.Sprintf("rate=%v,fixed=%v,accounting=%v", c.rate, c.fixed, c.accounting), func(t *testing.T) {
			p := newPacer(c.accounting, unit.Gbps, true)
			p.change(0, c.rate, c.fixed)
			if p.next != 0 {
				t.Errorf("%+v: the first packet may start at %v", c, p.next)
			}
			for _, start := range []unit.Time{at(us), at(9 * us)} {
				p.started(start, c.bytes)
				if got := p.next.Sub(start); got != c.want {
					t.Errorf("%v, fixed %v, %d B: gap %v, want %v", c.rate, c.fixed, c.bytes, got, c.want)
				}
			}
		})
	}
}

// Packets of several sizes each have their own gap.
func TestPacerSizes(t *testing.T) {
	p := newPacer(wire.Full, 8*unit.Gbps, true) // 1 ns a byte
	now := unit.Time(0)
	for _, b := range []unit.Bytes{1000, 1000, 64, 1000, 1} {
		p.started(now, b)
		if want := now.Add(unit.Duration(b) * ns); p.next != want {
			t.Errorf("after %d B at %v: next at %v, want %v", b, now, p.next, want)
		}
		now = p.next
	}
}

// A change of pace re-times the present gap, up and down, but not one that is over; a change without effect is reported
// as such.
func TestPacerChange(t *testing.T) {
	const bytes = 1000 // 1 us at 8 Gb/s
	for _, c := range []struct {
		name    string
		when    unit.Duration // after the packet's start
		rate    unit.BitRate
		fixed   unit.Duration
		changes bool
		next    unit.Duration
	}{
		{"twice the rate", 100 * ns, 16 * unit.Gbps, 0, true, 500 * ns},
		{"half the rate", 100 * ns, 4 * unit.Gbps, 0, true, 2 * us},
		{"faster than what is over", 900 * ns, 80 * unit.Gbps, 0, true, 100 * ns},
		{"a fixed gap", 100 * ns, 8 * unit.Gbps, 7 * us, true, 7 * us},
		{"the same", 100 * ns, 8 * unit.Gbps, 0, false, us},
		{"after the gap", us, 4 * unit.Gbps, 0, true, us},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPacer(wire.Full, 8*unit.Gbps, true)
			p.started(at(us), bytes)
			if got := p.change(at(us+c.when), c.rate, c.fixed); got != c.changes {
				t.Errorf("%s: changes %t", c.name, got)
			}
			if want := at(us + c.next); p.next != want {
				t.Errorf("%s: next at %v, want %v", c.name, p.next, want)
			}
			// The packet after it has the new pace in any case.
			p.started(at(20*us), bytes)
			want := c.fixed
			if want == 0 {
				want = c.rate.SerialTime(bytes)
			}
			if got := p.next.Sub(at(20 * us)); got != want {
				t.Errorf("%s: next gap %v, want %v", c.name, got, want)
			}
		})
	}
	p := newPacer(wire.Full, 8*unit.Gbps, true)
	if p.change(at(us), unit.Gbps, 0); p.next != 0 {
		t.Errorf("a change before the first packet delays it to %v", p.next)
	}
}

// A change of pace re-times the gap after the last packet, by that packet's size, for any sizes before.
func TestPacerChangeAfterSizes(t *testing.T) {
	for _, sizes := range [][]unit.Bytes{{1000}, {1000, 64}, {64, 1000}, {1000, 1000, 500}, {1, 64, 1000, 2}} {
		t.Run(fmt.Sprint(sizes), func(t *testing.T) {
			p := newPacer(wire.Full, 8*unit.Gbps, true) // 1 ns a byte
			now := at(us)
			for i, b := range sizes {
				p.started(now, b)
				p.change(now, 4*unit.Gbps, 0) // 2 ns a byte
				if want := now.Add(2 * unit.Duration(b) * ns); p.next != want {
					t.Errorf("sizes %v, packet %d at %v: next at %v, want %v", sizes, i, now, p.next, want)
				}
				now = p.next
				p.change(now, 8*unit.Gbps, 0) // the gap is over: for the next one
			}
		})
	}
}

// Without repace a change of pace leaves the gap under way as it is, and the next
// has it.
func TestPacerKeepsItsGap(t *testing.T) {
	for _, rate := range []unit.BitRate{80 * unit.Gbps, unit.Gbps} {
		t.Run(fmt.Sprintf("rate=%v", rate), func(t *testing.T) {
			p := newPacer(wire.Full, 8*unit.Gbps, false)
			p.started(at(us), 1000)
			if !p.change(at(us+100*ns), rate, 0) {
				t.Errorf("%v is no change", rate)
			}
			if p.next != at(2*us) {
				t.Errorf("at %v: next at %v, want %v", rate, p.next, at(2*us))
			}
			p.started(p.next, 1000)
			if want := at(2 * us).Add(rate.SerialTime(1000)); p.next != want {
				t.Errorf("at %v: then next at %v, want %v", rate, p.next, want)
			}
		})
	}
}
