package bench

import (
	"container/heap"
	"time"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Yardstick measures the machine with a loop that anyone can repeat: the time,
// in ns, of one pop and one push of container/heap holding 100 events (the hold
// model of event-queue comparisons). Figures of two machines, or of one
// machine at two times, compare by it.
func Yardstick() float64 {
	const pending, rounds = 100, 1_000_000
	rng := chance.New(1, "yardstick")
	var h eventHeap
	for range pending {
		heap.Push(&h, &pendingEvent{at: rng.Below(1e6)})
	}
	began := time.Now()
	for i := range rounds {
		e := heap.Pop(&h).(*pendingEvent)
		heap.Push(&h, &pendingEvent{at: e.at + rng.Below(1e6), sequence: uint64(i)})
	}
	return float64(time.Since(began).Nanoseconds()) / rounds
}

type pendingEvent struct{ at, sequence uint64 }

type eventHeap []*pendingEvent

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].sequence < h[j].sequence
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(e any)   { *h = append(*h, e.(*pendingEvent)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}
