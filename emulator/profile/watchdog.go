package profile

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Watchdog breaks PFC storms, as switch operating systems do.
type Watchdog struct {
	// Enabled runs it. Default true.
	Enabled bool
	// Detect is the time for which a queue must stand paused and not empty, without sending. Range: above 0. Default
	// DefaultDetect.
	Detect unit.Duration
	// Restore is the time for which the pause must stay away before the queue is normal again. Range: above 0. Default
	// 200 ms, as shippedDetect.
	Restore unit.Duration
	// Drop flushes the queue and drops what arrives; otherwise the pause is
	// ignored and frames go on. Default true.
	Drop bool
}

// shippedDetect is the detection time, and the restoration time, of a watchdog as switches ship: SONiC,
// sonic-utilities, pfcwd/main.py, DEFAULT_DETECTION_TIME and DEFAULT_RESTORATION_TIME, for up to 32 ports.
const shippedDetect = 200 * unit.Millisecond

// maxDetect is the longest detection time.
const maxDetect = 100 * unit.Second

// drains is the number of times that a full buffer may drain, through the slowest port, before congestion no longer
// explains a queue that stands paused: the buffer of the switch ahead has to drain, and the buffers of the switches
// ahead of that. A queue waits for any switch of the fabric, since pauses spread from switch to switch.
const drains = 4

// LeastDetect returns the time that a queue that waits for a switch with these ports may stand paused in ordinary
// congestion: 4 x buffer / slowest rate; maxDetect at most. It is 0 without a port.
func (s *Switch) LeastDetect(ports []fabric.Attachment) unit.Duration {
	slowest := unit.BitRate(0)
	for i := range ports {
		if rate := ports[i].Tx.Rate; slowest == 0 || rate < slowest {
			slowest = rate
		}
	}
	if slowest == 0 {
		return 0
	}
	if s.Buffer > slowest.BytesIn(maxDetect/drains) {
		return maxDetect
	}
	return drains * slowest.SerialTime(s.Buffer)
}

// DefaultDetect returns the detection time of a switch if the scenario does not set one: shippedDetect, or the longest
// LeastDetect of the fabric in whole milliseconds, rounded up, if that is longer.
func DefaultDetect(longest unit.Duration) unit.Duration {
	least := longest + unit.Millisecond - 1
	return max(shippedDetect, least-least%unit.Millisecond)
}
