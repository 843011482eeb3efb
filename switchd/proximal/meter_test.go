package proximal

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// packet is one of 4 KiB with what a link adds: at 50 Gb/s it takes 668.48 ns.
const packet = 4178

func TestMeter(t *testing.T) {
	var m Meter
	at := 10 * ms
	m.Restart(at)
	expect := func(what string, now unit.Time, want unit.BitRate, wantKnown bool) {
		t.Helper()
		if rate, known := m.Rate(now); rate != want || known != wantKnown {
			t.Errorf("%s: %v, %t; want %v, %t", what, rate, known, want, wantKnown)
		}
	}
	for i := range 75 { // a packet each 668.48 ns, up to 49.47 us
		m.Count(at.Add(unit.Duration(i)*668_480), packet)
	}
	expect("before the window's end", at+50*us-1, 0, false)
	// 75 packets in 50 us are 50.136 Gb/s: the last one is counted whole.
	expect("in a window that lasts as long as it must", at+50*us, 50_136*unit.Mbps, true)
	m.Count(at.Add(75*668_480), packet)
	expect("after a whole window, to the bit", at+90*us, 50*unit.Gbps, true)
	// 51.136 us after the first window's end two windows' worth have passed.
	expect("of a flow that fell silent", at.Add(75*668_480)+1000*us, 8*packet*1000*unit.BitPerSecond, true)
	m.Count(at+3000*us, packet)
	expect("of a slow one", at+3001*us, unit.RateOf(packet, 3000*unit.Microsecond-75*668_480), true)
	m.Restart(at + 3006*us)
	m.Count(at+3005*us, packet)
	expect("before the new rate shows", at+3005*us, 0, false)
	expect("begun anew", at+3055*us, 0, false)
	m.Count(at+3020*us, packet)
	expect("begun anew, 50 us later", at+3056*us, 668_480*unit.Kbps, true)
	m.Begin(at + 4000*us)
	m.Count(at+4000*us, packet)
	expect("as a burst begins", at+4020*us-1, 0, false)
	expect("as a burst begins, 20 us later", at+4020*us, 1_671_200*unit.Kbps, true)
}

// For any rate of a flow, packets at equal distance are metered to the bit, and at any distance within one packet and a
// window.
func TestMeterIsExact(t *testing.T) {
	luck := chance.New(1, "meter")
	for range 300 {
		gap := unit.Duration(1 + luck.Below(uint64(3*unit.Millisecond)))
		var m Meter
		at := unit.Time(luck.Below(uint64(unit.Second)))
		m.Restart(at)
		for range 2 + 2*int64(meterWindow/gap) {
			m.Count(at, packet)
			at = at.Add(gap)
		}
		if rate, known := m.Rate(at.Add(-gap)); !known || rate != unit.RateOf(packet, gap) &&
			math.Abs(float64(rate-unit.RateOf(packet, gap))) > 1 {
			t.Errorf("a packet each %v: %v, %t; want %v", gap, rate, known, unit.RateOf(packet, gap))
		}
	}
}
