package record

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A frame is in the bins of its bits, each byte once, even if bins merge meanwhile. A byte takes 8 ns here. Tier:
// -short. Red if the rest of a frame is not carried on, or if the last bin lacks the frame in flight.
func TestAFrameIsInTheBinsOfItsBits(t *testing.T) {
	const ns = unit.Time(unit.Nanosecond)
	type frame struct {
		at     unit.Time
		length uint64
	}
	for _, c := range []struct {
		name   string
		most   int
		end    unit.Time
		frames []frame
		want   []uint32
	}{
		{"within a bin", 0, 1600, []frame{{0, 50}, {400, 25}}, []uint32{75}},
		{"over two bins", 0, 1600, []frame{{0, 50}, {600, 50}}, []uint32{75, 25}},
		{"over four, and more later", 0, 4000, []frame{{400, 350}, {3200, 50}}, []uint32{50, 100, 100, 100, 50}},
		{"on into a bin with others", 0, 2400, []frame{{400, 100}, {1200, 50}}, []uint32{50, 100}},
		{"while bins merge", 2, 6000, []frame{{400, 350}, {3200, 50}}, []uint32{350, 50}},
		{"under way at the end of a bin and of the run", 0, 1600, []frame{{1200, 100}}, []uint32{0, 100}},
		{"under way at the end of the run", 0, 1400, []frame{{400, 300}}, []uint32{50, 250}},
	} {
		t.Run(c.name, func(t *testing.T) {
			grid := Grid{Width: 800 * unit.Nanosecond, Most: c.most}
			m, busy := NewActivityMeter(grid), unit.Time(0)
			m.OfPort(unit.Gbps, &busy)
			for _, f := range c.frames {
				at := f.at * ns
				if at >= m.End {
					m.Close(at)
				}
				m.Sent, m.Last, busy = m.Sent+f.length, f.length, at.Add(unit.Gbps.SerialTime(unit.Bytes(f.length)))
			}
			if got := m.Until(c.end*ns, grid).Sent.Bins; !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		})
	}
}
