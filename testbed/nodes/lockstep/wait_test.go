package lockstep

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/internal/nap"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// crossing is a machine whose time passes only while its one participant waits. Frames come in at one edge, are handled
// by a switch 112 us later, and are due at another edge 112 us after that.
type crossing struct {
	now    int64
	inputs []int64 // on the wall, not taken yet
	due    []int64 // on the wall, not sent yet
	events []unit.Time
	// sleeps and spins count waits, windows what the participant took part in; late is the latest that a frame left, taken
	// the number that left.
	sleeps, spins, windows int
	late                   int64
	taken                  int
	// work is the wall time of a window, price the cost of a sleep, and ahead how early its timer is set.
	work, price, ahead int64
}

const hop = 112 * unit.Microsecond

func (c *crossing) serve(m *Member) func(now int64) int64 {
	return func(now int64) (again int64) {
		for ; len(c.due) > 0 && c.due[0] <= now; c.due = c.due[1:] {
			c.late = max(c.late, now-c.due[0])
			c.taken++
		}
		if !c.hasten(m) {
			m.Arm()
		}
		if len(c.due) > 0 {
			return c.due[0]
		}
		return pace.Never
	}
}

func (c *crossing) hasten(m *Member) (came bool) {
	if came = len(c.inputs) > 0 && c.inputs[0] <= c.now; came {
		m.Hasten(m.page.clockNow().Model(c.inputs[0]))
	}
	return came
}

// window takes what came in, and handles events before its end.
func (c *crossing) window(m *Member, horizon unit.Time) (next unit.Time) {
	c.windows++
	c.now += c.work
	clock := m.page.clockNow()
	for len(c.inputs) > 0 && c.inputs[0] <= c.now && clock.Model(c.inputs[0]) < horizon {
		c.events = append(c.events, clock.Model(c.inputs[0]).Add(hop))
		c.inputs = c.inputs[1:]
	}
	for i := 0; i < len(c.events); {
		at := c.events[i]
		if at >= horizon {
			i++
			continue
		}
		c.due = append(c.due, clock.Wall(at.Add(hop)))
		c.events = slices.Delete(c.events, i, i+1)
	}
	c.hasten(m)
	if len(c.events) == 0 {
		return unit.Never
	}
	return slices.Min(c.events)
}

// run lets frames come in one gap after the other, until all have left.
func (c *crossing) run(t *testing.T, frames int, gap int64) {
	t.Helper()
	s := paced(1, 1, unit.Time(unit.Second))
	s.Lookahead = 50 * unit.Microsecond
	p, err := Create(s)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c.now = 5_000_000_000
	for i := range frames {
		c.inputs = append(c.inputs, c.now+1_000_000+int64(i)*gap)
	}
	m := p.Join(0)
	m.waits = waits{
		now:  func() int64 { return c.now },
		rest: func(_ uint32, until int64) { c.sleeps, c.now = c.sleeps+1, until },
		watch: func(until int64) {
			c.sleeps++
			if len(c.inputs) > 0 {
				until = min(until, c.inputs[0])
			}
			c.now = max(c.now, until)
		},
		spin: func(_ uint32, until int64) { c.spins, c.now = c.spins+1, until },
		nap:  nap.Nap{Price: c.price, Late: c.ahead},
	}
	m.Serve(c.serve(m))
	m.Complete(0)
	m.Arrive(0)
	for c.taken < frames {
		horizon, v := m.Await()
		if v != Granted {
			t.Fatalf("verdict %d after %d windows, with %d of %d frames", v, c.windows, c.taken, frames)
		}
		m.Arrive(c.window(m, horizon))
	}
	if p.Early() != 0 {
		t.Errorf("%d windows began before their time", p.Early())
	}
}

// A frame that is by itself costs three wake-ups: when it comes in, for the switch, and when it is due. The sockets are
// waited for without patience here, so there is none while nothing comes.
func TestAFrameByItselfWakesThreeTimes(t *testing.T) {
	c := &crossing{}
	c.run(t, 100, 1_000_000)
	if c.sleeps != 301 || c.spins != 0 || c.late != 0 {
		t.Errorf("%d wake-ups, %d spins for 100 frames, at most %d ns late; want 301, the end's among them, 0 and 0",
			c.sleeps, c.spins, c.late)
	}
}

// A sleep that is less late than its timer was set ahead ends before its instant: the rest is spun, so that the frame
// leaves in time, and not a grain later.
func TestTheRestOfAnEarlySleepIsSpun(t *testing.T) {
	c := &crossing{price: 30_000, ahead: 30_000}
	c.run(t, 100, 1_000_000)
	if c.late != 0 || c.spins == 0 || c.sleeps > 301 {
		t.Errorf("%d wake-ups, %d spins for 100 frames, at most %d ns late", c.sleeps, c.spins, c.late)
	}
}

// Frames that follow each other share wake-ups, and none is later than a grain.
func TestFramesThatFollowEachOtherShareWakeUps(t *testing.T) {
	for _, test := range []struct {
		gap             int64
		sleeps, windows int // at most, for 1000 frames
	}{{150_000, 2010, 3010}, {128_000, 2010, 2010}, {60_000, 2010, 1010}, {20_000, 710, 410}, {5_000, 200, 110}} {
		t.Run(fmt.Sprintf("a frame each %d ns", test.gap), func(t *testing.T) {
			c := &crossing{}
			c.run(t, 1000, test.gap)
			if c.sleeps > test.sleeps || c.windows > test.windows || c.late > int64(nap.Grain) {
				t.Errorf("a frame each %d ns: %d wake-ups and %d windows for 1000 frames, at most %d ns late; allowed are %d, %d "+
					"and %d", test.gap, c.sleeps, c.windows, c.late, test.sleeps, test.windows, int64(nap.Grain))
			}
		})
	}
}

// A wait that takes less than a sleep costs keeps the processor; all others sleep.
func TestShortWaitsSpin(t *testing.T) {
	sleeping, spinning := &crossing{work: 30_000}, &crossing{work: 30_000, price: 25_000}
	sleeping.run(t, 1000, 60_000)
	spinning.run(t, 1000, 60_000)
	if spinning.spins < 500 || spinning.sleeps+spinning.spins > sleeping.sleeps+100 || sleeping.spins != 0 {
		t.Errorf("%d wake-ups and %d spins, with a price %d and %d", sleeping.sleeps, sleeping.spins, spinning.sleeps,
			spinning.spins)
	}
}
