package clock

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Drift is kept in parts per 1e12: picoseconds a second.
const (
	driftUnits = 1_000_000_000_000
	perMillion = driftUnits / 1_000_000
)

// Clock is the clock of one NIC. Make one with New.
type Clock struct {
	offset unit.Duration
	// drift is in parts per 1e12 of the time since the last
	// resynchronisation; resync is the period between two, 0 for never.
	drift    int64
	resync   unit.Duration
	noise    unit.Duration
	gaussian bool
	bothEnds bool // senders read noise too
	exact    bool // neither offset nor drift nor noise
	stream   chance.Stream
}

// New returns the clock of the named NIC, its offset and drift drawn.
func New(model profile.Clock, seed uint64, name string) *Clock {
	clock := &Clock{resync: model.Resync, noise: model.Noise, gaussian: model.Gaussian, bothEnds: model.BothEnds}
	clock.stream.Seed(seed, name+"/clock")
	if model.Offset > 0 {
		clock.offset = unit.Duration(clock.stream.Between(-int64(model.Offset), int64(model.Offset)))
	}
	if bound := unit.Whole[int64](model.DriftPPM * perMillion); bound > 0 {
		clock.drift = clock.stream.Between(-bound, bound)
	}
	clock.exact = clock.offset == 0 && clock.drift == 0 && clock.noise <= 0
	return clock
}

// Offset returns the offset that was drawn.
func (c *Clock) Offset() unit.Duration { return c.offset }

// DriftPPM returns the drift that was drawn, in parts per million.
func (c *Clock) DriftPPM() float64 { return float64(c.drift) / perMillion }

// Read returns a reading at a time, with noise, in ns. It may be negative near the
// start of a run; at is not.
func (c *Clock) Read(at unit.Time) int64 {
	if c.exact {
		return whole(at)
	}
	return c.readNoisy(at)
}

// ReadSender returns a reading at a time for a flow that the NIC sends, in ns. Its
// noise, and the draw of it, is there only where the profile has noise at both
// ends; a receiver's readings always have it.
func (c *Clock) ReadSender(at unit.Time) int64 {
	if c.exact {
		return whole(at)
	}
	return c.readSenderNoisy(at)
}

// whole is at.Nanoseconds of a time that is not negative. It is short enough
// for readings of an exact clock, several a packet, to be inlined.
func whole(at unit.Time) int64 { return int64(uint64(at) / uint64(unit.Nanosecond)) }

func (c *Clock) readNoisy(at unit.Time) int64 {
	return at.Add(c.errorAt(at) + c.drawNoise()).Nanoseconds()
}

func (c *Clock) readSenderNoisy(at unit.Time) int64 {
	if c.bothEnds {
		return c.readNoisy(at)
	}
	return at.Add(c.errorAt(at)).Nanoseconds()
}

// errorAt is the clock's error at a time, noise aside.
func (c *Clock) errorAt(at unit.Time) unit.Duration {
	if c.drift == 0 {
		return c.offset
	}
	elapsed := unit.Duration(at)
	if c.resync > 0 {
		elapsed %= c.resync
	}
	if c.drift < 0 {
		return c.offset - elapsed.Scale(-c.drift, driftUnits)
	}
	return c.offset + elapsed.Scale(c.drift, driftUnits)
}

// drawNoise returns one sample of noise: uniform in (-noise, noise), or Gaussian
// with standard deviation noise.
func (c *Clock) drawNoise() unit.Duration {
	switch {
	case c.noise <= 0:
		return 0
	case c.gaussian:
		return unit.Whole[unit.Duration](c.stream.Normal() * float64(c.noise))
	}
	return unit.Duration(c.stream.Between(1-int64(c.noise), int64(c.noise)-1))
}
