package proximal

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The level, by hand: the shares of the queue, and what those have that send most.
func TestLevel(t *testing.T) {
	for _, x := range []struct {
		name  string
		bytes []unit.Bytes
		want  float64
	}{
		{"nobody", nil, 0},
		{"one", []unit.Bytes{700}, 1},
		{"all alike", []unit.Bytes{100, 100, 100, 100}, 0.25},
		{"alike but for a packet or two", []unit.Bytes{90, 110, 100, 100}, 0.25},
		{"one that is slow for itself", []unit.Bytes{857, 143}, 0.857},
		{"two that send most", []unit.Bytes{400, 400, 50, 50, 50, 50}, 0.4},
		{"three steps: 10 is below 3/4 of 1/4, then 22 below 3/4 of 30", []unit.Bytes{10, 22, 34, 34}, 0.34},
	} {
		t.Run(x.name, func(t *testing.T) {
			var c Census
			for i, b := range x.bytes {
				c.Add(flow(i), 1, b, func(Flow) int { return 0 })
			}
			if got := c.Level(); got < x.want-1e-12 || got > x.want+1e-12 {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		})
	}
}

// C = 100 Gb/s, a queue of 1150 KB above a threshold of 400: drain 0.94.
func TestAllotment(t *testing.T) {
	for _, x := range []struct {
		live        int
		level       float64
		least, most unit.BitRate
	}{
		{4, 0.25, 23_500 * unit.Mbps, 23_500 * unit.Mbps},
		{4, 0.5, 23_500 * unit.Mbps, 47_000 * unit.Mbps},
		{4, 0, 23_500 * unit.Mbps, 23_500 * unit.Mbps}, // forged: nobody's level is below 1/N
		{4, 1, 23_500 * unit.Mbps, 94_000 * unit.Mbps},
		{0, 1, 0, 0},
	} {
		t.Run(fmt.Sprintf("live=%v,level=%v", x.live, x.level), func(t *testing.T) {
			r := fourToOne()
			r.Live, r.Level, r.Depth = x.live, x.level, 1150*unit.KB
			if got := r.Allotment(); got != (Allotment{x.least, x.most}) {
				t.Errorf("%d flows, level %v: %v", x.live, x.level, got)
			}
		})
	}
}

// A flow gets its rate if its meter shows that it sends more than the most, or less than the least; of two congested
// points the smaller counts, as long as each is congested.
func TestAllot(t *testing.T) {
	a, b := Point{Device: 1, Port: 2, Class: 3}, Point{Device: 4, Port: 2, Class: 3}
	const gbps, end = unit.Gbps, 1000 * us
	metered := func(rate unit.BitRate) *Entry {
		e := &Entry{}
		e.Meter.Restart(100 * us)
		e.Meter.Count(100*us, rate.BytesIn(50*unit.Microsecond))
		return e
	}
	for _, x := range []struct {
		name        string
		rate        unit.BitRate
		least, most unit.BitRate
		want        unit.BitRate
	}{
		{"too much", 50 * gbps, 10 * gbps, 30 * gbps, 30 * gbps},
		{"a little too much", 30_600 * unit.Mbps, 10 * gbps, 30 * gbps, 0},
		{"what it may", 20 * gbps, 10 * gbps, 30 * gbps, 0},
		{"a little too little", 9_800 * unit.Mbps, 10 * gbps, 30 * gbps, 0},
		{"too little", 3 * gbps, 10 * gbps, 30 * gbps, 10 * gbps},
		{"nothing", 0, 10 * gbps, 30 * gbps, 10 * gbps},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := metered(x.rate).Allot(a, Allotment{x.least, x.most}, end, 150*us); got != x.want {
				t.Errorf("%s: told %v, want %v", x.name, got, x.want)
			}
		})
	}

	e := metered(20 * gbps)
	e.Allot(b, Allotment{5 * gbps, 5 * gbps}, 160*us, 150*us)
	if got := e.Allot(a, Allotment{25 * gbps, 25 * gbps}, end, 150*us); got != 5*gbps {
		t.Errorf("told %v, and another point has 5 Gb/s for it", got)
	}
	if got := e.Allot(a, Allotment{25 * gbps, 25 * gbps}, end, 160*us); got != 25*gbps {
		t.Errorf("told %v after the other point's word is old", got)
	}

	table := NewTable(1)
	e, _ = table.Touch(flow(1))
	e.Allot(b, Allotment{5 * gbps, 5 * gbps}, end, 150*us)
	table.Clear(b, 155*us)
	e.Meter.Restart(155 * us)
	if got := e.Allot(a, Allotment{25 * gbps, 25 * gbps}, end, 156*us); got != 25*gbps {
		t.Errorf("told %v after the other point is clear", got)
	}
}

// Before its meter knows, a flow gets a rate if it got none since it began; one that got a rate is assumed to obey.
func TestAllotBeforeTheMeterKnows(t *testing.T) {
	at := Point{Device: 1}
	share := Allotment{8 * unit.Gbps, 8 * unit.Gbps}
	e := &Entry{}
	e.Meter.Restart(100 * us)
	if got := e.Allot(at, share, 900*us, 110*us); got != 8*unit.Gbps {
		t.Errorf("told %v as it begins, want 8 Gb/s", got)
	}
	e.Told(8*unit.Gbps, 110*us)
	if got := e.Allot(at, share, 900*us, 130*us); got != 0 {
		t.Errorf("told %v again", got)
	}
	if got := e.Allot(at, Allotment{4 * unit.Gbps, 4 * unit.Gbps}, 900*us, 140*us); got != 4*unit.Gbps {
		t.Errorf("told %v, its share is 4 Gb/s now", got)
	}
	e.Meter.Restart(500 * us) // a new burst
	if got := e.Allot(at, share, 900*us, 510*us); got != 8*unit.Gbps {
		t.Errorf("told %v in a new burst, want 8 Gb/s", got)
	}
}
