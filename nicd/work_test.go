package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A message of one packet leaves once in the time that the NIC works on it; work on the next message passes while a
// long one leaves, and the latency is paid once. Tier: -short. Red: with begun left as it is in worked.
func TestWorkOnMessages(t *testing.T) {
	// startsOf are the starts of four messages.
	startsOf := func(latency, cost unit.Duration, message unit.Bytes) (starts []unit.Time) {
		p := profile.DefaultNIC()
		p.Host.MessageLatency, p.Host.MessageCost = latency, cost
		l := newLone(t, config("nic", 0, 1, p))
		l.send(4*message, message, decide(cc.Decision{Rate: 100 * unit.Gbps}))
		for _, d := range l.run(at(10 * us)) {
			if d.Frame.PSN%uint32(message/1000) == 0 {
				starts = append(starts, d.Start)
			}
		}
		return starts
	}
	for _, c := range []struct {
		latency, cost unit.Duration
		message       unit.Bytes
		first, apart  unit.Duration // apart 0: as far as without work
	}{
		{0, us, 1000, us, us},
		{2 * us, us, 1000, 3 * us, us},
		{2 * us, 0, 1000, 2 * us, 0},
		{0, us, 20000, us, 0},
	} {
		starts, free := startsOf(c.latency, c.cost, c.message), startsOf(0, 0, c.message)
		for i, start := range starts {
			want := at(c.first + unit.Duration(i)*c.apart)
			if c.apart == 0 {
				want = free[i].Add(c.first)
			}
			if start != want || len(starts) != 4 {
				t.Errorf("latency %v, cost %v: message %d of %d B starts at %v, want %v", c.latency, c.cost, i, c.message,
					start, want)
			}
		}
	}
}

// Resent packets are not worked on again, nor a message that waits while the pace changes.
func TestWorkIsDoneOnce(t *testing.T) {
	w := newWork(2*us, us)
	if got := w.of(0, at(us)); got != at(4*us) {
		t.Errorf("the first at %v", got)
	}
	w.begun = at(4 * us)
	if got := w.of(0, at(9*us)); got != at(4*us) {
		t.Errorf("the first again at %v", got)
	}
	if got := w.of(1, at(us)); got != at(5*us) {
		t.Errorf("the second at %v", got)
	}
	if newWork(0, 0) != nil {
		t.Error("no work is something")
	}
	p := newPacer(newPair(t, profile.DefaultNIC()).a.tx.Accounting(), 100*unit.Gbps, true)
	p.started(at(us), 1000)
	p.hold(at(3 * us))
	if p.change(at(2*us), 50*unit.Gbps, 0); p.next != at(3*us) {
		t.Errorf("after a change of the pace at %v", p.next)
	}
}
