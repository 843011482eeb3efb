package outside

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Ahead returns the model time at which the oldest frame came in that Look has not taken, unit.Never if there is none.
// A window must not begin after it.
func (p *Port) Ahead() unit.Time {
	if !p.peek(p.read()) {
		return unit.Never
	}
	return p.setup.Clock.Model(p.head.at)
}

// Look gives to the model what came in before a horizon of model time, the end of the
// window which is about to be run, and leaves in the ring what came later. It returns
// the earliest time that the model took, unit.Never if there was nothing.
func (p *Port) Look(horizon unit.Time) (earliest unit.Time) {
	earliest = unit.Never
	now := p.read()
	for p.peek(now) {
		at := p.setup.Clock.Model(p.head.at)
		if at >= horizon {
			break
		}
		earliest = min(earliest, p.take(at, horizon))
	}
	return earliest
}

// read reads the clocks, as must be done before stamps are converted.
func (p *Port) read() (now int64) {
	p.looked = p.stamps.Read()
	return p.looked
}

// early is how long before the epoch a frame of the run may have come in: the two clocks are read one after the other.
const early = int64(time.Millisecond)

// peek reports whether there is a frame in the ring, and knows then when it came in.
// Each is asked for once: a stamp that is worth nothing counts as the first time that
// its frame was seen.
func (p *Port) peek(now int64) bool {
	if p.head.frame != nil {
		return true
	}
	for {
		frame, stamp, ok := p.setup.Device.Next()
		if !ok {
			p.begin()
			return false
		}
		at, exact := p.stamps.At(stamp, now)
		p.found(now)
		if p.count.Received == 0 && at < p.setup.Clock.Epoch-early { // for whoever was there before the run
			p.setup.Device.Release()
			p.count.Early++
			continue
		}
		p.begin()
		if !exact {
			p.count.Stampless++
		}
		p.head = arrival{frame, at}
		return true
	}
}

// begin discards the counts of losses before the run, once earlier frames are out of the ring.
func (p *Port) begin() {
	if !p.begun {
		p.begun = true
		p.setup.Device.Forget()
	}
}

// take gives the head to the model.
func (p *Port) take(at, horizon unit.Time) (taken unit.Time) {
	taken = p.setup.Model.Inject(at, horizon, p.decode(p.head.frame))
	if p.setup.Journal != nil {
		p.setup.Journal.Add(at, taken, p.head.frame)
	}
	p.head = arrival{}
	p.setup.Device.Release()
	p.count.Received++
	return taken
}

// Started counts by how much model time a frame from outside started late.
func (p *Port) Started(moved unit.Duration) {
	p.count.Taken.Add(int64(moved.Scale(p.setup.Clock.Dilation, int64(unit.Nanosecond))))
}

// decode makes a frame of bytes that came in.
func (p *Port) decode(b []byte) *wire.Frame {
	f := p.setup.Frames.New()
	done := false
	if p.setup.Opaque {
		done = f.SetOpaque(b)
	} else {
		done = wire.DecodeAny(b, f)
	}
	if !done { // no device has frames of that length
		panic(fmt.Sprintf("outside: a frame of %d bytes", len(b)))
	}
	return f
}
