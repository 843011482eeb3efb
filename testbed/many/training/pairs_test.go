package training

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// R = 10, 20, 10, 30, 10 us by hand: S = 10, 12, 11.6, 15.28.
func TestPairs(t *testing.T) {
	var rtts []unit.Duration
	for _, us := range []int{10, 20, 10, 30, 10} {
		rtts = append(rtts, unit.Duration(us)*unit.Microsecond)
	}
	want := []pair{
		{[steps]float64{0, 8 / 12.0, -1.6 / 11.6}, 18.4 / 11.6},
		{[steps]float64{8 / 12.0, -1.6 / 11.6, 14.72 / 15.28}, -5.28 / 15.28},
	}
	got := pairsOf(rtts)
	if len(got) != len(want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	for i := range want {
		for j := range want[i].K {
			if math.Abs(got[i].K[j]-want[i].K[j]) > 1e-12 {
				t.Errorf("pair %d: K %v, want %v", i, got[i].K, want[i].K)
			}
		}
		if math.Abs(got[i].L-want[i].L) > 1e-12 {
			t.Errorf("pair %d: L %g, want %g", i, got[i].L, want[i].L)
		}
	}
	if got := pairsOf(rtts[:3]); got != nil {
		t.Errorf("three samples have no successor, and made %v", got)
	}
}

func TestBins(t *testing.T) {
	for _, c := range []struct {
		k   float64
		bin int
	}{{0, 0}, {-0.0199, 0}, {0.02, 1}, {-0.02, 1}, {0.0799, 1}, {0.08, 2}, {0.1499, 2}, {-0.15, 3}, {7, 3}} {
		t.Run(fmt.Sprintf("k=%v", c.k), func(t *testing.T) {
			if got := binOf(&pair{K: [steps]float64{9, 9, c.k}}); got != c.bin {
				t.Errorf("K = %g is in bin %d, want %d", c.k, got, c.bin)
			}
		})
	}
}

// pairsIn returns n[i] different pairs in each bin.
func pairsIn(n [Bins]int) (pairs []pair) {
	for b, k := range [Bins]float64{0.01, -0.05, 0.1, -0.5} {
		for i := range n[b] {
			pairs = append(pairs, pair{[steps]float64{0, 0, k}, float64(i)})
		}
	}
	return pairs
}

func TestBalance(t *testing.T) {
	rng := chance.New(1, "balance")
	got, err := balance("runs", pairsIn([Bins]int{1000, 300, 40, 500}), 40, 100, rng)
	if err != nil || countBins(got) != [Bins]int{40, 40, 40, 40} {
		t.Errorf("%v, %v", countBins(got), err)
	}
	seen, last := map[pair]bool{}, 0.0
	for _, p := range got {
		last = max(last, p.L)
		if seen[p] {
			t.Errorf("%v was drawn twice", p)
		}
		seen[p] = true
	}
	if last < 500 { // of 40 drawn from 1000; the chance of none is 2^-40
		t.Errorf("the last pair drawn is %g", last)
	}
	got, err = balance("runs", pairsIn([Bins]int{1000, 300, 400, 500}), 40, 100, rng)
	if err != nil || countBins(got) != [Bins]int{100, 100, 100, 100} {
		t.Errorf("%v, %v", countBins(got), err)
	}
	_, err = balance("train runs", pairsIn([Bins]int{1000, 300, 39, 0}), 40, 100, rng)
	var data *dataError
	if !errors.As(err, &data) || data.Pairs != [Bins]int{1000, 300, 39, 0} {
		t.Fatal(err)
	}
	if want := "train runs: pairs by |K|, the RTT's relative step from its average: 1000 in [0, 0.02), 300 in [0.02, " +
		"0.08), 39 in [0.08, 0.15), " +
		"0 in [0.15, inf); at least 40 are needed in each: the RTT varies too little, or the runs are too short; take " +
		"other algorithms or longer runs"; err.Error() != want {
		t.Error(err)
	}
}

// Every order of the drawn pairs comes about as often.
func TestDraw(t *testing.T) {
	rng := chance.New(1, "draw")
	count := map[[2]float64]int{}
	for range 6000 {
		pairs := []pair{{L: 0}, {L: 1}, {L: 2}}
		draw(pairs, 2, rng)
		count[[2]float64{pairs[0].L, pairs[1].L}]++
	}
	for order, n := range count {
		t.Run(fmt.Sprintf("%v", order), func(t *testing.T) {
			if n < 900 || n > 1100 {
				t.Errorf("%v came %d times of 6000, expected are 1000", order, n)
			}
		})
	}
	if len(count) != 6 {
		t.Errorf("%d orders, want 6", len(count))
	}
}

func TestScore(t *testing.T) {
	pairs := []pair{{L: 1}, {K: [steps]float64{0, 0, 0.5}, L: -0.5}}
	// Average: misses 1 and 0.5, over 2 and 0.5. Newest: 1 and 1.
	if got := score(pairs, average); got != (Score{0.75, 0.75}) {
		t.Error(got)
	}
	if got := score(pairs, newest); got != (Score{1, 1.25}) {
		t.Error(got)
	}
}

type counted struct{ kinds []cc.EventKind }

func (c *counted) Handle(e *cc.Event, _ *cc.Decision) { c.kinds = append(c.kinds, e.Kind) }

// The thesis's Figure 6: five packets leave, the first one's ACK is a sample,
// and the next is that of the packet sent after it. A resent packet gives none.
func TestSampling(t *testing.T) {
	inner := &counted{}
	h := &recordedSender{Sender: inner}
	ack := func(acked, inflight unit.Bytes, rtt unit.Duration) {
		h.Handle(&cc.Event{Kind: cc.EventAck, Acked: acked, Inflight: inflight, RTT: rtt}, nil)
	}
	h.Handle(&cc.Event{Kind: cc.EventStart}, nil)
	ack(1000, 4000, 1) // packet 1: sample; 2 to 5 are out, so 6 is next
	ack(1000, 4000, 2)
	ack(1000, 4000, 3)
	ack(1000, 3000, 4)
	ack(1000, 2000, 5)
	ack(1000, 2000, 6) // packet 6; 9 is next
	h.Handle(&cc.Event{Kind: cc.EventNak, Acked: 1000, Inflight: 0}, nil)
	ack(1000, 2000, 0)
	ack(1000, 2000, 0) // packet 9 had been sent before; 12 is next
	ack(1000, 2000, 7)
	ack(1000, 2000, 8)
	ack(1000, 2000, 9) // packet 12
	if want := []unit.Duration{1, 6, 9}; !slices.Equal(h.rtts, want) {
		t.Errorf("samples %v, want %v", h.rtts, want)
	}
	if want := []cc.EventKind{cc.EventStart, cc.EventNak}; !slices.Equal(inner.kinds, want) {
		t.Errorf("an algorithm that wants no ACKs was told %v", inner.kinds)
	}
}
