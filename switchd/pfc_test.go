package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// tight is a switch without reserve whose shared memory holds eight frames,
// with alpha 1: T = free.
func tight(n int) Config {
	c := star(n)
	c.Profile.Alpha = 1
	c.Profile.Reserve, c.Profile.Headroom, c.Profile.ResumeOffset = 0, 20*unit.KB, frameLen
	c.Profile.Buffer = unit.Bytes(n)*20*unit.KB + 8*frameLen
	return c
}

// TestPauseTranscript: the fourth frame makes used = 4 >= T = 4 frames, XOFF;
// 1000 quanta last 5.12 us at 100 Gb/s and are refreshed after half of that;
// the first frame out leaves used 3 + offset 1 <= T = 5, XON.
func TestPauseTranscript(t *testing.T) {
	c := tight(3)
	c.Profile.PFC.Quanta = 1000
	b := newBench(t, c)
	b.checked = true
	b.arrive(2, 1*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(0, 2*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.arrive(2, 8*us, pfc(0, 3))
	b.run(7500 * ns)
	if f := b.sent[0].Frame; f.Dst != wire.PFCDst || f.Src != wire.NodeMAC(7, 0) || f.ClassEnable != 8 {
		t.Errorf("pause frame to %v from %v, classes %08b", f.Dst, f.Src, f.ClassEnable)
	}
	b.want(`2300000 ps port 0 pause class 3 for 1000
		4860000 ps port 0 pause class 3 for 1000
		7420000 ps port 0 pause class 3 for 1000`)
	b.run(100 * us)
	b.want(`8000000 ps port 2 psn 0 ecn 2
		8000000 ps port 0 pause class 3 for 0
		8086560 ps port 2 psn 1 ecn 2
		8173120 ps port 2 psn 2 ecn 2
		8259680 ps port 2 psn 3 ecn 2`)
	in, out := b.record(0), b.record(2)
	if cl := in.Classes.At(3); cl.SentXOFF != 3 || cl.SentXON != 1 || in.TxPFCFrames != 4 || in.TxPFCBytes != 240 {
		t.Errorf("sent %d XOFF, %d XON in %d frames of %d B", cl.SentXOFF, cl.SentXON, in.TxPFCFrames, in.TxPFCBytes)
	}
	if cl := out.Classes.At(3); cl.ReceivedXOFF != 1 || cl.ReceivedXON != 1 || cl.Paused != 7*unit.Microsecond ||
		out.RxPFCFrames != 2 {
		t.Errorf("received %d XOFF, %d XON, paused %v", cl.ReceivedXOFF, cl.ReceivedXON, cl.Paused)
	}
}

// TestOthersFreeMemory: port 0 is paused because port 1's frames fill the
// buffer, and resumes when they leave, although none of its own do. Its three
// frames need T = 4: two of port 1's must go.
func TestOthersFreeMemory(t *testing.T) {
	b := newBench(t, tight(4))
	b.checked = true
	b.arrive(2, 1*us, pfc(65535, 3))
	b.arrive(3, 1*us, pfc(65535, 3))
	for i := range 3 {
		b.arrive(1, 2*us+unit.Time(i)*100*ns, data(3, uint32(i)))
		b.arrive(0, 3*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.arrive(3, 5*us, pfc(0, 3))
	b.run(6 * us)
	b.want(`3200000 ps port 0 pause class 3 for 65535
		5000000 ps port 3 psn 0 ecn 2
		5086560 ps port 3 psn 1 ecn 2
		5086560 ps port 0 pause class 3 for 0
		5173120 ps port 3 psn 2 ecn 2`)
}

// TestPauseWaitsForTheFrameUnderWay: XOFF for port 0 goes out right after the
// frame that port 0 is sending, before the next one; XON meanwhile replaces it.
func TestPauseWaitsForTheFrameUnderWay(t *testing.T) {
	b := newBench(t, tight(3))
	b.arrive(2, 1*us, pfc(65535, 3))
	b.arrive(1, 2290*ns, dscp(data(0, 90), 0))
	b.arrive(1, 2291*ns, dscp(data(0, 91), 0))
	for i := range 4 {
		b.arrive(0, 2*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.run(3 * us)
	b.want(`2290000 ps port 0 psn 90 ecn 2
		2376560 ps port 0 pause class 3 for 65535
		2383280 ps port 0 psn 91 ecn 2`)
}

// TestPauseDuration: quanta x 512 bit times of the link, from the last bit of
// the PFC frame on.
func TestPauseDuration(t *testing.T) {
	for _, x := range []struct {
		gbps   unit.BitRate
		quanta uint16
		want   unit.Duration
	}{
		{100, 65535, 335_539_200}, {400, 65535, 83_884_800}, {100, 1, 5120}, {400, 1, 1280}, {25, 100, 2_048_000},
		{800, 65535, 41_942_400},
	} {
		t.Run(fmt.Sprintf("gbps=%v,quanta=%v", x.gbps, x.quanta), func(t *testing.T) {
			c := star(2)
			c.Ports[1].Rx.Rate = x.gbps * unit.Gbps
			b := newBench(t, c)
			b.arrive(1, 2*us, pfc(x.quanta, 3))
			b.arrive(0, 2*us, data(1, 1)) // PFC comes first at one instant
			b.run(ms)
			if got := b.sent[0].Start.Sub(2 * us); got != x.want || b.record(1).Classes.At(3).Paused != x.want {
				t.Errorf("%d Gb/s, %d quanta: %d ps, paused %v, want %d", x.gbps, x.quanta, got, b.record(1).Classes.At(3).Paused,
					x.want)
			}
		})
	}
}

// TestPauseSemantics: when the frame of class 3 that waits at port 1 leaves.
func TestPauseSemantics(t *testing.T) {
	type arrival struct {
		at unit.Time
		f  *wire.Frame
	}
	for _, x := range []struct {
		name string
		pfc  []arrival
		want unit.Time
	}{
		{"shorter replaces", []arrival{{2 * us, pfc(65535, 3)}, {4 * us, pfc(100, 3)}}, 4*us + 512*ns},
		{"longer replaces", []arrival{{2 * us, pfc(1000, 3)}, {4 * us, pfc(1000, 3)}}, 9120 * ns},
		{"not added", []arrival{{2 * us, pfc(1000, 3)}, {2*us + 10*ns, pfc(1000, 3)}}, 7130 * ns},
		{"short, long, short", []arrival{{2 * us, pfc(600, 3)}, {3 * us, pfc(60000, 3)}, {4 * us, pfc(1000, 3)}}, 9120 * ns},
		{"XON", []arrival{{2 * us, pfc(65535, 3)}, {4 * us, pfc(0, 3)}}, 4 * us},
		{"XON of another class", []arrival{{2 * us, pfc(1000, 3)}, {4 * us, pfc(0, 4)}}, 7120 * ns},
		{"XON without XOFF", []arrival{{2 * us, pfc(0, 3)}}, 3 * us},
		{"lossy class does not obey", []arrival{{2 * us, pfc(1000, 4)}}, 3 * us},
		{"several classes", []arrival{{2 * us, pfc(1000, 0, 3, 7)}}, 7120 * ns},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := newBench(t, star(2))
			for _, a := range x.pfc {
				b.arrive(1, a.at, a.f)
			}
			b.arrive(0, 3*us, data(1, 1))
			b.run(ms)
			if got := b.sent[0].Start; got != x.want {
				t.Errorf("%s: left at %v, want %v", x.name, got, x.want)
			}
		})
	}
}

// TestPauseSparesOthers: the frame under way completes, control frames and
// other classes go on.
func TestPauseSparesOthers(t *testing.T) {
	b := newBench(t, star(2))
	b.arrive(0, 2*us, data(1, 1))
	b.arrive(1, 2*us+10*ns, pfc(65535, 3, 6))
	for i, d := range []uint8{26, 0, 48} {
		b.arrive(0, 3*us+unit.Time(i)*us, dscp(data(1, uint32(d)), d))
	}
	b.run(300 * us)
	b.want(`2000000 ps port 1 psn 1 ecn 2
		4000000 ps port 1 psn 0 ecn 2
		5000000 ps port 1 psn 48 ecn 2`)
	if got := b.record(1).Classes.At(3).Paused; got != 300*unit.Microsecond-2010*unit.Nanosecond {
		t.Errorf("open pause counts %v", got)
	}
}
