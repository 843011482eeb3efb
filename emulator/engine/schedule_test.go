package engine_test

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The end of a run.
func TestSchedule(t *testing.T) {
	const us = unit.Time(unit.Microsecond)
	open := engine.Schedule{Limit: 95 * us, EndGrid: 10 * unit.Microsecond}
	fixed := engine.Schedule{Until: 42 * us, Limit: 95 * us}

	if end, final := open.InitialEnd(); end != 95*us || final {
		t.Errorf("without a time of its own a run ends at %v, final %t: want its limit, not final", end, final)
	}
	if end, final := fixed.InitialEnd(); end != 42*us || !final {
		t.Errorf("a run until 42us ends at %v, final %t", end, final)
	}
	for _, c := range []struct {
		name      string
		got, want unit.Time
	}{
		{"after a completion between two points of the grid", open.EndAfter(13 * us), 20 * us},
		{"after one on the grid, at the next point", open.EndAfter(20 * us), 30 * us},
		{"after one near the limit", open.EndAfter(93 * us), 95 * us},
		{"idle since a window between two points", open.EndIdle(13 * us), 20 * us},
		{"idle since a window that ended on the grid, there", open.EndIdle(20 * us), 20 * us},
		{"idle near the limit", open.EndIdle(93 * us), 95 * us},
		{"a window up to its length", open.Horizon(13*us, 2*unit.Microsecond, 95*us), 15 * us},
		{"a window up to the grid", open.Horizon(19*us, 2*unit.Microsecond, 95*us), 20 * us},
		{"a window from the grid on", open.Horizon(20*us, 2*unit.Microsecond, 95*us), 22 * us},
		{"a window up to the end", open.Horizon(94*us, 2*unit.Microsecond, 95*us), 95 * us},
		{"no grid with a time of its own", fixed.Horizon(19*us, 2*unit.Microsecond, 42*us), 21 * us},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		})
	}
}
