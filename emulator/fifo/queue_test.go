package fifo

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Random calls give what a slice gives, while the ring grows and wraps.
func TestQueueAgainstSlice(t *testing.T) {
	draws := chance.New(1, "fifo")
	var q Queue[int]
	var want []int
	for step := range 20_000 {
		// Pushes are more frequent in every other thousand steps, so that the
		// queue both grows and empties.
		if draws.Below(10) < 4+uint64(step/1000%2)*3 {
			q.Push(step)
			want = append(want, step)
		} else if len(want) > 0 {
			if got := *q.First(); got != want[0] {
				t.Fatalf("step %d: first is %d, want %d", step, got, want[0])
			}
			if step%3 == 0 {
				q.RemoveFirst()
			} else if got := q.Pop(); got != want[0] {
				t.Fatalf("step %d: popped %d, want %d", step, got, want[0])
			}
			want = want[1:]
		}
		if q.Len() != len(want) || q.Empty() != (len(want) == 0) {
			t.Fatalf("step %d: %d items, empty %t, want %d", step, q.Len(), q.Empty(), len(want))
		}
		if step%500 == 0 {
			var got []int
			for i := range q.Len() {
				got = append(got, *q.At(i))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("step %d: %v, want %v", step, got, want)
			}
		}
	}
	if len(q.slots) < 4*least {
		t.Errorf("%d slots: the ring has not grown", len(q.slots))
	}
}

// The counters run on past the end of their range.
func TestQueueWrapsItsCounters(t *testing.T) {
	q := Queue[int]{slots: make([]int, 8), head: 1<<32 - 3, tail: 1<<32 - 3}
	for i := range 20 {
		q.Push(i)
	}
	for i := range 20 {
		if got := q.Pop(); got != i {
			t.Fatalf("item %d is %d", i, got)
		}
	}
}

func TestQueueAllocatesNothingOnceWarm(t *testing.T) {
	var q Queue[int]
	cycle := func() {
		for i := range 20 {
			q.Push(i)
		}
		for !q.Empty() {
			q.Pop()
		}
	}
	cycle()
	if n := testing.AllocsPerRun(100, cycle); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}
