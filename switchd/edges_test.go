package switchd

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Thresholds one byte below, at and above, and thresholds that are crossed both ways.

// WRED marks nothing up to Kmin, draws above it up to Kmax itself, and marks each frame above
// that (Zhu et al., SIGCOMM 2015, section 3.1). Chance decides nothing outside.
func TestMarkingEdges(t *testing.T) {
	for _, x := range []struct {
		kmin, kmax unit.Bytes
		pmax       float64
		queue      unit.Bytes
		marks      bool
		draws      bool
	}{
		{1000, 1001, 1, 999, false, false},
		{1000, 1001, 1, 1000, false, false},
		{1000, 1001, 1, 1001, true, true}, // P = Pmax = 1
		{1000, 2000, 0, 1999, false, true},
		{1000, 2000, 0, 2000, false, true}, // P = Pmax = 0
		{1000, 2000, 0, 2001, true, false},
		{1000, 1000, 1, 999, false, false},
		{1000, 1000, 1, 1000, false, false},
		{1000, 1000, 1, 1001, true, false},
	} {
		t.Run(fmt.Sprintf("kmax=%v,pmax=%v,queue=%v", x.kmax, x.pmax, x.queue), func(t *testing.T) {
			b := newBench(t, star(2))
			q := b.s.ports[1].queue(3)
			q.bytes = x.queue
			m := marker{atDequeue: true, kmin: x.kmin, kmax: x.kmax, pmax: x.pmax}
			for range 20 {
				f := data(1, 0)
				if m.apply(q, &entry{frame: f, class: 3}, b.now, b.s.spared, &b.s.streams); (f.ECN() == wire.CE) != x.marks {
					t.Errorf("%+v: ECN %d", x, f.ECN())
					break
				}
			}
			if drew := q.chance != nil; drew != x.draws {
				t.Errorf("%+v: a draw %t", x, drew)
			}
		})
	}
}

// An account asks for XOFF once it holds T, and for XON once it holds T less the offset, or nothing: then also below a
// T that is less than the offset. T is the part of 10 000 B that others leave, with alpha 1.
func TestPauseEdges(t *testing.T) {
	const shared, offset = 10_000, 3000
	for _, x := range []struct {
		others, held   unit.Bytes
		pauses, resume bool
	}{
		{0, 4999, false, false},
		{0, 5000, true, false}, // T is 5000
		{0, 5001, true, false},
		{0, 3499, false, true},
		{0, 3500, false, true}, // T is 6500
		{0, 3501, false, false},
		{7000, 0, false, true},
		{7000, 1, false, false}, // T is 2999
		{6999, 1, false, false}, // T is 3000
		{6998, 1, false, true},
		{9999, 0, false, true},
		{10_000, 0, true, true}, // T is 0
	} {
		t.Run(fmt.Sprintf("others=%v,held=%v", x.others, x.held), func(t *testing.T) {
			m := mmu{shared: shared, resumeOffset: offset, wake: never, used: x.others + x.held}
			in := ingress{alpha: 1, classes: new(record.Classes)}
			in.account(3).bytes = x.held
			if got := m.mustPause(&in, 3); got != x.pauses {
				t.Errorf("%v held, %v by others: asks for XOFF %t", x.held, x.others, got)
			}
			if got := m.mayResume(&in, 3); got != x.resume {
				t.Errorf("%v held, %v by others: may send XON %t", x.held, x.others, got)
			}
			in.account(3).headroom = 1
			if !m.mustPause(&in, 3) || m.mayResume(&in, 3) {
				t.Errorf("%v held, %v by others, 1 B of headroom: must be paused", x.held, x.others)
			}
		})
	}
}

// A class whose last frame leaves resumes at that instant, though others leave it a T of less
// than the offset: ports 1 and 4 hold 4 and 2 of 8 frames, so that the one of port 0 meets
// T = 1, and T is 2 without it.
func TestEmptyClassResumes(t *testing.T) {
	c := tight(5)
	c.Profile.ResumeOffset = 6 * frameLen
	b := newBench(t, c)
	b.checked = true
	b.arrive(2, 1*us, pfc(65535, 3))
	b.arrive(3, 1*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(1, 2*us+unit.Time(i)*100*ns, data(3, uint32(i)))
	}
	for i := range 2 {
		b.arrive(4, 3*us+unit.Time(i)*100*ns, data(3, uint32(i)))
	}
	b.arrive(0, 4*us, data(2, 9))
	b.arrive(2, 5*us, pfc(0, 3))
	b.run(6 * us)
	b.want(`2300000 ps port 1 pause class 3 for 65535
		3100000 ps port 4 pause class 3 for 65535
		4000000 ps port 0 pause class 3 for 65535
		5000000 ps port 2 psn 9 ecn 2
		5000000 ps port 0 pause class 3 for 0`)
}

// The high-water mark of headroom stays when less of it is used later.
func TestHeadroomHighWater(t *testing.T) {
	in := ingress{alpha: 1, lossless: 1 << 3, headroom: 3000, classes: new(record.Classes)}
	m := mmu{wake: never} // no shared memory: all goes into headroom
	for _, x := range []struct{ admit, release, most unit.Bytes }{
		{1000, 0, 1000}, {1500, 0, 2500}, {0, 2000, 2500}, {700, 0, 2500}, {1300, 0, 2500}, {100, 0, 2600},
		{0, 2600, 2600}, {1, 0, 2600},
	} {
		t.Run(fmt.Sprintf("admit=%v,release=%v", x.admit, x.release), func(t *testing.T) {
			if x.admit > 0 && !m.admit(&in, 3, x.admit) {
				t.Fatalf("%+v: not admitted", x)
			}
			if x.release > 0 {
				m.release(&in, 3, x.release)
			}
			if got := in.classes.At(3).HeadroomMax; got != x.most {
				t.Errorf("%+v: most headroom %v", x, got)
			}
		})
	}
}

// The buffer's trigger of proximal CNP, up and down: in a memory of 20 frames with half as the high mark, the 11th
// frame begins a congestion and neither the 10th nor the 9th ends it: the frame that leaves 7 does, below the low mark
// of two fifths.
func TestBufferTriggerUpAndDown(t *testing.T) {
	c := leaf(func(p *profile.Proximal) { p.Threshold = unit.MB })
	c.Profile.Alpha, c.Profile.Reserve, c.Profile.Headroom = 64, 0, 20*unit.KB
	c.Profile.Buffer = unit.Bytes(len(c.Ports))*20*unit.KB + 20*frameLen
	b := newBench(t, c)
	b.checked = true
	b.arrive(0, 1*us, pfc(65535, 3))
	for i := range 12 {
		b.arrive(2+i%2, 2*us+unit.Time(i)*100*ns, packet(2+i%2, 0, 0x20, uint32(i)))
	}
	b.arrive(0, 9*us, pfc(0, 3))
	b.run(50 * us)
	kinds, at := []record.ProximalKind{}, []unit.Time{}
	for _, a := range b.s.ProximalRecord().Actions {
		if kinds = append(kinds, a.Kind); a.Port != 0 {
			t.Errorf("%+v, want port 0", a)
		}
		at = append(at, a.At)
	}
	// The 11th frame comes 1 us after the first; the fifth of twelve to leave leaves seven.
	if !slices.Equal(kinds, []record.ProximalKind{record.ProximalCongested, record.ProximalClear}) ||
		!slices.Equal(at, []unit.Time{3 * us, (9 * us).Add(4 * frameTime)}) {
		t.Errorf("%v at %v, want one congestion from 3us to %v", kinds, at, (9 * us).Add(4*frameTime))
	}
}
