package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// metering returns a leaf that meters flows, after 60 us during which NIC 0 sends a packet each frame time, 100 Gb/s,
// and NIC 1 each tenth of them.
func metering(t *testing.T) *bench {
	b := newBench(t, leaf(func(p *profile.Proximal) {
		p.Map, p.MaxCNPs, p.Threshold = profile.MapFair, 10, unit.MB // no queue of its own is congested
	}))
	b.checked = true
	for i := range 700 {
		at := (10 * us).Add(unit.Duration(i) * frameTime)
		b.arrive(0, at, packet(0, 2, 0x20, uint32(i)))
		if i%10 == 0 {
			b.arrive(1, at, packet(1, 2, 0x21, uint32(i/10)))
		}
	}
	return b
}

// Four flows have 25 Gb/s each of a port of 100 Gb/s whose queue is at its threshold. Two cuts leave 0.263 of the 100
// Gb/s that NIC 0 sends; a third would leave 0.138. NIC 1 sends 10 Gb/s and is not cut. NIC 0's rate is then metered
// again: its cut shows within 8 us, and 50 us later it is known whether it was enough.
func TestProximalMetersFlows(t *testing.T) {
	b := metering(t)
	for i, at := range []unit.Time{20 * us, 40 * us, 47 * us, 60 * us} {
		m := congestion(uint32(i+1), at-us)
		m.Origin, m.Depth = peer, m.Threshold
		m.Lifetime = 0
		b.tell(2, at, m)
	}
	b.run(100 * us)
	list := b.cnps(0)
	if len(list) != 2 || list[0].Start != 40*us || list[1].Start != 46*us {
		t.Errorf("CNPs for NIC 0: %v, want two, at 40 and 46 us", list)
	}
	if n := len(b.cnps(1)); n != 0 {
		t.Errorf("%d CNPs for NIC 1, which sends less than its share", n)
	}
	entry := b.s.observer.(*proximity).table.Find(proximal.Flow{SrcIP: firstIP, DstIP: firstIP + 2, DstQP: 0x20})
	shows := (46 * us).Add(nearLoop + 4*unit.Microsecond) // when what the last CNP does shows here
	if _, known := entry.Meter.Rate(shows.Add(50*unit.Microsecond) - 1); known {
		t.Error("a rate is known that the NIC no longer has")
	}
	if rate, known := entry.Meter.Rate(shows.Add(50 * unit.Microsecond)); !known || rate < 20*unit.Gbps {
		t.Errorf("metered %v, %t; want what came from %v on", rate, known, shows)
	}
}

// A message that leaves a flow hardly any share brings as many CNPs as there may be at once, whoever made it, and a
// message with 0 flows none.
func TestProximalBoundsWhatAForgedNumberOfFlowsDoes(t *testing.T) {
	for live, want := range map[uint16]int{65535: 10, 0: 0, 1: 0} {
		t.Run(fmt.Sprintf("live=%v", live), func(t *testing.T) {
			b := metering(t)
			m := congestion(1, 49*us)
			m.Live = live
			b.tell(2, 50*us, m)
			b.run(1000 * us)
			if got := len(b.cnps(0)); got != want {
				t.Errorf("%d flows: %d CNPs, want %d", live, got, want)
			}
		})
	}
}
