package switchd

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// TestDynamicThresholdSteadyState fills k accounts in turn until none takes a
// frame more. Each then holds T = alpha B' / (1 + k alpha); with alpha 1/8 and
// B' = 30 MB that is 3.333 MB for one and 1.25 MB for sixteen.
func TestDynamicThresholdSteadyState(t *testing.T) {
	for _, x := range []struct {
		k     int
		alpha float64
		want  unit.Bytes
	}{
		{1, 1.0 / 8, 3_333_333}, {2, 1.0 / 8, 3 * unit.MB}, {16, 1.0 / 8, 1250 * unit.KB}, {1, 1, 15 * unit.MB},
		{4, 8, 7_272_727},
	} {
		t.Run(fmt.Sprintf("k=%v,alpha=%v", x.k, x.alpha), func(t *testing.T) {
			c := star(16)
			c.Profile.PFC.Enabled = false
			c.Profile.Buffer, c.Profile.Alpha = 30*unit.MB, x.alpha
			b := newBench(t, c)
			for full := false; !full; {
				full = true
				for i := range x.k {
					if b.s.mmu.admit(&b.s.ports[i].ingress, 3, frameLen) {
						full = false
					}
				}
			}
			for i := range x.k {
				if got := b.s.ports[i].accounts[3].bytes; got > x.want+2*frameLen || got < x.want-2*frameLen {
					t.Errorf("k %d, alpha %v: account %d holds %v, want %v", x.k, x.alpha, i, got, x.want)
				}
			}
		})
	}
}

// TestAlphaFollowsRate: alpha doubles with each doubling of the port's rate
// above AlphaRate, and never falls; by default it is the same at all ports.
func TestAlphaFollowsRate(t *testing.T) {
	const rate = 100 * unit.Gbps
	for _, x := range []struct {
		gbps, of unit.BitRate
		alpha    float64
	}{{25, rate, 0.125}, {100, rate, 0.125}, {199, rate, 0.125}, {200, rate, 0.25}, {400, rate, 0.5}, {800, rate, 1},
		{800, 0, 0.125}} {
		t.Run(fmt.Sprintf("gbps=%v,of=%v", x.gbps, x.of), func(t *testing.T) {
			c := star(2)
			c.Profile.AlphaRate = x.of
			c.Ports[0].Rx.Rate = x.gbps * unit.Gbps
			b := newBench(t, c)
			if got := b.s.ports[0].alpha; got != x.alpha {
				t.Errorf("%d Gb/s: alpha %v, want %v", x.gbps, got, x.alpha)
			}
		})
	}
}

// TestMemoryIsSetAside: with k lossless classes, reserve and headroom are
// subtracted k times a port; lossy classes have neither.
func TestMemoryIsSetAside(t *testing.T) {
	for k, lossless := range [][]int{{}, {3}, {3, 4}, {0, 3, 4}} {
		t.Run(fmt.Sprint(lossless), func(t *testing.T) {
			c := star(4)
			c.Profile.PFC.Lossless = [8]bool{}
			for _, class := range lossless {
				c.Profile.PFC.Lossless[class] = true
			}
			c.Profile.Headroom = 50 * unit.KB
			b := newBench(t, c)
			if want := 32*unit.MB - unit.Bytes(4*k)*(54*unit.KB); b.s.mmu.shared != want {
				t.Errorf("%d lossless classes: shared %v, want %v", k, b.s.mmu.shared, want)
			}
		})
	}
}

// TestHeadroom: 100 Gb/s, 1 us, frames of 1100 B: 25 000 B in flight both ways,
// three frames, a pause frame of 84 B, 3840 B of response.
func TestHeadroom(t *testing.T) {
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	a := fabric.Attachment{Tx: ch, Rx: ch}
	p := star(2).Profile
	if got := p.HeadroomFor(&a, 1100); got != 25000+3*1100+84+3840 {
		t.Errorf("100G, 1 us: %d", got)
	}
	a.Tx.Latency, a.Rx.Latency = 600*unit.Microsecond, 600*unit.Microsecond
	if got := p.HeadroomFor(&a, 1100); got != 15_000_000+3*1100+84+3840 {
		t.Errorf("100G, 120 km: %d", got)
	}
	p.Headroom = 37500
	if got := p.HeadroomFor(&a, 1100); got != 37500 {
		t.Errorf("set: %d", got)
	}
}

// TestAccountOrder: reserve, shared, headroom, drop; and back: headroom,
// shared, reserve.
func TestAccountOrder(t *testing.T) {
	c := star(2)
	c.Profile.Alpha = 1
	c.Profile.Reserve, c.Profile.Headroom = 1500, 2500
	c.Profile.Buffer = 2*(1500+2500) + 4000 // shared 4000
	b := newBench(t, c)
	m, p := &b.s.mmu, &b.s.ports[0].ingress
	want := func(step string, bytes, headroom, used unit.Bytes) {
		t.Helper()
		if a := p.accounts[3]; a.bytes != bytes || a.headroom != headroom || m.used != used || m.resident != bytes+headroom {
			t.Errorf("%s: ingress %d, headroom %d, shared %d, resident %d", step, a.bytes, a.headroom, m.used, m.resident)
		}
	}
	admit := func(ok bool) {
		t.Helper()
		if m.admit(p, 3, 1000) != ok {
			t.Errorf("admit: want %t", ok)
		}
	}
	admit(true)
	want("reserve", 1000, 0, 0)
	admit(true)
	want("half shared", 2000, 0, 500)
	admit(true) // over 1500 <= T 3500
	want("shared", 3000, 0, 1500)
	admit(true) // over 2500 <= T 2500
	want("shared to T", 4000, 0, 2500)
	if !m.mustPause(p, 3) {
		t.Error("used 2500 >= T 1500 must pause")
	}
	admit(true) // over 3500 > T 1500
	want("headroom", 4000, 1000, 2500)
	admit(true)
	want("headroom", 4000, 2000, 2500)
	admit(false)
	want("full", 4000, 2000, 2500)
	// A lossy class of the same port has neither reserve nor headroom.
	if m.admit(p, 0, 1501) || !m.admit(p, 0, 1500) {
		t.Error("lossy class: T is 1500")
	}
	m.release(p, 0, 1500)
	m.release(p, 3, 1000)
	want("release headroom", 4000, 1000, 2500)
	m.release(p, 3, 1500)
	want("release headroom and shared", 3500, 0, 2000)
	if m.mayResume(p, 3) {
		t.Error("used 2000 + offset 3000 <= T 2000 is false")
	}
	m.release(p, 3, 2500)
	want("release into the reserve", 1000, 0, 0)
	if !m.mayResume(p, 3) {
		t.Error("used 0 resumes")
	}
	m.release(p, 3, 1000)
	want("empty", 0, 0, 0)
}

// TestReserveIsGuaranteed: a lossless account below its reserve takes a frame
// although others hold all the shared memory.
func TestReserveIsGuaranteed(t *testing.T) {
	c := star(2)
	c.Profile.Alpha = 64
	c.Profile.Buffer, c.Profile.Headroom = 100*unit.KB, 10*unit.KB
	b := newBench(t, c)
	m := &b.s.mmu
	for _, class := range []uint8{0, 1, 2, 4, 5} {
		for m.admit(&b.s.ports[0].ingress, class, 100) {
		}
	}
	m.release(&b.s.ports[0].ingress, 0, 500)
	if free := m.shared - m.used; free < 500 || free >= 1000 {
		t.Fatalf("used %v of %v", m.used, m.shared)
	}
	if m.threshold(64) < 1000 || m.admit(&b.s.ports[1].ingress, 0, 1000) {
		t.Errorf("took 1000 B of %v free, T is %v", m.shared-m.used, m.threshold(64))
	}
	if !m.admit(&b.s.ports[1].ingress, 3, 4000) || b.s.ports[1].accounts[3].headroom != 0 {
		t.Error("the reserve of 4 KB was refused")
	}
}

// TestBufferDrops goes through the whole switch, with the
// egress held by its peer.
func TestBufferDrops(t *testing.T) {
	c := star(3)
	c.Profile.Alpha = 1
	c.Profile.Reserve, c.Profile.Headroom, c.Profile.Buffer = 0, 2*frameLen, 10*frameLen // shared 4 frames
	b := newBench(t, c)
	b.checked = true
	b.arrive(2, 1*us, pfc(65535, 3))
	for i := range 6 { // two shared, T is then 2 frames; two headroom; two dropped
		b.arrive(0, 2*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.run(4 * us)
	b.wantDrops(0, fabric.DropHeadroom, 2)
	r := b.record(0)
	if c := r.Classes.At(3); c.HeadroomMax != 2*frameLen || c.IngressMax != 2*frameLen || r.DropBytes != 2*frameLen {
		t.Errorf("headroom max %v, ingress max %v, dropped %d B", c.HeadroomMax, c.IngressMax, r.DropBytes)
	}
	if b.s.BufferMax() != 4*frameLen {
		t.Errorf("buffer max %v", b.s.BufferMax())
	}
	// Lossy class 0 at port 1: shared memory free is 2 frames; the first starts
	// at once, the others wait behind it at the same instant of arrival.
	for i := range 4 {
		b.arrive(1, 5*us+unit.Time(i), dscp(data(0, uint32(i)), 0))
	}
	b.run(6 * us)
	b.wantDrops(1, fabric.DropNoBuffer, 2)
}

// TestIdlePortIsSmall: the fabric of 1024 hosts has 5000 switch ports.
func TestIdlePortIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(port{}); size > 6000 {
		t.Errorf("a port takes %d B before use", size)
	}
}
