package attribution

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Two or three flows in bins of 100 us over ports of 100 Gb/s, worked out by hand.

const us = unit.Microsecond

// bins is a series of sums in microseconds.
func bins(values ...int) record.Series {
	var s record.Series
	for bin, v := range values {
		s.Put(bin, uint64(unit.Duration(v)*us))
	}
	return s
}

// portOf is a port that is busy for the given number of microseconds in each bin.
func portOf(busy ...int) Port {
	load := bins(busy...)
	return Port{Rate: 100 * unit.Gbps, Load: &load}
}

// sender is a flow that sends over ports; for the rest of each bin in which it is active its pacer holds it.
func sender(way []int, sending, held record.Series) Flow {
	f := Flow{Sends: &record.SendSeries{Sending: sending, Held: held}}
	for hop, port := range way {
		f.Way = append(f.Way, Step{Port: port, Hop: hop, Share: 1})
	}
	for bin := range sending.Len() {
		f.Spent[record.Sending] += unit.Duration(sending.At(bin))
	}
	for bin := range held.Len() {
		f.Spent[record.Paced] += unit.Duration(held.At(bin))
	}
	return f
}

// divided compares the parts of the first flow, in microseconds.
func divided(t *testing.T, f *Fabric, want map[Part]int) Divided {
	t.Helper()
	f.Width = 100 * us
	f.Prepare()
	got := f.Divide()[0]
	for part := range NumParts {
		if got.Parts[part] != unit.Duration(want[part])*us {
			t.Errorf("%v is %v, want %d us", part, got.Parts[part], want[part])
		}
	}
	if flow := &f.Flows[0]; got.Parts.Total() != flow.Spent.Total() {
		t.Errorf("the parts are %v of %v", got.Parts.Total(), flow.Spent.Total())
	}
	return got
}

// A lone flow that sends for 30 of each 100 us is held back for the rest.
func TestHeldBack(t *testing.T) {
	got := divided(t, &Fabric{
		Bins:  2,
		Ports: []Port{portOf(30, 30), portOf(30, 30)},
		Flows: []Flow{sender([]int{0, 1}, bins(30, 30), bins(70, 70))},
	}, map[Part]int{Alone: 60, HeldBack: 140})
	if got.Port != 0 || got.Takers != nil {
		t.Errorf("at port %d, taken by %v", got.Port, got.Takers)
	}
	if want := (HeldBackAt{30 * unit.Gbps, 70 * unit.Gbps, 70 * unit.Gbps, unit.Time(200 * us)}); got.HeldBackAt != want {
		t.Errorf("%+v, want %+v", got.HeldBackAt, want)
	}
}

// The free rate leaves out a tenth of the time at either end, measured by the time held and not by bins: 10 of 255 us
// with 5 Gb/s free, and 10 us with all of it free. In the last bin the flow wanted to send for 10 us only. Red if bins
// count equally, or if no time is left out.
func TestRatesOfBeingHeldBack(t *testing.T) {
	f := &Fabric{
		Width: 100 * us,
		Bins:  7,
		Ports: []Port{portOf(95, 95, 80, 40, 40, 5, 0)},
		Flows: []Flow{sender([]int{0}, bins(95, 95, 80, 40, 40, 5, 0), bins(5, 5, 20, 60, 60, 95, 10))},
	}
	f.Prepare()
	got := f.Divide()[0].HeldBackAt
	// (10 x 95 + 20 x 80 + 120 x 40 + 95 x 5 + 10 x 0) / 255 = 30.686...
	want := HeldBackAt{30_686_274_509, 20 * unit.Gbps, 95 * unit.Gbps, unit.Time(700 * us)}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Two flows that fill a port with 50 us each have their fair share.
func TestShared(t *testing.T) {
	divided(t, &Fabric{
		Bins:  2,
		Ports: []Port{portOf(50, 50), portOf(50, 50), portOf(100, 100)},
		Flows: []Flow{sender([]int{0, 2}, bins(50, 50), bins(50, 50)), sender([]int{1, 2}, bins(50, 50), bins(50, 50))},
	}, map[Part]int{Alone: 100, Shared: 100})
}

// Two flows of one NIC that take turns for 20 us of a bin: it does not show that they were together, the sender does.
func TestSharedNICInAWideBin(t *testing.T) {
	inTurn := func() Flow {
		f := sender([]int{0}, bins(10), bins())
		f.Sends.PortBusy, f.Spent[record.PortBusy] = bins(10), 10*us
		return f
	}
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(20)},
		Flows: []Flow{inTurn(), inTurn()},
	}, map[Part]int{Alone: 10, Shared: 10})
}

// The flow has 20 us of its own, and its fair share allows as much contention again; the other flow took the remaining
// 60 us.
func TestUnfair(t *testing.T) {
	got := divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(20), portOf(80), portOf(100)},
		Flows: []Flow{sender([]int{0, 2}, bins(20), bins(80)), sender([]int{1, 2}, bins(80), bins(20))},
	}, map[Part]int{Alone: 20, Shared: 20, Unfair: 60})
	if got.Port != 1 || len(got.Takers) != 1 || got.Takers[0] != 1 {
		t.Errorf("at port %d, taken by %v", got.Port, got.Takers)
	}
}

// The port is full for 60 us of the bin, the flow has 20 of them and is held for 80: 40 us of it the port was idle.
func TestHeldBackComesFirst(t *testing.T) {
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(20), portOf(40), portOf(60)},
		Flows: []Flow{sender([]int{0, 2}, bins(20), bins(80)), sender([]int{1, 2}, bins(40), bins(60))},
	}, map[Part]int{Alone: 20, HeldBack: 40, Shared: 20, Unfair: 20})
}

// Another member of the group was idle for 90 us of the bin, so 90 us of the contention are a collision.
func TestCollision(t *testing.T) {
	first := sender([]int{0, 2}, bins(5), bins(95))
	first.Beside = func(step int) [][]Step {
		if step == 1 {
			return [][]Step{{{Port: 3, Share: 1}}}
		}
		return nil
	}
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(5), portOf(95), portOf(100), portOf(10)},
		Flows: []Flow{first, sender([]int{1, 2}, bins(95), bins(5))},
	}, map[Part]int{Alone: 5, Collision: 90, Shared: 5})
}

// The other member of the group was held by PFC for all of the bin but 10 us.
func TestPausedIsNotIdleBeside(t *testing.T) {
	first, held := sender([]int{0, 2}, bins(5), bins(95)), bins(80)
	other := portOf(10)
	other.Paused = &held
	first.Beside = func(int) [][]Step { return [][]Step{{{Port: 3, Share: 1}}} }
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(5), portOf(95), portOf(100), other},
		Flows: []Flow{first, sender([]int{1, 2}, bins(95), bins(5))},
	}, map[Part]int{Alone: 5, Collision: 10, Shared: 5, Unfair: 80})
}

// A flow that is present for half of the bin counts half: the fair share is two thirds, so 50 us of its own allow 25 us
// of contention.
func TestFairShareOfAPassingFlow(t *testing.T) {
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(50), portOf(50), portOf(100)},
		Flows: []Flow{sender([]int{0, 2}, bins(50), bins(50)), sender([]int{1, 2}, bins(50), bins())},
	}, map[Part]int{Alone: 50, Shared: 25, Unfair: 25})
}

// A flow of 20 us in a bin with idle time and a pause may have been held or paused for 10 of them: idle comes first.
func TestHeldBackComesBeforePaused(t *testing.T) {
	port, held := portOf(10), bins(10)
	port.Paused = &held
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(10), port},
		Flows: []Flow{sender([]int{0, 1}, bins(10), bins(10))},
	}, map[Part]int{Alone: 10, HeldBack: 10})
}

// Data sent in the first bin leaves a port of a quarter of the rate within three bins, while the pacer holds the rest.
func TestOwnQueueWhileHeld(t *testing.T) {
	slow := portOf(100, 100, 100)
	slow.Rate = 25 * unit.Gbps
	divided(t, &Fabric{
		Bins:  3,
		Ports: []Port{portOf(75), slow},
		Flows: []Flow{sender([]int{0, 1}, bins(75), bins(25, 100, 100))},
	}, map[Part]int{Alone: 300})
}

// The bottleneck was held by PFC for 70 us and idle for none.
func TestPausedOnTheWay(t *testing.T) {
	port, held := portOf(30), bins(70)
	port.Paused = &held
	got := divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(30), port},
		Flows: []Flow{sender([]int{0, 1}, bins(30), bins(70))},
	}, map[Part]int{Alone: 30, Paused: 70})
	if got.Root != 1 {
		t.Errorf("the root is port %d", got.Root)
	}
}

// A victim's NIC is held for 60 us. Its frames go on to port 2, which is idle. The other flow's frames on port 1 go on
// to port 3, which was held itself, and from there to port 4, which was busy: port 4 is the root.
func TestRootOfPauses(t *testing.T) {
	held := bins(60)
	ports := []Port{portOf(10), portOf(40), portOf(10), portOf(30), portOf(100)}
	ports[1].Paused, ports[3].Paused = &held, &held
	victim, other := sender([]int{0, 1, 2}, bins(10), bins(90)), sender([]int{0, 1, 3, 4}, bins(30), bins(70))
	got := divided(t, &Fabric{Bins: 1, Ports: ports, Flows: []Flow{victim, other}},
		map[Part]int{Alone: 10, Paused: 60, Shared: 10, Unfair: 20})
	if got.Root != 4 {
		t.Errorf("the root is port %d", got.Root)
	}
}

// A port of half the NIC's rate takes 60 us for what the NIC sends in 30.
func TestSlowerPort(t *testing.T) {
	slow := portOf(60)
	slow.Rate = 50 * unit.Gbps
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(30), slow},
		Flows: []Flow{sender([]int{0, 1}, bins(30), bins(70))},
	}, map[Part]int{Alone: 60, HeldBack: 40})
}

// A burst of 100 us waits at a port of a quarter of the rate: what its last packet waits for is its own.
func TestOwnQueueIsNoOnesFault(t *testing.T) {
	slow := portOf(100, 100, 100, 100)
	slow.Rate = 25 * unit.Gbps
	f := sender([]int{0, 1}, bins(100), bins())
	f.Travel, f.Spent[record.InFlight] = 7*us, 310*us
	divided(t, &Fabric{Bins: 4, Ports: []Port{portOf(100), slow}, Flows: []Flow{f}}, map[Part]int{Alone: 407, Queued: 3})
}

// The NIC's exact states are parts as they are.
func TestExactStates(t *testing.T) {
	f := sender([]int{0}, bins(10), bins())
	f.Spent[record.Paused], f.Spent[record.Repairing], f.Spent[record.NothingToSend] = us, 2*us, 3*us
	divided(t, &Fabric{Bins: 1, Ports: []Port{portOf(10)}, Flows: []Flow{f}},
		map[Part]int{Alone: 10, Paused: 1, Repair: 2, Host: 3})
}

// What no bin shows is unresolved: the states of the sender were not recorded.
func TestUnresolved(t *testing.T) {
	f := sender([]int{0}, bins(10), bins())
	f.Spent[record.Paced], f.Sends = 5*us, nil
	divided(t, &Fabric{Bins: 1, Ports: []Port{portOf(10)}, Flows: []Flow{f}}, map[Part]int{Alone: 10, Unresolved: 5})
}
