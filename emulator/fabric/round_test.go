package fabric

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/trace"
)

// desk answers all that was asked of it at each exchange, and keeps what that was.
type desk struct {
	asked     []string
	exchanges [][]string
}

func (d *desk) Exchange() {
	if len(d.asked) > 0 {
		d.exchanges, d.asked = append(d.exchanges, d.asked), nil
	}
}

// Nodes that wait for answers have them in one exchange, and each continues at its place, with its own number and hash.
// Tier: -short. Red if a part waits for its answer before the next one begins, and if the outbox keeps the node that
// ran last, or the records that it holds back.
func TestNodesOfARoundAskTogether(t *testing.T) {
	waits := []int{2, 0, 1, 3, 0, 1}
	for _, together := range []bool{false, true} {
		d, out := new(desk), NewOutbox(1, nil)
		hashes, want := make([]trace.Hash, len(waits)), make([]trace.Hash, len(waits))
		var ended []int
		part := func(i int) {
			out.Begin(i, &hashes[i])
			if waits[i] > 1 {
				out.Hold(new(Held))
				defer out.Release()
			}
			for n := range waits[i] {
				d.asked = append(d.asked, fmt.Sprint(i, n))
				out.Await(d)
				out.Note(trace.Sent, 1, i, uint64(n))
				want[i].Fold(trace.Sent, 1, i, uint64(n))
				if out.node != i {
					t.Errorf("part %d goes on as node %d", i, out.node)
				}
			}
			ended = append(ended, i)
		}
		if together {
			out.Round = NewRound(part)
			defer out.Round.Close()
		}
		for range 2 { // a window, and one with the coroutines of the first
			d.exchanges, ended = nil, nil
			if together {
				out.Round.Run(len(waits))
			} else {
				for i := range waits {
					part(i)
				}
			}
			exchanges, order := 7, "[0 1 2 3 4 5]"
			if together {
				exchanges, order = 3, "[1 4 2 5 0 3]"
			}
			if got := fmt.Sprint(ended); got != order || len(d.exchanges) != exchanges {
				t.Errorf("together %t: %d exchanges %v, parts ended as %s; want %d and %s", together, len(d.exchanges),
					d.exchanges, got, exchanges, order)
			}
		}
		if !slices.Equal(hashes, want) {
			t.Errorf("together %t: hashes %x, want %x", together, hashes, want)
		}
	}
}
