package profile

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestThresholdAt(t *testing.T) {
	for _, x := range []struct {
		name    string
		set     unit.Bytes
		rate    unit.BitRate
		kmin    unit.Bytes
		loop    unit.Duration
		want    unit.Bytes
		changed func(*Proximal)
	}{
		// 1.5 x 50 Gb/s x 50 us, the interval: Kmin of 120 km is far above.
		{
			name: "near DCI port",
			rate: 50 * unit.Gbps,
			kmin: 5625 * unit.KB,
			loop: 4 * unit.Microsecond,
			want: 468750,
		},
		{
			name: "twice the rate",
			rate: 100 * unit.Gbps,
			kmin: 11 * unit.MB,
			loop: 4 * unit.Microsecond,
			want: 937500,
		},
		{
			name: "a longer loop",
			rate: 50 * unit.Gbps,
			kmin: 5625 * unit.KB,
			loop: 100 * unit.Microsecond,
			want: 937500,
		},
		{
			name: "a loop as long as Kmin's",
			rate: 50 * unit.Gbps,
			kmin: 5625 * unit.KB,
			loop: 1200 * unit.Microsecond,
			want: 2812500,
		},
		{
			name: "a port of a leaf",
			rate: 100 * unit.Gbps,
			kmin: 400 * unit.KB,
			loop: 4 * unit.Microsecond,
			want: 200000,
		},
		{name: "no marks", rate: 50 * unit.Gbps, loop: 1200 * unit.Microsecond, want: 11250000},
		{
			name: "set",
			set:  7,
			rate: 50 * unit.Gbps,
			kmin: 400 * unit.KB,
			want: 7,
		},
		{
			name:    "another interval",
			rate:    50 * unit.Gbps,
			kmin:    5625 * unit.KB,
			want:    93750,
			changed: func(p *Proximal) { p.Interval = 10 * unit.Microsecond },
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := DefaultProximal()
			if p.Threshold = x.set; x.changed != nil {
				x.changed(&p)
			}
			if got := p.ThresholdAt(x.rate, x.kmin, x.loop); got != x.want {
				t.Errorf("%s: %d B, want %d", x.name, got, x.want)
			}
		})
	}
}

// One CNP in 50 alpha periods of 1 us keeps alpha at 1/50: a hundredth is cut each 50 us, and half is left after
// ln 2 / -ln 0.99 = 68.97 of them. Two keep it at 2/50: 34.31 cuts of a fiftieth, two each 50 us. More than twelve
// do not fit between two messages.
func TestHalving(t *testing.T) {
	for n, want := range map[int]unit.Duration{1: 3449, 2: 858, 12: 23, 64: 23, 0: 3449} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := DefaultProximal()
			if got := p.Halving(n); got != want*unit.Microsecond {
				t.Errorf("%d: %v, want %v us", n, got, int64(want))
			}
		})
	}
	paper := Proximal{Interval: 50 * unit.Microsecond, Spacing: 50 * unit.Microsecond, GainPeriod: 55 * unit.Microsecond}
	if got := paper.Halving(64); got != 50*unit.Microsecond { // alpha is 1
		t.Errorf("of a reaction point that no period passes by: %v", got)
	}
}
