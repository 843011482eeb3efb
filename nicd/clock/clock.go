package clock

import (
	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
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
func New(p profile.Clock, seed uint64, name string) *Clock {
	c := &Clock{resync: p.Resync, noise: p.Noise, gaussian: p.Gaussian, bothEnds: p.BothEnds}
	c.stream.Seed(seed, name+"/clock")
	if p.Offset > 0 {
		c.offset = unit.Duration(c.stream.Between(-int64(p.Offset), int64(p.Offset)))
	}
	if bound := int64(p.DriftPPM * perMillion); bound > 0 {
		c.drift = c.stream.Between(-bound, bound)
	}
	c.exact = c.offset == 0 && c.drift == 0 && c.noise <= 0
	return c
}

// Offset returns the offset that was drawn.
func (c *Clock) Offset() unit.Duration { return c.offset }

// DriftPPM returns the drift that was drawn, in parts per million.
func (c *Clock) DriftPPM() float64 { return float64(c.drift) / perMillion }

// Read returns a reading at t with noise, in ns. It may be negative near the
// start of a run; t is not.
func (c *Clock) Read(t unit.Time) int64 {
	if c.exact {
		return whole(t)
	}
	return c.noisy(t)
}

// ReadSender returns a reading at t for a flow that the NIC sends, in ns. Its
// noise, and the draw of it, is there only where the profile has noise at both
// ends; a receiver's readings always have it.
func (c *Clock) ReadSender(t unit.Time) int64 {
	if c.exact {
		return whole(t)
	}
	return c.sender(t)
}

// whole is t.Nanoseconds of a time that is not negative. It is short enough
// for readings of an exact clock, several a packet, to be inlined.
func whole(t unit.Time) int64 { return int64(uint64(t) / uint64(unit.Nanosecond)) }

func (c *Clock) noisy(t unit.Time) int64 { return t.Add(c.error(t) + c.draw()).Nanoseconds() }

func (c *Clock) sender(t unit.Time) int64 {
	if c.bothEnds {
		return c.noisy(t)
	}
	return t.Add(c.error(t)).Nanoseconds()
}

// error is what the clock is off by at t, noise aside.
func (c *Clock) error(t unit.Time) unit.Duration {
	if c.drift == 0 {
		return c.offset
	}
	elapsed := unit.Duration(t)
	if c.resync > 0 {
		elapsed %= c.resync
	}
	if c.drift < 0 {
		return c.offset - elapsed.Scale(-c.drift, driftUnits)
	}
	return c.offset + elapsed.Scale(c.drift, driftUnits)
}

// draw returns one sample of noise: uniform in (-noise, noise), or Gaussian
// with standard deviation noise.
func (c *Clock) draw() unit.Duration {
	switch {
	case c.noise <= 0:
		return 0
	case c.gaussian:
		return unit.Duration(c.stream.Normal() * float64(c.noise))
	}
	return unit.Duration(c.stream.Between(1-int64(c.noise), int64(c.noise)-1))
}
