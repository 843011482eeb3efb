package traffic

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func host(i int) string { return fmt.Sprintf("h%d", i) }

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (e Entry) flows(seed uint64) []plan.Flow {
	e.Flows = max(e.Flows, 1)
	return e.Expand(seed, host)
}

func TestIncast(t *testing.T) {
	e := Entry{
		Name:      "in",
		Kind:      Incast,
		Senders:   upTo(4),
		Receivers: []int{4},
		Size:      10,
		Flows:     2,
		Spacing:   unit.Microsecond,
	}
	flows := e.flows(1)
	if len(flows) != 8 || e.Count() != 8 {
		t.Fatalf("%d flows, Count %d; want 8", len(flows), e.Count())
	}
	for i, f := range flows {
		want := unit.Time(i/2) * unit.Time(unit.Microsecond)
		if f.Src != i/2 || f.Dst != 4 || f.Start != want || f.Ranks != 5 ||
			f.Name != fmt.Sprintf("in/h%d-h4/%d", i/2, i%2) {
			t.Errorf("flow %d is %s %d to %d at %v with %d ranks", i, f.Name, f.Src, f.Dst, f.Start, f.Ranks)
		}
	}
}

func TestDurationCountsFromEachStart(t *testing.T) {
	e := Entry{
		Name:      "j",
		Senders:   upTo(3),
		Receivers: []int{3},
		Spacing:   10 * unit.Millisecond,
		Duration:  50 * unit.Millisecond,
	}
	for i, f := range e.flows(1) {
		if want := unit.Time(50+10*i) * unit.Time(unit.Millisecond); f.Stop != want {
			t.Errorf("flow %d stops at %v, want %v", i, f.Stop, want)
		}
	}
}

func TestPermutationIsADerangement(t *testing.T) {
	differ := false
	for n := 2; n < 40; n++ {
		for seed := range uint64(20) {
			e := Entry{Name: "p", Kind: Permutation, Senders: upTo(n), Size: 1}
			flows := e.flows(seed)
			into := make([]int, n)
			for _, f := range flows {
				if f.Src == f.Dst {
					t.Fatalf("n %d seed %d: %s sends to itself", n, seed, host(f.Src))
				}
				into[f.Dst]++
			}
			for h, k := range into {
				if k != 1 {
					t.Fatalf("n %d seed %d: %s receives %d flows", n, seed, host(h), k)
				}
			}
			differ = differ || n > 3 && !reflect.DeepEqual(flows, e.flows(seed+1))
		}
	}
	if !differ {
		t.Error("the seed changes nothing")
	}
}

// Of four hosts there are 9 derangements; 9000 draws give each 1000 times in
// the mean, with a standard deviation of 30.
func TestPermutationIsUniform(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(9000) {
		e := Entry{Name: "p", Kind: Permutation, Senders: upTo(4)}
		key := ""
		for _, f := range e.flows(seed) {
			key += host(f.Dst)
		}
		seen[key]++
	}
	if len(seen) != 9 {
		t.Errorf("%d derangements, want 9", len(seen))
	}
	for key, n := range seen {
		t.Run(key, func(t *testing.T) {
			if n < 850 || n > 1150 {
				t.Errorf("%s came %d times, want 1000 +- 5 sigma", key, n)
			}
		})
	}
}

func TestAllToAllOrders(t *testing.T) {
	for order, want := range map[Order][]int{Shifted: {2, 3, 0}, Same: {0, 2, 3}} {
		t.Run(fmt.Sprintf("order=%v", order), func(t *testing.T) {
			e := Entry{
				Name:    "a",
				Kind:    AllToAll,
				Senders: upTo(4),
				Order:   order,
				Spacing: unit.Microsecond,
				Flows:   1,
			}
			flows := e.flows(1)
			if len(flows) != 12 || e.Count() != 12 {
				t.Fatalf("%d flows, Count %d; want 12", len(flows), e.Count())
			}
			for step, f := range flows[3:6] { // host 1's
				if f.Src != 1 || f.Dst != want[step] || f.Start != unit.Time(step)*unit.Time(unit.Microsecond) {
					t.Errorf("%s: step %d goes %d to %d at %v, want to %d",
						OrderNames[order], step, f.Src, f.Dst, f.Start, want[step])
				}
			}
		})
	}
	e := Entry{Name: "a", Kind: AllToAll, Senders: upTo(9), Order: Random}
	pairs := map[[2]int]bool{}
	for _, f := range e.flows(3) {
		pairs[[2]int{f.Src, f.Dst}] = true
	}
	if len(pairs) != 72 {
		t.Errorf("random order has %d pairs, want 72", len(pairs))
	}
}

func TestShiftedHasOneSenderAStep(t *testing.T) {
	e := Entry{Name: "a", Kind: AllToAll, Senders: upTo(7)}
	type at struct {
		dst  int
		step int
	}
	seen := map[at]bool{}
	for i, f := range e.flows(1) {
		k := at{f.Dst, i % 6}
		if seen[k] {
			t.Errorf("host %d has two senders at step %d", k.dst, k.step)
		}
		seen[k] = true
	}
}

func TestStagger(t *testing.T) {
	e := Entry{Name: "in", Kind: Incast, Senders: upTo(16), Receivers: []int{16}}
	alone := Entry{Name: "late", Senders: []int{0}, Receivers: []int{1}, Start: 1000}
	flows := append(e.flows(1), alone.flows(1)...)
	frame := func(int) unit.Duration { return 86560 }
	Stagger(flows, make([]unit.Duration, len(flows)), 1, frame)
	seen := map[unit.Time]bool{}
	for _, f := range flows[:16] {
		if f.Start < 0 || f.Start >= 86560 {
			t.Errorf("%s starts at %v, want below one frame time", f.Name, f.Start)
		}
		seen[f.Start] = true
	}
	if len(seen) != 16 {
		t.Errorf("%d different offsets of 16", len(seen))
	}
	if flows[16].Start != 1000 {
		t.Errorf("a flow that is alone starts at %v, want its nominal 1ns", flows[16].Start)
	}
	wide := alone.flows(1)
	Stagger(wide, []unit.Duration{unit.Millisecond}, 1, frame)
	if wide[0].Start <= 1000+86560 {
		t.Errorf("jitter of 1 ms moved the start to %v only", wide[0].Start)
	}
}

// An added entry changes nothing about the others.
func TestEntriesAreIndependent(t *testing.T) {
	p := Entry{Name: "p", Kind: Permutation, Senders: upTo(8)}
	q := Entry{Name: "q", Kind: Permutation, Senders: upTo(8)}
	frame := func(int) unit.Duration { return 86560 }
	one, both := p.flows(5), append(q.flows(5), p.flows(5)...)
	Stagger(one, make([]unit.Duration, len(one)), 5, frame)
	Stagger(both, make([]unit.Duration, len(both)), 5, frame)
	if !reflect.DeepEqual(one, both[8:]) {
		t.Error("entry p changed when q came before it")
	}
}
