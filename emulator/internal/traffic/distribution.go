package traffic

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Point is a point of a cumulative distribution: Percent of the flows have at
// most Size.
type Point struct {
	Size    unit.Bytes
	Percent float64
}

// Distribution is a cumulative distribution of flow sizes, linear from point to
// point. Neither sizes nor percents fall, and the last percent is 100. What the
// first point has above 0 % are flows of exactly its size.
type Distribution []Point

// Distributions are the published ones, by the words of scenarios.
//
// Source: the traffic generator of the public simulator of HPCC (alibaba-edu):
// FbHdp_distribution (Roy et al., SIGCOMM 2015, Hadoop at Facebook),
// WebSearch_distribution (Alizadeh et al., DCTCP, SIGCOMM 2010) and
// AliStorage2019.
var Distributions = []struct {
	Name   string
	Points Distribution
}{
	{"facebook-hadoop",
		Distribution{{0, 0}, {100, 1}, {200, 2}, {300, 5}, {350, 15}, {400, 20}, {500, 30}, {600, 40}, {700, 50},
			{1000, 60},
			{2000, 67}, {7000, 70}, {30_000, 72}, {50_000, 82}, {80_000, 87}, {120_000, 90}, {300_000,
				95}, {1_000_000, 97.5}, {2_000_000, 99}, {10_000_000, 100}}},
	{"web-search",
		Distribution{{0, 0}, {10_000, 15}, {20_000, 20}, {30_000, 30}, {50_000, 40}, {80_000, 53}, {200_000, 60},
			{1_000_000, 70},
			{2_000_000, 80}, {5_000_000, 90}, {10_000_000, 97}, {30_000_000, 100}}},
	{"ali-storage",
		Distribution{{0, 0}, {4000, 22.93}, {8000, 69.21}, {16_000, 80.61}, {32_000, 90.47}, {64_000, 93.53},
			{128_000, 96.77},
			{256_000, 97.53}, {2_000_000, 100}}},
}

// Check returns the first fault of d and its point; nil if there is none.
func (d Distribution) Check() (point int, err error) {
	last := Point{}
	for i, p := range d {
		switch {
		case !(p.Percent >= 0 && p.Percent <= 100):
			return i, fmt.Errorf("%g %%: allowed is 0 to 100", p.Percent)
		case p.Size < last.Size || p.Percent < last.Percent:
			return i, fmt.Errorf("%v at %g %% follows %v at %g %%: neither size nor percent may fall",
				p.Size, p.Percent, last.Size, last.Percent)
		}
		last = p
	}
	switch {
	case last.Percent != 100:
		return max(0, len(d)-1), fmt.Errorf("it ends at %g %%: the last point must have 100", last.Percent)
	case last.Size < 1:
		return len(d) - 1, fmt.Errorf("every flow has %v: the last size must be 1B or more", last.Size)
	}
	return 0, nil
}

// Mean returns the mean size in bytes.
func (d Distribution) Mean() float64 {
	sum, last := 0.0, Point{Size: d[0].Size}
	for _, p := range d {
		sum += float64((p.Percent - last.Percent) * (float64(p.Size) + float64(last.Size)))
		last = p
	}
	return sum / 200
}

// draw returns a size; one that comes to less than a byte is one byte.
func (d Distribution) draw(stream *chance.Stream) unit.Bytes {
	percent := float64(100 * stream.Float64()) // not to be fused with a difference
	last := Point{Size: d[0].Size}
	for _, p := range d {
		if percent < p.Percent {
			part := (percent - last.Percent) / (p.Percent - last.Percent)
			return max(1, last.Size+unit.Whole[unit.Bytes](part*float64(p.Size-last.Size)))
		}
		last = p
	}
	return last.Size
}
