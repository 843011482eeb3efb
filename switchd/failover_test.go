package switchd

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// late is outage with a delay: port 2 learns of it 3 us late.
func late(t *testing.T, c Config) *bench {
	t.Helper()
	c.Ports[2].Knows = &fabric.Knowledge{Down: []fabric.Outage{{From: 13 * us, To: 20 * us}}}
	return outage(t, c)
}

// A port that is late sends into the void, and obeys pauses, until it knows; then what waits is flushed, and what comes
// is dropped until the link is up.
func TestPortThatIsLateSendsIntoTheVoid(t *testing.T) {
	b := late(t, star(3))
	b.arrive(0, 11*us, data(2, 1))
	b.arrive(0, 13*us-1, data(2, 2))
	b.arrive(0, 13*us, data(2, 3))
	b.arrive(0, 20*us, data(2, 4))
	b.run(30 * us)
	b.want(`11000000 ps port 2 psn 1 ecn 2
		12999999 ps port 2 psn 2 ecn 2
		20000000 ps port 2 psn 4 ecn 2`)
	b.wantDrops(0, fabric.DropPortDown, 1)
}

// A pause that was received before lasts until the port knows that its link is down.
func TestPausesEndAtDetection(t *testing.T) {
	b := late(t, star(3))
	b.arrive(2, 8*us, pfc(65535, 3))
	b.arrive(0, 11*us, data(2, 1))
	b.arrive(0, 21*us, data(2, 2))
	b.run(400 * us)
	b.want("21000000 ps port 2 psn 2 ecn 2")
	b.wantDrops(0, fabric.DropPortDown, 1)
	if got := b.record(2).Classes.At(3).Paused; got != 5*unit.Microsecond {
		t.Errorf("paused for %v, want 5 us", got)
	}
}

// An outage that the port does not learn of loses arriving frames and changes nothing else.
func TestOutageThatIsNotNoticed(t *testing.T) {
	c := star(3)
	c.Ports[2].Knows = &fabric.Knowledge{}
	b := outage(t, c)
	b.arrive(0, 15*us, data(2, 1))
	b.arrive(2, 15*us, data(0, 2))
	b.arrive(2, 25*us, data(0, 3))
	b.run(30 * us)
	b.want(`15000000 ps port 2 psn 1 ecn 2
		25000000 ps port 0 psn 3 ecn 2`)
}

// An epoch begins before arrivals at its instant, and does not change the configuration's table. An empty set means
// that there is no route.
func TestEpochs(t *testing.T) {
	c := star(3)
	c.NextHops = append(c.NextHops, nil)
	c.Epochs = []fabric.Epoch{
		{At: 10 * us, Changes: []fabric.RouteChange{{First: 1, Count: 2, Set: 1}}},
		{At: 20 * us, Changes: []fabric.RouteChange{{First: 1, Count: 1, Set: 3}, {First: 2, Count: 1, Set: 2}}},
	}
	routes := slices.Clone(c.Routes)
	b := newBench(t, c)
	for i, at := range []unit.Time{10*us - 1, 10 * us, 20*us - 1, 20 * us} {
		b.arrive(0, at, data(2, uint32(i)))
	}
	b.arrive(0, 21*us, data(1, 9))
	b.run(30 * us)
	b.want(`9999999 ps port 2 psn 0 ecn 2
		10000000 ps port 1 psn 1 ecn 2
		19999999 ps port 1 psn 2 ecn 2
		20000000 ps port 2 psn 3 ecn 2`)
	b.wantDrops(0, fabric.DropNoRoute, 1)
	if !slices.Equal(c.Routes, routes) {
		t.Error("the table of the configuration has changed")
	}
}

// Epochs that are not in order, and changes of stations or sets that there are not, are refused.
func TestEpochsThatAreWrong(t *testing.T) {
	for _, x := range []struct {
		change fabric.RouteChange
		second unit.Time
	}{
		{fabric.RouteChange{First: -1, Count: 1}, 2 * us},
		{fabric.RouteChange{First: 2, Count: 2}, 2 * us},
		{fabric.RouteChange{First: 0, Count: -1}, 2 * us},
		{fabric.RouteChange{First: 0, Count: 1, Set: 3}, 2 * us},
		{fabric.RouteChange{First: 0, Count: 1}, us},
	} {
		c := star(3)
		c.Epochs = []fabric.Epoch{{At: us, Changes: []fabric.RouteChange{x.change}}, {At: x.second}}
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), "epoch") {
			t.Errorf("%+v, then at %v: %v", x.change, x.second, err)
		}
	}
}

// For any outages of ports, learned at any time: the accounts are right after every event, and nothing is held in the
// end.
func TestAccountsAfterEveryFlush(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := tight(4)
		c.Profile.Latency = unit.Duration(r.IntN(2)) * 300 * unit.Nanosecond
		for port := range c.Ports {
			from := us * unit.Time(5+r.IntN(10))
			to := from + us*unit.Time(1+r.IntN(10))
			c.Ports[port].Outages = []fabric.Outage{{From: from, To: to}}
			if known := from + us*unit.Time(r.IntN(4)); known < to && r.IntN(3) > 0 {
				c.Ports[port].Knows = &fabric.Knowledge{Down: []fabric.Outage{{From: known, To: to}}}
			}
		}
		b := newBench(t, c)
		b.checked = true
		for i := range 300 {
			at := us*3 + unit.Time(i)*100*ns
			port := r.IntN(4)
			if i%20 == 0 {
				b.arrive(port, at, pfc(uint16(r.IntN(500)), 3))
				continue
			}
			b.arrive(port, at, data(r.IntN(4), uint32(i)))
		}
		b.run(ms)
		if held := b.s.mmu.resident; held != 0 {
			t.Errorf("seed %d: %v are held in the end", seed, held)
		}
	}
}
