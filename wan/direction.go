package wan

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// direction is one way through the path, from the port at which frames come in.
// Its record is that port's, with what the other direction sends there.
type direction struct {
	port      int
	near, far fabric.Attachment // where frames come in, and where they go out

	phases []profile.WANPhase // that in force first
	flaps  []fabric.Outage    // those to come or in force
	jitter *chance.Stream
	channel

	inside ring
	free   unit.Time // when the last bit of the last frame is out
	// held is the wire time of the frames inside and heldBytes their bytes;
	// bound is the most that held may be.
	held, heldMax, bound    unit.Duration
	heldBytes, heldBytesMax unit.Bytes

	busyUntil unit.Time
	rec       record.Port
}

// passage is a frame inside.
type passage struct {
	frame  *wire.Frame
	exit   unit.Time // of its first bit
	serial unit.Duration
	length unit.Bytes
	fate   fabric.DropReason
}

func newDirection(c *Config, port int) direction {
	near, far := c.Ports[port], c.Ports[1-port]
	stream := func(what string) *chance.Stream {
		return chance.New(c.Seed, fmt.Sprintf("wan/%s/%d/%s", c.Name, port, what))
	}
	return direction{
		port: port, near: near, far: far, phases: c.Profile.Phases, flaps: c.Profile.Flaps,
		jitter: stream("jitter"), channel: channel{chance: stream("loss")},
		bound: c.Profile.Longest(port) - near.Rx.Latency - far.Tx.Latency + c.longestFrame(port),
	}
}

func (w *direction) serial(length unit.Bytes, f *wire.Frame) unit.Duration {
	return w.near.Rx.Rate.SerialTime(w.near.Accounting.BytesOf(length, f))
}

// at returns the phase in force; calls come in the order of time.
func (w *direction) at(t unit.Time) *profile.WANPhase {
	for len(w.phases) > 1 && w.phases[1].From <= t {
		w.phases = w.phases[1:]
	}
	return &w.phases[0]
}

// dark tells whether there is no light at some time of [from, to); calls come
// in the order of from.
func (w *direction) dark(from, to unit.Time) bool {
	for len(w.flaps) > 0 && w.flaps[0].To <= from {
		w.flaps = w.flaps[1:]
	}
	return len(w.flaps) > 0 && w.flaps[0].From < to
}

func (w *direction) hold(serial unit.Duration, length unit.Bytes) {
	w.held += serial
	w.heldBytes += length
	w.heldMax, w.heldBytesMax = max(w.heldMax, w.held), max(w.heldBytesMax, w.heldBytes)
}

func (w *direction) release(t *passage) {
	w.held -= t.serial
	w.heldBytes -= t.length
}

// ring is the frames inside, in the order in which they leave.
type ring struct {
	slots      []passage
	head, tail uint32 // free-running; the number of slots is a power of two
}

func (r *ring) len() int        { return int(r.tail - r.head) }
func (r *ring) empty() bool     { return r.head == r.tail }
func (r *ring) first() *passage { return &r.slots[r.head&uint32(len(r.slots)-1)] }

func (r *ring) push(t passage) {
	if r.len() == len(r.slots) {
		grown := make([]passage, max(64, 2*len(r.slots)))
		n := uint32(0)
		for ; !r.empty(); n++ {
			grown[n] = r.pop()
		}
		r.slots, r.head, r.tail = grown, 0, n
	}
	r.slots[r.tail&uint32(len(r.slots)-1)] = t
	r.tail++
}

func (r *ring) pop() passage {
	slot := r.first()
	t := *slot
	slot.frame = nil
	r.head++
	return t
}

// each calls visit for every frame inside.
func (r *ring) each(visit func(*passage)) {
	for i := r.head; i != r.tail; i++ {
		visit(&r.slots[i&uint32(len(r.slots)-1)])
	}
}
