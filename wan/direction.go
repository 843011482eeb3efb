package wan

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// direction is one way through the path, from the port at which frames come in. Its record is the port's, with the
// frames that the other direction sends there.
type direction struct {
	port      int
	near, far fabric.Attachment // where frames come in, and where they go out

	phases []profile.WANPhase // the one in force first
	flaps  link.Outages
	jitter *chance.Stream
	channel

	serializer link.Serializer
	inside     fifo.Queue[passage] // in the order in which they leave
	free       unit.Time           // when the last bit of the last frame is out
	// insideTime is the wire time of the frames inside and insideBytes their bytes;
	// insideTimeBound is the most that insideTime may be.
	insideTime, insideTimeMax, insideTimeBound unit.Duration
	insideBytes, insideBytesMax                unit.Bytes

	busyUntil unit.Time
	rec       record.Port
	meter     *record.ActivityMeter
	grid      record.Grid
}

// passage is a frame inside.
type passage struct {
	frame  *wire.Frame
	exit   unit.Time // of its first bit
	serial unit.Duration
	length unit.Bytes
	fate   fabric.DropReason
}

func newDirection(config *Config, port int) direction {
	near, far := config.Ports[port], config.Ports[1-port]
	stream := func(what string) *chance.Stream {
		return chance.New(config.Seed, fmt.Sprintf("wan/%s/%d/%s", config.Name, port, what))
	}
	return direction{
		port:            port,
		meter:           record.NewActivityMeter(config.Grid),
		grid:            config.Grid,
		near:            near,
		far:             far,
		phases:          config.Profile.Phases,
		flaps:           link.NewOutages(config.Profile.Flaps),
		jitter:          stream("jitter"),
		channel:         channel{chance: stream("loss")},
		serializer:      link.NewSerializer(near.Accounting, near.Rx.Rate),
		insideTimeBound: config.Profile.LongestDelay(port) - near.Rx.Latency - far.Tx.Latency + config.longestFrame(port),
	}
}

// phaseAt returns the phase in force; calls come in the order of time.
func (w *direction) phaseAt(at unit.Time) *profile.WANPhase {
	for len(w.phases) > 1 && w.phases[1].From <= at {
		w.phases = w.phases[1:]
	}
	return &w.phases[0]
}

// addInside counts a frame that is inside from now on.
func (w *direction) addInside(serial unit.Duration, length unit.Bytes) {
	w.insideTime += serial
	w.insideBytes += length
	w.insideTimeMax, w.insideBytesMax = max(w.insideTimeMax, w.insideTime), max(w.insideBytesMax, w.insideBytes)
}

// removeInside counts the frame that leaves.
func (w *direction) removeInside(passage *passage) {
	w.insideTime -= passage.serial
	w.insideBytes -= passage.length
}

// channel is the state of a direction's losses.
//
// Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal
// 39 (1960), and Elliott, ibid. 42 (1963): a Markov chain of a good and a bad
// state. In the notation of RFC 6534 and of netem, p = Enter, r = Leave, 1-k =
// Good, 1-h = Bad. Bad states last 1/r frames in the mean.
type channel struct {
	bad    bool
	chance *chance.Stream
}

// loses decides whether the next frame is lost, and steps on. A channel that
// cannot lose draws nothing.
func (c *channel) loses(model *profile.WANLoss) bool {
	if *model == (profile.WANLoss{}) {
		c.bad = false
		return false
	}
	loss, change := model.Good, model.Enter
	if c.bad {
		loss, change = model.Bad, model.Leave
	}
	lost := c.chance.Float64() < loss
	if c.chance.Float64() < change {
		c.bad = !c.bad
	}
	return lost
}
