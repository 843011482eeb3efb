package outside

import (
	"time"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Tick is the least interval at which an edge that is awake looks for input: half of the least latency that its link
// may have. It looks twice in the latency of its link, and each longestTick at least: at 1 Gb/s that is before the ring
// is full.
const (
	Tick        = 50 * time.Microsecond
	longestTick = time.Millisecond
)

// Rest is the time without input after which an edge stops polling if another thread must wait for its socket.
const Rest = 10 * time.Millisecond

// memory is the number of looks with a frame that a port remembers, to know how often input comes.
const memory = 8

// Model is the edge's model: see edge.Edge.
type Model interface {
	Inject(at, horizon unit.Time, f *wire.Frame) (taken unit.Time)
}

// Device is the interface of the host: see device.Port.
type Device interface {
	// Next returns the oldest frame that came in, finished, and its stamp in
	// nanoseconds of CLOCK_REALTIME. It is the same until Release.
	Next() (frame []byte, stamp int64, ok bool)
	Release()
	// Forget discards the counts of losses so far on the way in.
	Forget()
	// Send gathers a frame, without keeping it, and Flush sends the gathered ones; frames that cannot be sent are
	// counted there.
	Send(frame []byte)
	Flush()
}

// Frames is where frames come from: the outbox of the worker that runs the edge.
type Frames interface{ New() *wire.Frame }

// Journal keeps what came in: see journal.Writer.
type Journal interface {
	Add(came, taken unit.Time, frame []byte)
}

// Setup has the parts that a port joins.
type Setup struct {
	Model  Model
	Device Device
	// Clock is the clock of the run. Its epoch is changed in place.
	Clock  *pace.Clock
	Frames Frames
	// Journal, if not nil, keeps what comes in.
	Journal Journal
	// Latency is that of the edge's link: the model time that input may wait in the ring. An edge looks for it twice in
	// that time.
	Latency unit.Duration
	// Watched is set if the thread of the port waits for its socket itself. The port then wants to be woken by that
	// as long as input comes more rarely than it would look.
	Watched bool
	// Opaque carries every frame as the bytes that it is, RoCEv2 and pauses too, as a
	// wire does.
	Opaque bool
}

// Port is one edge on one interface. It belongs to the thread that runs the
// edge's windows. The edge's Outward and Started must be its methods of those names.
type Port struct {
	setup  Setup
	stamps pace.Stamps
	count  Counters

	head   arrival
	begun  bool  // what came in before the run is out of the ring
	looked int64 // when Look last saw the ring
	heard  int64 // when it last had a frame
	// finds are the times of the last looks with a frame, in a circle; the oldest is the next to be replaced.
	finds  [memory]int64
	oldest int

	queue fifo.Queue[departure]
	free  [][]byte
}

// arrival is the oldest frame of the ring that was seen and not taken; without bytes
// there is none.
type arrival struct {
	frame []byte
	at    int64
}

// departure is a frame on its way out.
type departure struct {
	due   unit.Time
	frame []byte
}

// Counters has the counts of a port.
type Counters struct {
	// Received counts the frames given to the model, Sent those given to the device.
	Received, Sent uint64
	// Early counts the frames that had come in before the run began, and do not belong to it.
	Early uint64
	// Lateness is the delay with which a frame was given to the device after its last bit was due, one sample for each
	// frame.
	Lateness record.Lateness
	// Taken is the delay with which a frame from outside started in the model because it was read too late: one sample
	// for each frame that started, on the wall.
	Taken record.Lateness
	// Stampless counts the frames with a useless stamp, since the host's clock was set meanwhile: the time at which
	// they were read counts.
	Stampless uint64
	// ClockSteps counts how often the host's clock was set.
	ClockSteps uint64
}

// NewPort returns a port that is awake, unless its socket is watched.
func NewPort(s Setup) *Port {
	p := &Port{setup: s}
	p.looked = p.stamps.Read()
	p.heard = p.looked
	return p
}

// Counters returns what the port saw so far. It is the port's own: do not change it.
func (p *Port) Counters() *Counters {
	p.count.ClockSteps = p.stamps.Steps
	return &p.count
}

// Waiting returns how many frames wait to be sent.
func (p *Port) Waiting() int { return p.queue.Len() }

// Next returns the instant on the wall at which the port wants to be called again: to send, or to look while it is
// awake. pace.Never: when its socket has something.
func (p *Port) Next() int64 {
	next := pace.Never
	if !p.queue.Empty() {
		next = p.setup.Clock.Wall(p.queue.First().due)
	}
	if !p.Resting() {
		next = min(next, p.looked+p.tick())
	}
	return next
}

// tick is the time between two looks of a port that is awake, on the wall.
func (p *Port) tick() int64 {
	half := int64(p.setup.Latency.Scale(p.setup.Clock.Dilation, 2*int64(unit.Nanosecond)))
	return min(max(half, int64(Tick)), int64(longestTick))
}

// Resting reports whether the socket must wake the port: it has been without input for long, or, if it is watched,
// input comes more rarely than once in a tick. A frame that is seen and not taken is awaited by no one.
func (p *Port) Resting() bool {
	if p.setup.Watched {
		return p.head.frame == nil && p.looked-p.finds[p.oldest] > memory*p.tick()
	}
	return p.looked-p.heard >= int64(Rest)
}

// found notes a look with a frame.
func (p *Port) found(now int64) {
	if p.heard = now; p.finds[(p.oldest+memory-1)%memory] != now {
		p.finds[p.oldest] = now
		p.oldest = (p.oldest + 1) % memory
	}
}

// Timing sets in t what its edge's port, device and model counted. What the interface
// itself dropped is not among it.
func (c *Counters) Timing(t *result.EdgeTiming, interfaceHad *device.Counters, modelHad *edge.Counters) {
	t.Received, t.Sent = c.Received, interfaceHad.Sent
	t.Lateness, t.Taken = c.Lateness, c.Taken
	t.Moved, t.MovedMost = modelHad.Moved, modelHad.MovedMax
	t.Unfit = interfaceHad.Malformed
	t.Lost[result.RingFull] = interfaceHad.RingFull
	t.Lost[result.Truncated] = interfaceHad.Truncated + interfaceHad.WrongLength
	t.Lost[result.NoBuffers] = interfaceHad.NoBuffer + interfaceHad.Refused
	t.Lost[result.TooLong] = interfaceHad.TooLong
	t.Lost[result.InterfaceDown] = interfaceHad.WhileDown
}
