package outside

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// fixture is a port between fakes: a ring of frames with stamps, and a model that takes each at its time, or at floor
// if that is later.
type fixture struct {
	*Port
	clock    pace.Clock
	realtime int64 // CLOCK_REALTIME - CLOCK_MONOTONIC

	gathered [][]byte
	ring     []stamped
	sent     [][]byte // and flushed
	taken    []unit.Time
	told     []unit.Time
	last     *wire.Frame
	floor    unit.Time
	kept     []unit.Time
	// forgot has the number of frames left in the ring at each call of Forget.
	forgot []int
}

type stamped struct {
	frame []byte
	stamp int64
}

func newFixture(dilation int64) *fixture {
	f := &fixture{clock: pace.Clock{Epoch: pace.Now(), Dilation: dilation}}
	f.realtime = time.Now().UnixNano() - pace.Now()
	f.Port = NewPort(Setup{
		Model:   f,
		Device:  f,
		Clock:   &f.clock,
		Frames:  f,
		Journal: f,
	})
	return f
}

func (f *fixture) Next() ([]byte, int64, bool) {
	if len(f.ring) == 0 {
		return nil, 0, false
	}
	return f.ring[0].frame, f.ring[0].stamp, true
}

func (f *fixture) Release()            { f.ring = f.ring[1:] }
func (f *fixture) Forget()             { f.forgot = append(f.forgot, len(f.ring)) }
func (f *fixture) Send(frame []byte)   { f.gathered = append(f.gathered, bytes.Clone(frame)) }
func (f *fixture) Flush()              { f.sent, f.gathered = append(f.sent, f.gathered...), nil }
func (f *fixture) New() *wire.Frame    { return new(wire.Frame) }
func (f *fixture) again() (wall int64) { return f.Port.Next() }

func (f *fixture) Add(_, taken unit.Time, _ []byte) { f.kept = append(f.kept, taken) }

func (f *fixture) Inject(at, horizon unit.Time, frame *wire.Frame) unit.Time {
	f.last = frame
	at = max(at, f.floor)
	f.taken, f.told = append(f.taken, at), append(f.told, horizon)
	return at
}

// arrives puts a frame into the ring that came in at a model time.
func (f *fixture) arrives(at unit.Time) {
	f.ring = append(f.ring, stamped{frameOf(1), f.clock.Wall(at) + f.realtime})
}

// frameOf returns a frame that its number distinguishes from others.
func frameOf(number uint32) []byte {
	f := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge, PSN: number}
	return f.AppendTo(nil)
}

const us = unit.Time(unit.Microsecond)

// about tolerates what the two clocks of the fixture differ by.
func about(got, want unit.Time) bool { return max(got-want, want-got) < 2*us }

// Frames that came in long before the run do not belong to it.
func TestFramesFromBeforeTheRunAreLeftOut(t *testing.T) {
	f := newFixture(1)
	for range 3 {
		f.arrives(-5000 * us)
	}
	f.Look(100 * us)
	if got := f.Counters(); got.Early != 3 || got.Received != 0 || len(f.taken) != 0 || len(f.ring) != 0 {
		t.Errorf("%d early frames, %d received, %d left", got.Early, got.Received, len(f.ring))
	}
	f.arrives(20 * us)
	f.arrives(-5000 * us) // after one that counts, a stamp of before is no more than late
	f.Look(1000 * us)
	if got := f.Counters(); got.Early != 3 || got.Received != 2 {
		t.Errorf("%d early frames, %d received", got.Early, got.Received)
	}
}

// Losses before the run are not losses of the run: they are discarded once, when the earlier frames are out of the
// ring.
func TestWhatWasLostBeforeTheRunIsForgotten(t *testing.T) {
	for _, later := range []int{0, 1, 2} {
		f := newFixture(1)
		for range 3 {
			f.arrives(-5000 * us)
		}
		for range later {
			f.arrives(0)
		}
		for range 3 {
			f.Look(100 * us)
			f.arrives(0)
		}
		if !slices.Equal(f.forgot, []int{later}) {
			t.Errorf("%d frames of the run: forgotten with %v frames in the ring", later, f.forgot)
		}
	}
}

// What came in before the horizon is taken at its stamp, and the rest stays in the ring,
// however much has been read.
func TestALookTakesWhatCameBeforeItsHorizon(t *testing.T) {
	f := newFixture(1)
	f.clock.Epoch -= int64(time.Second) // all of this is past
	for i := range 300 {
		f.arrives(unit.Time(i) * 10 * us)
	}
	if at := f.Ahead(); !about(at, 0) {
		t.Errorf("the oldest frame is at %v", at)
	}
	if earliest := f.Look(2005 * us); !about(earliest, 0) || len(f.taken) != 201 || len(f.ring) != 99 {
		t.Fatalf("%d frames taken from %v on, %d left in the ring; want 201 from 0 on and 99",
			len(f.taken), earliest, len(f.ring))
	}
	for i, at := range f.taken {
		if !about(at, unit.Time(i)*10*us) || f.told[i] != 2005*us {
			t.Errorf("frame %d is given at %v with the horizon %v", i, at, f.told[i])
		}
	}
	if !slices.Equal(f.kept, f.taken) {
		t.Error("the journal has other times than the model took")
	}
	if at := f.Ahead(); !about(at, 2010*us) {
		t.Errorf("the oldest frame left is at %v, want 2.01 ms", at)
	}
	if f.Look(2008*us) != unit.Never || f.Look(unit.Never) == unit.Never || f.Ahead() != unit.Never {
		t.Error("a look takes what lies behind its horizon, or leaves something before it")
	}
	if n := f.Counters().Received; n != 300 {
		t.Errorf("%d frames counted, want 300", n)
	}
}

// What the codec knows is known to the model, unless all is to be carried as bytes.
func TestFramesOfTheFabricAreKnownOrCarriedAsBytes(t *testing.T) {
	for _, opaque := range []bool{false, true} {
		f := newFixture(1)
		f.setup.Opaque = opaque
		f.arrives(0)
		f.Look(unit.Never)
		if f.last.IsOpaque() != opaque || !bytes.Equal(f.last.AppendTo(nil), frameOf(1)) {
			t.Errorf("carried as bytes: %v, want %v; it is %v", f.last.IsOpaque(), opaque, f.last)
		}
	}
}

func TestAStampThatLiesAheadIsNotBelieved(t *testing.T) {
	f := newFixture(1)
	f.ring = append(f.ring, stamped{frameOf(1), pace.Now() + f.realtime + int64(time.Hour)})
	before := f.clock.Model(pace.Now())
	first := f.Ahead()
	if after := f.clock.Model(pace.Now()); first < before || first > after || f.Counters().Stampless != 1 {
		t.Errorf("a stamp of an hour from now: it came in at %v, read from %v to %v", first, before, after)
	}
	if f.Look(unit.Never); f.taken[0] != first || f.Counters().Stampless != 1 {
		t.Errorf("it is taken at %v, was first seen at %v", f.taken[0], first)
	}
}

// How far the model moves what comes in is counted on the wall.
func TestWhatIsTakenLateIsCounted(t *testing.T) {
	f := newFixture(10)
	for _, moved := range []unit.Duration{0, 300, 50 * unit.Microsecond} {
		f.Started(moved)
	}
	if c := f.Counters(); c.Taken.Count() != 3 || c.Taken.Max() != int64(500*time.Microsecond) || c.Lateness.Count() != 0 {
		t.Errorf("%d frames, at most %v late", c.Taken.Count(), time.Duration(c.Taken.Max()))
	}
}

// For any setting of the host's clock while frames wait, each is taken at the time at which it came, or at which it was
// read; none is lost, and none is an hour early or late.
func TestAClockThatIsSetLosesNothing(t *testing.T) {
	const ms, hour = int64(time.Millisecond), int64(time.Hour)
	for _, test := range []struct {
		name string
		// set is the offset by which the clock is set at 21, 24 and 41 ms, and back at 43 ms.
		set [3]int64
		// steps are the visible steps: a step undone between two looks does not count.
		steps, stampless uint64
	}{
		{"never", [3]int64{}, 0, 0},
		{"forwards", [3]int64{hour}, 1, 2},
		{"back", [3]int64{-hour}, 1, 2},
		{"forwards by little", [3]int64{2 * ms}, 1, 2},
		{"back by little", [3]int64{-2 * ms}, 1, 2},
		{"forwards, and back again", [3]int64{hour, -hour}, 2, 3},
		{"back, and forwards again", [3]int64{-hour, hour}, 2, 3},
		{"forwards, and back before anybody looks", [3]int64{0, 0, hour}, 0, 1},
		{"back, and forwards before anybody looks", [3]int64{0, 0, -hour}, 0, 1},
	} {
		f := newFixture(1)
		f.clock.Epoch = 10 * hour
		now, offset := f.clock.Epoch, 100*hour
		f.stamps = pace.Stamps{Clocks: func() (int64, int64) { return now + offset, now }}
		f.read()
		var came, read []int64
		at := func(t int64, do func()) {
			now = f.clock.Epoch + t*ms
			do()
		}
		arrives := func() {
			came = append(came, now)
			f.ring = append(f.ring, stamped{frameOf(1), now + offset})
		}
		look := func() {
			f.Look(unit.Never)
			for len(read) < len(f.taken) {
				read = append(read, now)
			}
		}
		set := func(by int64) func() { return func() { offset += by } }
		at(10, arrives)
		at(11, look)
		at(20, arrives)
		at(21, set(test.set[0]))
		at(22, arrives)
		at(23, look)
		at(24, set(test.set[1]))
		at(25, arrives)
		at(26, look)
		at(30, arrives)
		at(31, look)
		at(40, arrives)
		at(41, set(test.set[2]))
		at(42, arrives)
		at(43, set(-test.set[2]))
		at(44, arrives)
		at(45, look)
		c := f.Counters()
		if len(f.taken) != len(came) || c.ClockSteps != test.steps || c.Stampless != test.stampless || c.Early != 0 {
			t.Errorf("%s: %d of %d frames, %d steps, %d without a stamp, want %d and %d", test.name, len(f.taken), len(came),
				c.ClockSteps, c.Stampless, test.steps, test.stampless)
		}
		for i, taken := range f.taken {
			if w := f.clock.Wall(taken); w < came[i] || w > read[i] || test.steps+test.stampless == 0 && w != came[i] {
				t.Errorf("%s: frame %d came after %v, was read after %v and is taken at %v", test.name, i,
					time.Duration(came[i]-f.clock.Epoch), time.Duration(read[i]-f.clock.Epoch), taken)
			}
		}
	}
}

func TestFramesLeaveWhenTheyAreDue(t *testing.T) {
	f := newFixture(1)
	out := func(due unit.Time, number uint32) {
		var frame wire.Frame
		if err := wire.Decode(frameOf(number), &frame); err != nil {
			t.Fatal(err)
		}
		f.Outward(due, &frame)
		frame = wire.Frame{} // it was only lent
	}
	for i := range uint32(3) {
		out(unit.Time(i)*100*us, i)
	}
	if next := f.again(); next != f.clock.Epoch {
		t.Errorf("it wants to be called at %d, want %d", next, f.clock.Epoch)
	}
	late := int64(30 * time.Millisecond)
	f.clock.Epoch -= late
	if n := f.SendDue(f.clock.Epoch + 199_999); n != 2 || len(f.sent) != 2 || f.Waiting() != 1 {
		t.Fatalf("%d frames sent, %d wait, want 2 and 1", n, f.Waiting())
	}
	if f.SendDue(f.clock.Epoch+199_999) != 0 || f.SendDue(f.clock.Epoch+200_000) != 1 {
		t.Error("the third frame is not sent in the nanosecond in which it is due")
	}
	for i := range uint32(50) { // buffers are used again
		out(unit.Time(i), 3+i)
		f.SendDue(pace.Never - 1)
	}
	for i, frame := range f.sent {
		if !bytes.Equal(frame, frameOf(uint32(i))) {
			t.Errorf("frame %d was sent as %x", i, frame)
		}
	}
	c := f.Counters()
	if c.Sent != 53 || c.Lateness.Count() != 53 || c.Lateness.Max() < late || len(f.free) != 3 {
		t.Errorf("%d frames sent, lateness of %d counted, at most %v, %d buffers; want 53, 53, 30 ms at least and 3",
			c.Sent, c.Lateness.Count(), time.Duration(c.Lateness.Max()), len(f.free))
	}
}

func TestAnEdgeRestsWithoutInput(t *testing.T) {
	f := newFixture(1)
	f.Look(unit.Never)
	if f.Resting() || f.again() != f.looked+int64(Tick) {
		t.Error("it rests at once, or does not look each tick")
	}
	f.heard -= int64(Rest)
	f.Look(unit.Never)
	if !f.Resting() || f.again() != pace.Never {
		t.Error("it looks on though nothing came in for long")
	}
	f.arrives(f.clock.Model(pace.Now()))
	f.Look(unit.Never)
	if f.Resting() {
		t.Error("it rests though a frame came in")
	}
}

// A port that watches its socket is woken by it as long as input comes more rarely than it would look, and looks by
// itself if input comes more often, or while a frame waits in the ring for its window.
func TestAWatchedPortRestsUnlessInputIsFrequent(t *testing.T) {
	for _, test := range []struct {
		gap  time.Duration
		rest bool
	}{{10 * time.Millisecond, true}, {Tick + Tick/2, true}, {Tick / 2, false}, {time.Microsecond, false}} {
		t.Run("every "+test.gap.String(), func(t *testing.T) { watched(t, test.gap, test.rest) })
	}
}

// watched lets bursts come in one gap after the other.
func watched(t *testing.T, gap time.Duration, rest bool) {
	f := newFixture(1)
	f.setup.Watched = true
	now := f.clock.Epoch
	f.stamps = pace.Stamps{Clocks: func() (int64, int64) { return now + f.realtime, now }}
	if f.Look(unit.Never); !f.Resting() || f.again() != pace.Never {
		t.Error("it looks before anything came in")
	}
	for range 3 * memory {
		now += int64(gap)
		for range 4 {
			f.ring = append(f.ring, stamped{frameOf(1), now + f.realtime})
		}
		f.Look(unit.Never)
	}
	if f.Resting() != rest {
		t.Errorf("every %v: resting is %t", gap, f.Resting())
	}
	now += int64(Rest)
	if f.Look(unit.Never); !f.Resting() {
		t.Errorf("every %v: it looks though nothing came in for long", gap)
	}
	f.ring = append(f.ring, stamped{frameOf(1), now + f.realtime})
	if f.Ahead(); f.Resting() {
		t.Errorf("every %v: it waits for its socket with a frame in the ring", gap)
	}
}

// A port looks twice in the latency of its link, as long as that is on the wall, and once in a millisecond at least.
func TestATickIsHalfOfTheLatency(t *testing.T) {
	for _, test := range []struct {
		latency  unit.Duration
		dilation int64
		want     time.Duration
	}{
		{0, 1, Tick},
		{100 * unit.Microsecond, 1, 50 * time.Microsecond},
		{600 * unit.Microsecond, 1, 300 * time.Microsecond},
		{100 * unit.Microsecond, 5, 250 * time.Microsecond},
		{unit.Microsecond, 100, 50 * time.Microsecond},
		{unit.Second, 1000, time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%v dilated by %d", test.latency, test.dilation), func(t *testing.T) {
			f := newFixture(test.dilation)
			f.setup.Latency = test.latency
			if got := f.again() - f.looked; got != int64(test.want) {
				t.Errorf("%v at K = %d: it looks each %v, want %v", test.latency, test.dilation, time.Duration(got), test.want)
			}
		})
	}
}
