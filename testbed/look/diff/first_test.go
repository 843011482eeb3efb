package diff

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// moment is a port at an instant.
type moment struct {
	at   unit.Time
	port int
}

var moments = []moment{{5, 1}, {5, 2}, {5, 10}, {6, 1}}

// sides yields every pair of what two sides may do at the moments: nothing ("") or one of two frames.
func sides(yield func(a, b []string)) {
	doings := []string{"", "x", "y"}
	total := 1
	for range 2 * len(moments) {
		total *= len(doings)
	}
	for number := range total {
		var chosen []string
		for n := number; len(chosen) < 2*len(moments); n /= len(doings) {
			chosen = append(chosen, doings[n%len(doings)])
		}
		yield(chosen[:len(moments)], chosen[len(moments):])
	}
}

// framesOf returns the frames of a side, in order.
func framesOf(doings []string) (list []Frame) {
	for i, text := range doings {
		if text != "" {
			list = append(list, Frame{At: moments[i].at, Node: "s0", Port: moments[i].port, Bytes: []byte(text)})
		}
	}
	return list
}

// told is a first frame in short: its place, and the frames of either side.
func told(f *First) string {
	if f == nil {
		return "none"
	}
	text := func(f *Frame) string {
		if f == nil {
			return "nothing"
		}
		return string(f.Bytes)
	}
	return fmt.Sprintf("%v %s:%d %s, %s", f.At, f.Node, f.Port, text(f.A), text(f.B))
}

// wanted is the same by looking at every moment in order.
func wanted(a, b []string) string {
	for i, at := range moments {
		if a[i] != b[i] {
			or := map[string]string{"": "nothing", "x": "x", "y": "y"}
			return fmt.Sprintf("%v s0:%d %s, %s", at.at, at.port, or[a[i]], or[b[i]])
		}
	}
	return "none"
}

// Of all that differs at a node the earliest is first, and at one instant that of the lowest port, by its number; both
// sides' frames are in it if both did something there and then, or else one's. All 6561 pairs.
func TestFirstOfEveryPair(t *testing.T) {
	ports := []string{"s0:1", "s0:2", "s0:10"}
	before := sooner(ports)
	sides(func(a, b []string) {
		x, y, want := framesOf(a), framesOf(b), wanted(a, b)
		if got := told(firstOfNode(x, y)); got != want {
			t.Errorf("%q, %q: %s, want %s", a, b, got, want)
		}
		// Captures: by the order of their ports.
		for len(x) > 0 && len(y) > 0 && x[0].same(&y[0]) {
			x, y = x[1:], y[1:]
		}
		if len(x) == 0 && len(y) == 0 {
			return
		}
		head := func(list []Frame) *Frame {
			if len(list) == 0 {
				return nil
			}
			return &list[0]
		}
		if got := told(firstOf(head(x), head(y), before)); got != want {
			t.Errorf("%q, %q, captured: %s, want %s", a, b, got, want)
		}
	})
}

// A node's records are sorted by time and port, for any order of arrival; the records of one port keep their order.
func TestRecordsAreByTimeAndPort(t *testing.T) {
	of := func(at unit.Time, port int, kind trace.Kind) record { return record{at: at, port: port, kind: kind} }
	want := []record{of(5, 1, trace.Dropped), of(5, 1, trace.Sent), of(5, 2, trace.Sent), of(6, 1, trace.Sent)}
	for first := range want {
		for second := range want {
			r := newRecorder(&plan.Plan{}, Span{To: 10, Width: 10}, nil)
			r.chunk = slices.Clone(want)
			r.chunk[first], r.chunk[second] = r.chunk[second], r.chunk[first]
			if first+second == 1 && first != second {
				continue // the two of one port and instant
			}
			got := r.of(0)
			for i := range got {
				if got[i].at != want[i].at || got[i].port != want[i].port {
					t.Errorf("%d and %d exchanged: %+v", first, second, got)
				}
			}
		}
	}
	r := newRecorder(&plan.Plan{}, Span{To: 10, Width: 10}, nil)
	r.chunk = []record{want[3], want[0], want[2], want[1]}
	if got := r.of(0); got[0].kind != trace.Dropped || got[1].kind != trace.Sent {
		t.Errorf("one port's are exchanged: %+v", got)
	}
}
