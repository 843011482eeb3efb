package outside

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/testbed/pace"
)

// fixture is a port between fakes: a ring of frames with stamps, and a model that takes
// each at the time it is told, or at floor where that is later.
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

// frameOf returns a frame that is told from others by its number.
func frameOf(number uint32) []byte {
	f := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge, PSN: number}
	return f.AppendTo(nil)
}

const us = unit.Time(unit.Microsecond)

// about tolerates what the two clocks of the fixture differ by.
func about(got, want unit.Time) bool { return max(got-want, want-got) < 2*us }

// What came in long before the run is no part of it. Tier: -short.
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

// What came in before the horizon is taken at its stamp, and the rest stays in the ring,
// however much has been read. Tier: -short.
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
// Tier: -short.
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

// Tier: -short.
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

// Tier: -short.
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

// Tier: -short.
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
