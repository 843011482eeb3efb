package wan

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Config is all that a Path is made from.
type Config struct {
	// Name names the path's streams of chance. Unique in a fabric.
	Name string
	// Seed is the run's seed.
	Seed    uint64
	Profile profile.WAN
	// Ports are the links at its two ports. Their rates are the path's, the
	// same on both; their latencies are part of its delay.
	Ports [2]fabric.Attachment
	// MaxFrame is the largest frame on the fabric, in bytes without FCS,
	// preamble and gap. Range: above 0.
	MaxFrame unit.Bytes
	// Grid has the bins of the ports' series; zero for none.
	Grid record.Grid
}

// check joins every problem of c.
func (c *Config) check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for port := range c.Ports {
		a := &c.Ports[port]
		far := &c.Ports[1-port]
		if a.Tx.Rate <= 0 || a.Tx.Rate != far.Rx.Rate {
			bad("port %d: sends at %v, but frames come in at %v: a wire has one rate, above "+
				"0", port, a.Tx.Rate, far.Rx.Rate)
		}
		if a.Loss != 0 || a.BER != 0 || len(a.Outages) > 0 {
			bad("port %d: loss and outages belong into the path's profile, not to its link", port)
		}
	}
	if c.MaxFrame <= 0 {
		bad("largest frame %v: must be above 0", c.MaxFrame)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, c.checkPhases()...)...)
}

func (c *Config) checkPhases() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	phases, flaps := c.Profile.Phases, c.Profile.Flaps
	if len(phases) == 0 || phases[0].From != 0 {
		bad("the first phase must begin at 0")
	}
	for i := range phases {
		phase := &phases[i]
		if i > 0 && phase.From <= phases[i-1].From {
			bad("phase %d begins at %v, the one before at %v: must be in the order of time", i, phase.From, phases[i-1].From)
		}
		if phase.Jitter < 0 {
			bad("phase %d: jitter %v: must not be negative", i, phase.Jitter)
		}
		for d := range phase.Delay {
			least := c.Ports[0].Rx.Latency + c.Ports[1].Rx.Latency + c.longestFrame(d)
			if phase.Delay[d] < least {
				bad("phase %d: delay %v in direction %d: allowed is at least %v, the latencies of both links and the time of "+
					"the largest frame", i, phase.Delay[d], d, least)
			}
		}
		for _, v := range []float64{phase.Loss.Good, phase.Loss.Bad, phase.Loss.Enter, phase.Loss.Leave} {
			if !(v >= 0 && v <= 1) {
				bad("phase %d: loss %+v: allowed are 0 to 1", i, phase.Loss)
				break
			}
		}
	}
	for i, f := range flaps {
		if f.To <= f.From || i > 0 && f.From <= flaps[i-1].To {
			bad("flap from %v to %v: allowed are spans in the order of time that do not touch", f.From, f.To)
		}
	}
	return errs
}

// longestFrame is the time on the wire of the largest frame in a direction.
func (c *Config) longestFrame(direction int) unit.Duration {
	return c.Ports[direction].Rx.Rate.SerialTime(largest(c.MaxFrame))
}
