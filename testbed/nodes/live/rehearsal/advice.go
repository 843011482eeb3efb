package rehearsal

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
)

// Margin is the factor of a dilation beyond the slowdown of the busiest stretch.
const Margin = 1.5

// dilation returns the K that a run of such a slowdown should be held to the clock
// with: Margin times the slowdown, rounded up to 1, 2 or 5 times a power of ten.
func dilation(slowdown float64) int64 { return sensible(slowdown * Margin) }

// sensible is the least of 1, 2, 5, 10, 20, 50 and so on that is not below a value.
func sensible(value float64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, step := range []int64{1, 2, 5} {
			if float64(step*power) >= value {
				return step * power
			}
		}
	}
}

// reference returns the R that such lateness needs to be judged green: the time from
// one edge to another and back, on the wall.
func reference(late *record.Lateness) time.Duration {
	return time.Duration(max(4*late.Quantile(0.5), 2*late.Quantile(0.99), late.Quantile(0.999)/2))
}

// edgeLatency returns the least latency that the link of an edge should have, in model
// time: two ticks of the wall, and a quarter of what reference wants, since a frame
// crosses such links four times on its way to another edge and back. It is rounded up
// to 1, 2 or 5 times a power of ten of a nanosecond.
func edgeLatency(late *record.Lateness, dilation int64) unit.Duration {
	wall := max(2*outside.Tick, reference(late)/4)
	ns := float64(wall.Nanoseconds()) / float64(dilation)
	return unit.Duration(sensible(ns)) * unit.Nanosecond
}
