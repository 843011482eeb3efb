package switchd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rtt is the round trip over 12 km at 5 ns/m: 1.5 MB at 100 Gb/s.
const rtt = 120 * unit.Microsecond

// dciStar is star(n) with its last port at a path of 12 km.
func dciStar(n int) Config {
	c := star(n)
	a := &c.Ports[n-1]
	a.DCI, a.Beyond = true, rtt-a.Tx.Latency-a.Rx.Latency
	return c
}

// wantPool expects frames in the memory of a DCI port and nothing in the shared
// buffer, ever.
func (b *bench) wantPool(port, frames int) {
	b.Helper()
	if got := b.s.ports[port].pool.used; got != unit.Bytes(frames)*frameLen || b.s.mmu.resident != 0 ||
		b.s.BufferMax() != 0 {
		b.Fatalf("DCI port %d holds %v, want %d frames; shared buffer %v, at most %v", port, got, frames,
			b.s.mmu.resident, b.s.BufferMax())
	}
}

// TestDCIBufferOverflows: one memory for the frames that leave through the port and the frames that came in through it,
// full to the byte; a frame that finds it full is dropped, without any pause.
func TestDCIBufferOverflows(t *testing.T) {
	for _, x := range []struct {
		size unit.Bytes
		fit  int
	}{{10 * frameLen, 10}, {10*frameLen - 1, 9}, {11*frameLen - 1, 10}} {
		t.Run(fmt.Sprintf("size=%v", x.size), func(t *testing.T) {
			c := dciStar(3)
			c.Profile.DCI.Buffer = x.size
			c.Ports[2].Tx.Rate = unit.Gbps // 8.656 us a frame
			b := newBench(t, c)
			b.checked = true
			b.arrive(1, 1*us, pfc(65535, 3))
			for i := range 4 {
				b.arrive(2, 2*us+unit.Time(i)*100*ns, data(1, uint32(i)))
			}
			for i := range 8 { // the first goes out at once
				b.arrive(0, 3*us+unit.Time(i)*100*ns, data(2, uint32(i)))
			}
			b.run(4 * us)
			b.wantPool(2, x.fit)
			b.wantDrops(0, fabric.DropDCIBuffer, uint64(4+7-x.fit))
			b.arrive(2, 5*us, data(1, 4)) // full for this direction too
			b.run(6 * us)
			if got := b.record(2).Drops[fabric.DropDCIBuffer]; x.fit == 10 && got != 1 || got > 1 {
				t.Errorf("%v: %d drops of what came in by the port", x.size, got)
			}
			b.run(12 * us) // one left
			b.arrive(0, 13*us, data(2, 8))
			b.run(14 * us)
			b.wantPool(2, x.fit)
			b.arrive(1, 15*us, pfc(0, 3))
			b.run(200 * us)
			b.wantPool(2, 0)
			if got := b.record(2).PoolMax; got != unit.Bytes(x.fit)*frameLen {
				t.Errorf("%v: high-water mark %v", x.size, got)
			}
			for _, d := range b.sent {
				if d.Frame.IsPFC() {
					t.Errorf("%v: pause at port %d", x.size, d.Link)
				}
			}
			if frames, bytes := b.s.Resident(); frames != 0 || bytes != 0 {
				t.Errorf("%v: %d frames of %d B stayed", x.size, frames, bytes)
			}
		})
	}
}

// TestDCIObeysNoPause: without PFC across the fibre a pause that comes from there
// is counted and not obeyed.
func TestDCIObeysNoPause(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("on=%v", on), func(t *testing.T) {
			c := dciStar(2)
			c.Profile.DCI.PFC.Enabled = on
			b := newBench(t, c)
			b.arrive(1, 1*us, pfc(65535, 3))
			b.arrive(0, 2*us, data(1, 0))
			b.run(3 * us)
			want := "2000000 ps port 1 psn 0 ecn 2"
			if on {
				want = ""
			}
			b.want(want)
			if n := b.record(1).Classes.At(3).ReceivedXOFF; n != 1 {
				t.Errorf("%d pauses counted", n)
			}
		})
	}
}

// TestFullSharedBufferIsNotTheirs: with nothing free in the shared buffer any
// account is at its threshold, but a frame that goes out by a DCI port is in none.
func TestFullSharedBufferIsNotTheirs(t *testing.T) {
	c := dciStar(4)
	c.Profile.Alpha, c.Profile.Reserve, c.Profile.Headroom = 64, 0, 20*unit.KB
	c.Profile.Buffer = 3*20*unit.KB + 8*frameLen
	b := newBench(t, c)
	b.checked = true
	b.arrive(2, 1*us, pfc(65535, 3))
	for i := range 8 {
		b.arrive(1, 2*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.run(3 * us)
	b.want("2700000 ps port 1 pause class 3 for 65535")
	for i := range 3 {
		b.arrive(0, 4*us+unit.Time(i)*ns, data(3, uint32(i)))
	}
	b.run(5 * us)
	b.want(`4000000 ps port 3 psn 0 ecn 2
		4086560 ps port 3 psn 1 ecn 2
		4173120 ps port 3 psn 2 ecn 2`)
}

// TestFromFibreToFibre: a frame from one DCI port to another is in the memory of
// its egress, under PFC in the memory of its ingress. Control frames are in none.
func TestFromFibreToFibre(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("on=%v", on), func(t *testing.T) {
			c := dciStar(2)
			c.Ports[0].DCI, c.Ports[0].Beyond = true, c.Ports[1].Beyond
			c.Ports[1].Tx.Rate = unit.Gbps
			c.Profile.DCI.PFC.Enabled = on
			b := newBench(t, c)
			b.checked = true
			for i := range 3 {
				b.arrive(0, 1*us+unit.Time(i)*100*ns, data(1, uint32(i)))
				b.arrive(0, 2*us+unit.Time(i)*100*ns, dscp(data(1, uint32(i)), 48))
			}
			b.run(3 * us)
			if on {
				b.wantPool(0, 2)
				b.wantPool(1, 0)
			} else {
				b.wantPool(0, 0)
				b.wantPool(1, 2)
			}
		})
	}
}

// TestTowardsFibreUnderPFC: what goes out across the fibre is then in the shared
// buffer, whose pauses reach the hosts.
func TestTowardsFibreUnderPFC(t *testing.T) {
	c := dciStar(2)
	c.Profile.DCI.PFC.Enabled = true
	c.Profile.Reserve, c.Profile.Headroom, c.Profile.ResumeOffset, c.Profile.Alpha = 0, 20*unit.KB, frameLen, 1
	c.Profile.Buffer = 20*unit.KB + 8*frameLen // headroom of one port: the DCI port has its own
	b := newBench(t, c)
	b.checked = true
	b.arrive(1, 1*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(0, 2*us+unit.Time(i)*100*ns, data(1, uint32(i)))
	}
	b.run(3 * us)
	b.want("2300000 ps port 0 pause class 3 for 65535")
	if got := b.s.ports[1].pool.used; got != 0 || b.s.mmu.resident != 4*frameLen {
		t.Errorf("DCI memory %v, shared %v", got, b.s.mmu.resident)
	}
}

// TestDCIThresholds: XOFF with the frame that brings the volume to XOFF, XON with the one that takes it to XON, the
// rest of the headroom to the byte, then drops.
func TestDCIThresholds(t *testing.T) {
	c := dciStar(2)
	c.MaxFrame = frameLen
	c.Profile.DCI.PFC = profile.DCIPFC{Enabled: true, XON: 3 * frameLen, Headroom: 2 * frameLen}
	b := newBench(t, c)
	b.checked = true
	b.arrive(0, 1*us, pfc(65535, 3))
	for i := range 10 { // XOFF is at 3 + 4 frames, the tenth is one too many
		b.arrive(1, 2*us+unit.Time(i)*100*ns, data(0, uint32(i)))
	}
	b.run(4 * us)
	b.want("2600000 ps port 1 pause class 3 for 65535")
	b.wantPool(1, 9)
	b.wantDrops(1, fabric.DropHeadroom, 1)
	b.arrive(0, 5*us, pfc(0, 3))
	b.run(5*us + 5*unit.Time(frameTime) - 1)
	b.sent = nil
	b.run(5*us + 5*unit.Time(frameTime)) // the sixth leaves three
	b.want(`5432800 ps port 0 psn 5 ecn 2
		5432800 ps port 1 pause class 3 for 0`)
	if cl := b.record(1).Classes.At(3); cl.IngressMax != 7*frameLen || cl.HeadroomMax != 2*frameLen ||
		cl.SentXOFF != 1 || cl.SentXON != 1 {
		t.Errorf("%+v", cl)
	}
}

// TestLossyBesidePFC: a lossy class has what the lossless one cannot claim.
func TestLossyBesidePFC(t *testing.T) {
	c := dciStar(2)
	c.MaxFrame = frameLen
	c.Profile.DCI.PFC = profile.DCIPFC{Enabled: true, XON: 3 * frameLen, Headroom: 2 * frameLen}
	c.Profile.DCI.Buffer = (9 + 5) * frameLen
	c.Ports[0].Tx.Rate = unit.Gbps
	b := newBench(t, c)
	b.checked = true
	b.arrive(0, 1*us, pfc(65535, 3))
	for i := range 8 {
		b.arrive(1, 2*us+unit.Time(i)*100*ns, dscp(data(0, uint32(i)), 0))
	}
	for i := range 9 {
		b.arrive(1, 4*us+unit.Time(i)*100*ns, data(0, uint32(i)))
	}
	b.run(6 * us)
	b.wantPool(1, 5+9)
	b.wantDrops(1, fabric.DropDCIBuffer, 8-1-5)
	b.wantDrops(1, fabric.DropHeadroom, 0)
}

// TestDCIMarking: the thresholds follow from the RTT, or are set, and apply to the marked classes and to the DCI port
// only.
func TestDCIMarking(t *testing.T) {
	for _, x := range []struct {
		ecn        profile.DCIECN
		on         bool
		kmin, kmax unit.Bytes
	}{
		{profile.DCIECN{Enabled: true, Pmax: 0.2}, true, 1125 * unit.KB, 2250 * unit.KB},
		{profile.DCIECN{Enabled: true, Kmin: 5 * unit.KB, Kmax: 5 * unit.KB, Pmax: 0.2}, true, 5 * unit.KB, 5 * unit.KB},
		{profile.DCIECN{Pmax: 0.2}, false, 1125 * unit.KB, 2250 * unit.KB},
	} {
		t.Run(fmt.Sprintf("on=%v,kmin=%v", x.on, x.kmin), func(t *testing.T) {
			c := dciStar(2)
			c.Profile.DCI.ECN = x.ecn
			b := newBench(t, c)
			if got := (marker{atDequeue: x.on, kmin: x.kmin, kmax: x.kmax, pmax: 0.2}); b.s.ports[1].marks[3] != got {
				t.Errorf("%+v: %+v", x.ecn, b.s.ports[1].marks[3])
			}
			if b.s.ports[1].marks[0].atDequeue || b.s.ports[0].marks[3].kmin != 400*unit.KB || !b.s.ports[0].marks[3].atDequeue {
				t.Errorf("%+v: class 0 %+v, port 0 %+v", x.ecn, b.s.ports[1].marks[0], b.s.ports[0].marks[3])
			}
		})
	}
}

// TestDCIMarksItsQueue: above Kmax each frame that leaves is marked. One that is
// not ECN-capable passes in a class that PFC protects elsewhere, and is dropped in a
// class that is lossy everywhere.
func TestDCIMarksItsQueue(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("on=%v", on), func(t *testing.T) {
			c := dciStar(3)
			c.Profile.DCI.ECN = profile.DCIECN{Enabled: true, Kmin: 1, Kmax: 1, Pmax: 1}
			c.Profile.DCI.PFC.Enabled = on
			c.Profile.ECN[0].Enabled, c.Profile.QueueOf[0] = true, 3
			b := newBench(t, c)
			b.checked = true
			for i := range 5 {
				f := data(2, uint32(i))
				if i == 2 || i == 3 {
					f.TOS &^= wire.ECNMask
				}
				if i == 3 {
					dscp(f, 0)
				}
				b.arrive(0, 1*us+unit.Time(i)*ns, f)
			}
			b.run(3 * us)
			// The first and the last leave nothing behind.
			b.want(`1000000 ps port 2 psn 0 ecn 2
			1086560 ps port 2 psn 1 ecn 3
			1173120 ps port 2 psn 2 ecn 0
			1259680 ps port 2 psn 4 ecn 2`)
			b.wantDrops(0, fabric.DropWRED, 1)
			if got := b.s.ports[2].pool.used; got != 0 {
				t.Errorf("PFC %t: %v stayed", on, got)
			}
		})
	}
}

// TestDCIIsNotInSharedBuffer: its headroom and reserve are not subtracted.
func TestDCIIsNotInSharedBuffer(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("on=%v", on), func(t *testing.T) {
			c := dciStar(4)
			c.Profile.DCI.PFC.Enabled = on
			c.Profile.Headroom = 50 * unit.KB
			b := newBench(t, c)
			if want := 32*unit.MB - 3*(54*unit.KB); b.s.mmu.shared != want {
				t.Errorf("PFC %t: shared %v, want %v", on, b.s.mmu.shared, want)
			}
		})
	}
}

func TestDCIRefused(t *testing.T) {
	for want, d := range map[string]profile.DCI{
		"none may be negative":            {Buffer: -1},
		"allowed is kmin <= kmax":         {ECN: profile.DCIECN{Enabled: true, Kmin: 3 * unit.MB}},
		"pmax is 2: allowed is 0 to 1":    {ECN: profile.DCIECN{Enabled: true, Pmax: 2}},
		"1 lossless classes with XOFF at": {Buffer: 2 * unit.MB, PFC: profile.DCIPFC{Enabled: true}},
	} {
		t.Run(want, func(t *testing.T) {
			c := dciStar(2)
			c.Profile.DCI = d
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), "port 1: DCI") || !strings.Contains(err.Error(),
				want) {
				t.Errorf("%+v: %v, want %q", d, err, want)
			}
		})
	}
}
