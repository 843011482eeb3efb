package proximal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const ms = unit.Time(unit.Millisecond)

func flow(i int) Flow { return Flow{SrcIP: uint32(i), DstIP: 9, DstQP: 17} }

func TestTableForgetsTheOneIdleLongest(t *testing.T) {
	table := NewTable(3)
	for i := range 3 {
		table.Touch(flow(i))
	}
	table.Touch(flow(0))
	if e, evicted := table.Touch(flow(3)); evicted == nil || evicted.Flow != flow(1) || !evicted.removed ||
		e.Flow != flow(3) {
		t.Errorf("%v made room for %v", evicted, e)
	}
	if table.Find(flow(1)) != nil || table.Len() != 3 || table.Oldest().Flow != flow(2) {
		t.Errorf("%d entries, the oldest %v", table.Len(), table.Oldest().Flow)
	}
	for table.Oldest() != nil {
		table.Remove(table.Oldest())
	}
	if table.Len() != 0 || len(table.heap) != 0 || table.cache != [cacheSlots]*Entry{} || len(table.answered) != 0 {
		t.Error("something is left in an emptied table")
	}
}

func TestAnswersNameTheirFlow(t *testing.T) {
	table := NewTable(4)
	e, _ := table.Touch(flow(1))
	table.SetAddresses(e, wire.MAC{1}, wire.MAC{2}, 50000)
	e.SrcQP = 5
	if table.FindAnswered(1, 9, 50000) != e || table.FindAnswered(1, 9, 50001) != nil ||
		table.FindAnswered(9, 1, 50000) != nil {
		t.Error("an answer is told by both addresses and the port")
	}
	table.SetAddresses(e, wire.MAC{1}, wire.MAC{3}, 50001) // a connection of its own
	if table.FindAnswered(1, 9, 50000) != nil || table.FindAnswered(1, 9, 50001) != e || e.SrcQP != 0 {
		t.Error("a new connection keeps the QP of the old one")
	}
}

func TestIgnores(t *testing.T) {
	var e Entry
	a, b := Point{Device: 1, Port: 2, Class: 3}, Point{Device: 1, Port: 3, Class: 3}
	e.Ignore(a, 10*us)
	if !e.Ignores(a, 10*us-1) || e.Ignores(a, 10*us) || e.Ignores(b, 0) {
		t.Error("a point is unheard up to the end, and no other is")
	}
	if e.Holds(9*us) || len(e.points) != 1 || e.Holds(10*us) || len(e.points) != 0 {
		t.Error("want a point that is unheard to hold nothing back, and forgotten at its end")
	}
}

// The receiver's CNPs are held back as long as any point is congested, and a time after.
func TestHolds(t *testing.T) {
	var e Entry
	a, b := Point{Device: 1, Port: 2, Class: 3}, Point{Device: 1, Port: 3, Class: 3}
	e.Hold(a, 10*us, 5*unit.Microsecond)
	e.Hold(b, 20*us, 1*unit.Microsecond)
	e.Hold(a, 30*us, 5*unit.Microsecond) // it is still
	for _, x := range []struct {
		at   unit.Time
		want bool
	}{{10 * us, true}, {30 * us, true}, {35*us - 1, true}, {35 * us, false}, {36 * us, false}} {
		t.Run(fmt.Sprintf("at=%v", x.at), func(t *testing.T) {
			if e.Holds(x.at) != x.want {
				t.Errorf("at %v: want held back %t", x.at, x.want)
			}
		})
	}
	if len(e.points) != 0 {
		t.Error("a point that is over stays")
	}
}

func TestClear(t *testing.T) {
	a, b := Point{Device: 1, Port: 2, Class: 3}, Point{Device: 1, Port: 3, Class: 3}
	for _, x := range []struct {
		clear Point
		at    unit.Time
		until unit.Time // of what is held back
		hears bool
	}{
		{a, 4 * us, 9 * us, true},   // the end, and the time after
		{a, 12 * us, 15 * us, true}, // it came too late to make it shorter, and makes nothing longer
		{b, 4 * us, 15 * us, false},
	} {
		t.Run(fmt.Sprintf("at=%v,until=%v", x.at, x.until), func(t *testing.T) {
			table := NewTable(1)
			e, _ := table.Touch(flow(1))
			e.Ignore(a, 10*us)
			e.Hold(a, 10*us, 5*unit.Microsecond)
			table.Clear(x.clear, x.at)
			if e.Ignores(a, 0) == x.hears || !e.Holds(x.until-1) || e.Holds(x.until) {
				t.Errorf("cleared %+v at %v: want heard %t, and CNPs held back up to %v", x.clear, x.at, x.hears, x.until)
			}
		})
	}
}

func TestPacer(t *testing.T) {
	var p Pacer
	a, b := &Entry{}, &Entry{}
	var sent []int
	send := func(e *Entry, now unit.Time) {
		sent = append(sent, int(now/us))
		p.Sent(e, now, 4*unit.Microsecond)
	}
	if p.Next() != unit.Never || !p.Add(a, 3, 5) {
		t.Fatal("the first CNP may leave at once")
	}
	send(a, 0)
	if p.Add(a, 1, 5) || !p.Add(b, 1, 5) {
		t.Fatal("one that waits is not sent at once, another flow's is")
	}
	send(b, us)
	for p.Next() < 30*us {
		now := p.Next()
		if e := p.Turn(); e != nil {
			send(e, now)
		}
	}
	if want := []int{0, 1, 4, 8, 12}; !slices.Equal(sent, want) {
		t.Errorf("sent at %v us, want %v", sent, want)
	}
	if !p.Add(a, 9, 5) || a.cnpsLeft != 5 {
		t.Errorf("%d wait, 5 at most", a.cnpsLeft)
	}
	p.Sent(a, 30*us, 4*unit.Microsecond)
	a.removed = true
	if p.Turn() != nil || a.cnpsLeft != 0 {
		t.Error("a CNP for a flow that is forgotten")
	}
}

// The entry at the shortest distance comes first, and entries of one instant in the order in which they were sent.
func TestPacerOfSeveralDistances(t *testing.T) {
	var p Pacer
	entries := []*Entry{{}, {}, {}, {}}
	for i, spacing := range []unit.Duration{6, 4, 3, 6} {
		p.Add(entries[i], 2, 2)
		p.Sent(entries[i], unit.Time(i)*us, spacing*unit.Microsecond)
	}
	for _, want := range []struct {
		entry int
		at    unit.Time
	}{{1, 5 * us}, {2, 5 * us}, {0, 6 * us}, {3, 9 * us}} {
		t.Run(fmt.Sprintf("entry=%v", want.entry), func(t *testing.T) {
			if at := p.Next(); at != want.at || p.Turn() != entries[want.entry] {
				t.Errorf("a turn at %v, want entry %d's at %v", at, want.entry, want.at)
			}
		})
	}
	if p.Next() != unit.Never {
		t.Error("a turn too many")
	}
}

// A pacer that always has something to send takes no more room for it.
func TestPacerKeepsItsRoom(t *testing.T) {
	var p Pacer
	a, b := &Entry{}, &Entry{}
	at := [2]unit.Time{0, us}
	for i, e := range []*Entry{a, b} {
		p.Add(e, 2, 2)
		p.Sent(e, at[i], 4*unit.Microsecond)
	}
	for i := range 10_000 {
		now := p.Next()
		if want := unit.Time(i%2)*us + unit.Time(4*(i/2+1))*us; now != want {
			t.Fatalf("turn %d at %v, want %v", i, now, want)
		}
		e := p.Turn()
		if e != []*Entry{a, b}[i%2] {
			t.Fatalf("turn %d is another flow's", i)
		}
		p.Sent(e, now, 4*unit.Microsecond)
		p.Add(e, 1, 2)
	}
	if cap(p.turns) > 8 {
		t.Errorf("room for %d turns, of which two wait", cap(p.turns))
	}
}

// The table agrees with a plain list of flows, the one touched last at its end, for any order of arrivals: slots that
// flows share and ranks that are put right late never show.
func TestTableIsAPlainList(t *testing.T) {
	const capacity, flows = 700, 1000 // more than there are slots
	table, luck := NewTable(capacity), chance.New(1, "table")
	var list []Flow
	drop := func(f Flow) {
		if i := slices.Index(list, f); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
	}
	for range 20000 {
		f := flow(int(luck.Below(flows)))
		switch luck.Below(10) {
		case 0:
			if e := table.Find(f); e != nil {
				table.Remove(e)
			}
			drop(f)
		case 1:
			if e := table.Oldest(); (e == nil) != (len(list) == 0) || e != nil && e.Flow != list[0] {
				t.Fatalf("the oldest is %v, want %v", e, list[0])
			}
		case 2:
			if e := table.Find(f); e != nil {
				table.SetAddresses(e, wire.MAC{1}, wire.MAC{2}, uint16(f.SrcIP%300))
				if table.FindAnswered(f.SrcIP, f.DstIP, uint16(f.SrcIP%300)) != e {
					t.Fatalf("%v is not the one answered", f)
				}
			}
		default:
			e, evicted := table.Touch(f)
			known := slices.Contains(list, f)
			drop(f)
			if full := !known && len(list) == capacity; full != (evicted != nil) || full && evicted.Flow != list[0] {
				t.Fatalf("%v made room", evicted)
			} else if full {
				list = list[1:]
			}
			if list = append(list, f); e.Flow != f || table.Len() != len(list) {
				t.Fatalf("%v of %d, want %v of %d", e.Flow, table.Len(), f, len(list))
			}
		}
	}
}

// Two flows with one path, as two QPs behind one source port: the answers belong to the one named last, and to neither
// once that is gone.
func TestAnswersOfOnePath(t *testing.T) {
	table := NewTable(4)
	a, _ := table.Touch(Flow{1, 2, 3})
	b, _ := table.Touch(Flow{1, 2, 4})
	for _, e := range []*Entry{a, b, a} {
		table.SetAddresses(e, wire.MAC{}, wire.MAC{}, 5)
		if table.FindAnswered(1, 2, 5) != e {
			t.Errorf("%v is named and not answered", e.Flow)
		}
	}
	table.Remove(b)
	if table.FindAnswered(1, 2, 5) != a {
		t.Error("the other one's removal takes the path away")
	}
	table.Remove(a)
	if table.FindAnswered(1, 2, 5) != nil {
		t.Error("a removed flow is answered")
	}
}
