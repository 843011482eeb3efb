package proximal

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ofThePaper follows reaction points of the DCQCN paper.
func ofThePaper() profile.Proximal {
	p := profile.DefaultProximal()
	p.Spacing, p.Gain, p.GainPeriod = 50*unit.Microsecond, 1.0/256, 55*unit.Microsecond
	return p
}

// give lets a flow's sender have n CNPs, as the device sends them, and returns when
// the next one may follow.
func give(e *Entry, at unit.Time, n int, p *profile.Proximal) unit.Time {
	for range n {
		at = at.Add(e.OnCNP(at, p))
	}
	return at
}

// k = 1 - g = 1019/1024. The first CNP, at 0, sets alpha to 1; the clocks tick 1, 2,
// 3 us later. The next, at 6 us, counts at the tick of 7 us: alpha = k^6 k + g.
func TestAlphaOfTwoClocks(t *testing.T) {
	p := profile.DefaultProximal()
	const g, k = 5.0 / 1024, 1019.0 / 1024
	var e Entry
	if e.Alpha(9*us, &p) != 1 {
		t.Error("alpha is 1 before the first CNP")
	}
	if at := give(&e, 0, 1, &p); at != 6*us {
		t.Errorf("the second CNP at %v, want 1.5 periods after the first", at)
	}
	if at := give(&e, 6*us, 1, &p); at != 10*us {
		t.Errorf("the third CNP at %v, want a period after the second", at)
	}
	for _, x := range []struct {
		at   unit.Time
		want float64
	}{
		{6 * us, math.Pow(k, 6)}, {7*us - 1, math.Pow(k, 6)}, {7 * us, math.Pow(k, 7) + g},
		{9 * us, (math.Pow(k, 7) + g) * k * k},
	} {
		t.Run(fmt.Sprintf("at=%v", x.at), func(t *testing.T) {
			if got := e.Alpha(x.at, &p); math.Abs(got-x.want) > 1e-12 {
				t.Errorf("%v at %v, want %v", got, x.at, x.want)
			}
		})
	}
	give(&e, 9*us+1, 1, &p) // two CNPs between two ticks count as one
	give(&e, 9*us+2, 1, &p)
	if got, want := e.Alpha(10*us, &p), (math.Pow(k, 7)+g)*k*k*k+g; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v at 10 us, want %v", got, want)
	}
	if got := e.Alpha(unit.Time(unit.Second), &p); got != 0 {
		t.Errorf("%v after a second, want 0: k^999989 is none", got)
	}
	if e.OnCNP(unit.Time(unit.Second), &p); e.Alpha(unit.Time(unit.Second).Add(unit.Microsecond), &p) != g {
		t.Error("a CNP after a long silence is no first one")
	}
}

// Zhu et al., equations 1 and 2: alpha = (1-g) alpha + g at a CNP, (1-g) alpha in
// each period without.
func TestAlphaOfThePaper(t *testing.T) {
	p := ofThePaper()
	period, g := unit.Time(p.GainPeriod), p.Gain
	var e Entry
	if at := give(&e, 0, 1, &p); at != 50*us {
		t.Errorf("the second CNP at %v, want 50 us: each one cuts", at)
	}
	if got := e.Alpha(period-1, &p); got != 1 {
		t.Errorf("%v after the first, want 1", got)
	}
	if got, want := e.Alpha(100*period, &p), math.Pow(1-g, 100); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v after 100 periods, want %v", got, want)
	}
	e.OnCNP(100*period+5*us, &p)
	want := math.Pow(1-g, 101) + g
	if got := e.Alpha(101*period+5*us-1, &p); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v after the second, want %v", got, want)
	}
	if got := e.Alpha(101*period+5*us, &p); math.Abs(got-want*(1-g)) > 1e-12 {
		t.Errorf("%v a period after the second, want %v", got, want*(1-g))
	}
}

// The first cut comes 4 us after the first CNP: alpha = k^4 = 0.980611 leaves
// 0.509694. The next, at 8 us, finds k^8 + g k, and leaves 0.263395 in all; then
// 0.137943, 0.073181, 0.039312.
//
// After 10 ms alpha is k^10000, that is 0, and each CNP adds g, reduced by four ticks to g k^3: 1 - g k^3 / 2 =
// 0.997571, then 0.992770, 0.985674 in all; 36 cuts leave 0.262918, 37 leave 0.245939.
func TestCuts(t *testing.T) {
	nic := profile.DefaultProximal()
	most := nic
	most.MaxCNPs = profile.MaxCNPsAtOnce
	paper := ofThePaper()
	for _, x := range []struct {
		name  string
		p     *profile.Proximal
		given int // CNPs at 0
		at    unit.Time
		least float64
		want  int
	}{
		{"none", &nic, 0, 0, 0.51, 0},
		{"the first", &nic, 0, 0, 0.5096, 1},
		{"two", &nic, 0, 0, 0.2633, 2},
		{"a quarter", &nic, 0, 0, 0.25, 2},
		{"five", &nic, 0, 0, 0.0393, 5},
		{"one of a small alpha", &nic, 1, 10_002 * us, 0.9975, 1},
		{"none of a small alpha", &nic, 1, 10_002 * us, 0.9976, 0},
		{"three of a small alpha", &nic, 1, 10_002 * us, 0.9856, 3},
		{"a quarter of a small alpha", &nic, 1, 10_002 * us, 0.25, 36},
		{"one more", &nic, 1, 10_002 * us, 0.2459, 37},
		{"as many as there may be", &nic, 1, 10_002 * us, 0.001, 64},
		{"and as many as may be asked for", &most, 1, 10_002 * us, 0, 128},
		// alpha = 1 throughout, for nothing decays it within 55 us.
		{"the paper's", &paper, 0, 0, 0.25, 2},
		{"the paper's, of alpha = 1", &paper, 1, 50 * us, 0.25, 2},
		{"the paper's, just more than a quarter", &paper, 1, 50 * us, 0.2501, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			var e Entry
			give(&e, 0, x.given, x.p)
			if got := e.Cuts(x.at, x.least, x.p); got != x.want {
				t.Errorf("%s: %d, want %d", x.name, got, x.want)
			}
		})
	}
}

// If every rate, even the smallest, is to be left, none is cut; and after any earlier CNPs, the next ones leave no less
// than allowed, while one more would.
func TestCutsLeaveTheShare(t *testing.T) {
	luck := chance.New(1, "cuts")
	nic, paper := profile.DefaultProximal(), ofThePaper()
	nic.MaxCNPs, paper.MaxCNPs = 128, 128
	cut := 0
	for round := range 400 {
		p := []*profile.Proximal{&nic, &paper}[round%2]
		var e Entry
		at := unit.Time(luck.Below(uint64(ms)))
		for range luck.Below(20) {
			at = give(&e, at, int(luck.Below(40)), p).Add(unit.Duration(luck.Below(uint64(20 * ms))))
		}
		least := float64(1+luck.Below(999)) / 1000
		n := e.Cuts(at, least, p)
		left := 1.0
		for i := range n + 1 {
			next := e.sender.next(p)
			left *= e.sender.cut(at, p)
			at = at.Add(next)
			if i < n && left < least || i == n && n < p.MaxCNPs && left >= least {
				t.Fatalf("round %d: %d of %d CNPs leave %v, wanted is %v", round, i+1, n, left, least)
			}
		}
		cut += n
	}
	if cut < 1000 {
		t.Errorf("%d CNPs in all: hardly anything was tried", cut)
	}
}
