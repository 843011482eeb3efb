package profile

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// headroomOver returns the headroom of a port at a cable with only rate and length known, in a fabric of frames of 1122
// B, RDMA MTU 1024.
func headroomOver(s *Switch, rate unit.BitRate, length unit.Length) unit.Bytes {
	channel := fabric.Channel{Rate: rate, Latency: length.Propagation()}
	return s.HeadroomFor(&fabric.Attachment{Tx: channel, Rx: channel}, 1122)
}

// NVIDIA's SONiC computes 272384 B for 400 Gb/s over 300 m and 51200 B for 100 Gb/s over 40 m on Spectrum-3, with port
// MTU 9100, RDMA MTU 1024 and half small packets (sonic-net/sonic-swss, pull request 3235). The rule is within 15 %
// of both with nothing fitted; without cells, or with the response of 3840 B, it is not.
func TestHeadroomOfSpectrum3(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Switch)
		within bool
	}{
		{"as published", func(*Switch) {}, true},
		{"without cells", func(s *Switch) { s.Cell = 1 }, false},
		{"with a response of 3840 B", func(s *Switch) { s.PeerResponse = 3840 }, false},
		{"frames", func(s *Switch) { s.HeadroomRule = Frames }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := DefaultSwitch()
			s.HeadroomRule = Cells
			c.change(&s)
			long := headroomOver(&s, 400*unit.Gbps, 300*unit.Metre)
			short := headroomOver(&s, 100*unit.Gbps, 40*unit.Metre)
			worst := max(math.Abs(float64(long)/272384-1), math.Abs(float64(short)/51200-1))
			if (worst <= 0.15) != c.within {
				t.Errorf("%s: %d and %d B, up to %.1f %% off", c.name, long, short, 100*worst)
			}
			t.Logf("%s: %d B (%+.1f %%) and %d B (%+.1f %%)", c.name, long, 100*(float64(long)/272384-1), short,
				100*(float64(short)/51200-1))
		})
	}
}

// Occupancy of small packets: half of 64 B and half of 1024 B make a share of 64/544, and each of the small ones takes
// a cell.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		cell     unit.Bytes
		small    float64
		lossless unit.Bytes
		want     float64
	}{
		{144, 0.5, 1024, 1 + 64./544*(144./64-1)},
		{144, 1, 1024, 144. / 64},
		{96, 1, 1024, 192. / 97},
		{1, 1, 1024, 1},
		{256, 0, 64, 4},
	} {
		t.Run(fmt.Sprintf("cell=%v,small=%v", c.cell, c.small), func(t *testing.T) {
			s := HeadroomTerms{Cell: c.cell, SmallPackets: c.small}
			if got := s.occupancy(c.lossless); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%+v: %v", c, got)
			}
		})
	}
}

// A port takes as long as IEEE 802.3, 31B.3.7, allows at its rate, 905 quanta at 400 Gb/s, or the set time. Tier:
// -short.
func TestResponse(t *testing.T) {
	for _, c := range []struct {
		set  unit.Duration
		rate unit.BitRate
		want unit.Duration
	}{
		{ByRate, 400 * unit.Gbps, 905 * 1280 * unit.Picosecond},
		{ByRate, 800 * unit.Gbps, 905 * 640 * unit.Picosecond},
		{ByRate, 1600 * unit.Gbps, 905 * 320 * unit.Picosecond},
		{ByRate, 100 * unit.Gbps, 394 * 5120 * unit.Picosecond},
		{ByRate, 75 * unit.Gbps, (75 * unit.Gbps).SerialTime(394 * 64)},
		{0, 400 * unit.Gbps, 0},
		{unit.Microsecond, 400 * unit.Gbps, unit.Microsecond},
	} {
		t.Run(fmt.Sprintf("set=%v,rate=%v", c.set, c.rate), func(t *testing.T) {
			if got := ResponseAt(c.set, c.rate); got != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		})
	}
}
