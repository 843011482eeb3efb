package outside

import (
	"testing"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
)

// Each frame that an interface lost has one reason; one that crossed unfinished is not lost.
func TestTimingOfLosses(t *testing.T) {
	had := device.Counters{
		RingFull:    1,
		Truncated:   10,
		WrongLength: 20,
		Malformed:   300,
		NoBuffer:    1000,
		Refused:     2000,
		TooLong:     10_000,
		WhileDown:   100_000,
	}
	var got result.EdgeTiming
	new(Counters).Timing(&got, &had, new(edge.Counters))
	want := [result.OutsideReasons]uint64{
		result.RingFull:      1,
		result.Truncated:     30,
		result.NoBuffers:     3000,
		result.TooLong:       10_000,
		result.InterfaceDown: 100_000,
	}
	if got.Lost != want || got.Unfit != 300 {
		t.Errorf("lost %v, %d unfit, want %v and 300", got.Lost, got.Unfit, want)
	}
}
