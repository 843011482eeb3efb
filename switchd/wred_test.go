package switchd

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// TestMarkingProbability against the curve of Kmin 400 KB, Kmax 1600 KB, Pmax
// 0.2 at 100 Gb/s, and scaled to other rates.
func TestMarkingProbability(t *testing.T) {
	w := profile.DefaultSwitch().ECN[3]
	for _, x := range []struct {
		gbps unit.BitRate
		q    unit.Bytes
		want float64
	}{
		{100, 0, 0}, {100, 400_000, 0}, {100, 1_000_000, 0.1}, {100, 1_300_000, 0.15}, {100, 1_600_000, 0.2},
		{100, 1_600_001, 1},
		{25, 100_000, 0}, {25, 250_000, 0.1}, {25, 400_000, 0.2}, {25, 400_001, 1},
		{400, 1_600_000, 0}, {400, 4_000_000, 0.1}, {400, 6_400_001, 1},
	} {
		t.Run(fmt.Sprintf("gbps=%v,q=%v", x.gbps, x.q), func(t *testing.T) {
			m := newMarker(&w, x.gbps*unit.Gbps)
			if got := m.probability(x.q); math.Abs(got-x.want) > 1e-12 {
				t.Errorf("%d Gb/s, %v: P %v, want %v", x.gbps, x.q, got, x.want)
			}
		})
	}
	w.ScaleRate = 0
	if m := newMarker(&w, 25*unit.Gbps); m.kmin != w.Kmin || m.kmax != w.Kmax {
		t.Errorf("not scaled: %v, %v", m.kmin, m.kmax)
	}
	step := marker{kmin: 1000, kmax: 1000, pmax: 1}
	if step.probability(1000) != 0 || step.probability(1001) != 1 {
		t.Error("Kmin = Kmax is a step")
	}
}

// TestMarkingFrequency counts marks at P = 0.1: 20000 trials, sigma 42.4, five
// of them. Outside (Kmin, Kmax] nothing is drawn.
func TestMarkingFrequency(t *testing.T) {
	b := newBench(t, star(2))
	q := b.s.ports[1].queue(3)
	try := func(length unit.Bytes, n int) (marked int) {
		q.bytes = length
		for range n {
			f := data(1, 0)
			b.s.ports[1].marks[3].apply(q, &entry{frame: f, class: 3}, b.now, b.s.spared, &b.s.streams)
			if f.ECN() == wire.CE {
				marked++
			}
		}
		return marked
	}
	if n := try(400_000, 100); n != 0 || q.chance != nil {
		t.Errorf("at Kmin: %d marks", n)
	}
	if n := try(1_600_001, 100); n != 100 || q.chance != nil {
		t.Errorf("above Kmax: %d marks of 100", n)
	}
	if n := try(1_000_000, 20000); n < 2000-212 || n > 2000+212 {
		t.Errorf("P = 0.1: %d marks of 20000", n)
	}
	if r := b.s.ports[1].rec.Queues.At(3); r.Markable != 20200 || r.Marked < 1888 {
		t.Errorf("markable %d, marked %d", r.Markable, r.Marked)
	}
}

// TestMarkingPoint: three frames that wait for a resume, a step at one frame.
// At dequeue the first leaves two behind and is marked, the others leave one
// and none; at enqueue they meet none, one and two.
func TestMarkingPoint(t *testing.T) {
	for _, x := range []struct {
		atEnqueue bool
		want      string
	}{
		{false, "5000000 ps port 1 psn 0 ecn 3\n5086560 ps port 1 psn 1 ecn 2\n5173120 ps port 1 psn 2 ecn 2"},
		{true, "5000000 ps port 1 psn 0 ecn 2\n5086560 ps port 1 psn 1 ecn 2\n5173120 ps port 1 psn 2 ecn 3"},
	} {
		t.Run(fmt.Sprintf("atEnqueue=%v", x.atEnqueue), func(t *testing.T) {
			c := star(2)
			e := &c.Profile.ECN[3]
			e.Kmin, e.Kmax, e.Pmax, e.AtEnqueue = frameLen, frameLen, 1, x.atEnqueue
			b := newBench(t, c)
			b.arrive(1, 1*us, pfc(65535, 3))
			for i := range 3 {
				b.arrive(0, 2*us+unit.Time(i)*100*ns, data(1, uint32(i)))
			}
			b.arrive(1, 5*us, pfc(0, 3))
			b.run(9 * us)
			b.want(x.want)
		})
	}
}

// TestNotECTIsSpared: a switch that does not drop for want of ECN lets such a frame pass in a lossy class too,
// unmarked, and still marks ECN-capable ones.
func TestNotECTIsSpared(t *testing.T) {
	c := star(3)
	c.Profile.ECN[0] = profile.WRED{Enabled: true, Pmax: 1}
	c.Profile.DropNotECT = false
	b := newBench(t, c)
	b.checked = true
	for i := range 6 {
		for port := range 2 {
			f := dscp(data(2, uint32(i)), 0)
			if i%2 == 0 {
				f.TOS &^= wire.ECNMask
			}
			b.arrive(port, 2*us+unit.Time(i)*100*ns, f)
		}
	}
	b.run(20 * us)
	var by [4]int
	for _, d := range b.sent {
		by[d.Frame.ECN()]++
	}
	if by[wire.NotECT] != 6 || by[wire.CE] == 0 || by[wire.CE]+by[wire.ECT0] != 6 {
		t.Errorf("sent by ECN %v, want 6 that are not capable and 6 that are, some of them marked", by)
	}
}

// TestNotECT: WRED drops it in a lossy class and lets it pass in a lossless
// one, unmarked.
func TestNotECT(t *testing.T) {
	for _, atEnqueue := range []bool{false, true} {
		t.Run(fmt.Sprintf("atEnqueue=%v", atEnqueue), func(t *testing.T) {
			c := star(3)
			for _, class := range []int{0, 3} {
				c.Profile.ECN[class] = profile.WRED{Enabled: true, Pmax: 1, AtEnqueue: atEnqueue}
			}
			b := newBench(t, c)
			b.checked = true
			send := func(d uint8, at unit.Time) {
				for i := range 3 { // from two ports, so that a queue builds
					for port := range 2 {
						f := dscp(data(2, uint32(i)), d)
						f.TOS &^= wire.ECNMask
						b.arrive(port, at+unit.Time(i)*100*ns, f)
					}
				}
			}
			send(26, 2*us)
			send(0, 9*us)
			b.run(20 * us)
			for _, d := range b.sent[:6] {
				if d.Frame.ECN() != wire.NotECT || d.Start > 9*us {
					t.Errorf("lossless: ECN %d at %v", d.Frame.ECN(), d.Start)
				}
			}
			drops := b.record(0).Drops[fabric.DropWRED] + b.record(1).Drops[fabric.DropWRED]
			if drops == 0 || int(drops)+len(b.sent) != 12 {
				t.Errorf("lossy, at enqueue %t: %d drops, %d sent", atEnqueue, drops, len(b.sent))
			}
		})
	}
}

// TestNotECTByClass: a class's own setting for frames that are not ECN-capable overrides the switch's, in a lossless
// class as in a lossy one; capable frames are marked by either. Mutants: the class's setting is not read; it is one for
// all.
func TestNotECTByClass(t *testing.T) {
	yes, no := true, false
	for _, x := range []struct {
		name    string
		class   uint8
		own     *bool
		dropped uint64
	}{
		{"lossless", 3, nil, 0},
		{"lossless that drops", 3, &yes, 5},
		{"lossy", 0, nil, 5},
		{"lossy that does not drop", 0, &no, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := star(2)
			for class := range c.Profile.ECN {
				c.Profile.ECN[class] = profile.WRED{
					Enabled:   true,
					Kmin:      frameLen,
					Kmax:      frameLen,
					Pmax:      1,
					AtEnqueue: true,
				}
			}
			c.Profile.ECN[x.class].DropNotECT = x.own
			b := newBench(t, c)
			b.arrive(1, 1*us, pfc(65535, 3))
			for i := range 7 {
				capable, not := data(1, uint32(i)), data(1, uint32(i))
				not.TOS &^= wire.ECNMask
				if x.class == 0 {
					capable, not = dscp(capable, 0), dscp(not, 0)
				}
				b.arrive(0, 2*us+unit.Time(2*i)*10*ns, capable)
				b.arrive(0, 2*us+unit.Time(2*i+1)*10*ns, not)
			}
			b.run(9 * us)
			if got := b.s.ports[0].rec.Drops[fabric.DropWRED]; got < x.dropped || x.dropped == 0 && got > 0 {
				t.Errorf("%s: %d dropped, want at least %d", x.name, got, x.dropped)
			}
			if r := b.s.ports[1].rec.Queues.Of(x.class); r.Markable != 7 || r.Marked < 4 {
				t.Errorf("%s: %d markable, %d marked", x.name, r.Markable, r.Marked)
			}
		})
	}
}
