package switchd

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rebooting is a switch that reboots from 10 to 20 us.
func rebooting(c Config) Config {
	c.Reboots = []fabric.Outage{{From: 10 * us, To: 20 * us}}
	for i := range c.Ports {
		c.Ports[i].Outages = c.Reboots
	}
	return c
}

// A switch that reboots drops its frames for a reason of its own, does not send pauses as it does so, and has all of
// its memory when it is up, with no class paused and no account held.
func TestRebootEmptiesTheSwitch(t *testing.T) {
	b := newBench(t, rebooting(tight(3)))
	b.checked = true
	b.arrive(2, 9*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(0, 9500*ns+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.run(10*us - 1)
	if b.s.mmu.paused == 0 || b.s.mmu.resident == 0 {
		t.Fatal("nothing is paused or held before the reboot")
	}
	b.sent = nil
	b.run(10 * us)
	b.want("")
	b.wantDrops(0, fabric.DropReboot, 4)
	b.wantDrops(0, fabric.DropPortDown, 0)
	if lost := b.record(2).Outages[0].Flushed.Frames; lost != 4 {
		t.Errorf("%d frames are counted for the outage of port 2, want 4", lost)
	}
	b.arrive(0, 25*us, data(2, 7))
	b.run(30 * us)
	b.want("25000000 ps port 2 psn 7 ecn 2")
	for i := range b.s.ports {
		if p := &b.s.ports[i]; p.xoff != 0 || p.pauses.Held() != 0 || p.down {
			t.Errorf("port %d: paused %b, asked to pause %b, down %t", i, p.pauses.Held(), p.xoff, p.down)
		}
	}
	if held := b.s.mmu.resident; held != 0 || b.s.mmu.paused != 0 {
		t.Errorf("%v are held, %d classes paused", held, b.s.mmu.paused)
	}
}

// After a reboot, turns begin with the first next hop, and flowlets are new.
func TestRebootForgetsTurns(t *testing.T) {
	c := star(4)
	c.Profile.Forwarding = profile.RoundRobin
	c.NextHops[1] = []uint16{1, 2, 3}
	b := newBench(t, rebooting(c))
	for i, at := range []unit.Time{5 * us, 6 * us, 25 * us, 26 * us} {
		b.arrive(0, at, data(1, uint32(i)))
	}
	b.run(30 * us)
	b.want(`5000000 ps port 1 psn 0 ecn 2
		6000000 ps port 2 psn 1 ecn 2
		25000000 ps port 1 psn 2 ecn 2
		26000000 ps port 2 psn 3 ecn 2`)
}

// In a reboot every link is down.
func TestRebootNeedsOutages(t *testing.T) {
	for _, c := range []struct {
		down  fabric.Outage
		right bool
	}{
		{fabric.Outage{From: 10 * us, To: 20 * us}, true},
		{fabric.Outage{From: 9 * us, To: 21 * us}, true},
		{fabric.Outage{From: 10*us + 1, To: 20 * us}, false},
		{fabric.Outage{From: 10 * us, To: 20*us - 1}, false},
	} {
		config := rebooting(star(2))
		config.Ports[1].Outages = []fabric.Outage{c.down}
		const want = "port 1: its link is up"
		if _, err := New(config); (err == nil) != c.right || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a link that is down from %v to %v: %v", c.down.From, c.down.To, err)
		}
	}
}
