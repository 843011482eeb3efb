package record

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Random uses give the counts that an array of all classes has: pointers to records stay valid, records are in
// ascending order, a copy has its own, and reading adds none.
func TestByClassAgainstArray(t *testing.T) {
	draws := chance.New(1, "by class")
	for round := range 50 {
		var b Classes
		var want [8]Class
		held := map[uint8]*Class{}
		for step := range uint64(12) {
			class := uint8(draws.Float64() * 8)
			one := b.Of(class)
			if before := held[class]; before != nil && before != one {
				t.Fatalf("round %d: the record of class %d has moved", round, class)
			}
			held[class] = one
			one.SentXOFF += step
			want[class].SentXOFF += step
		}
		clone := b.Clone()
		next := -1
		for class, one := range b.All() {
			if class <= next || *one != want[class] || *clone.At(class) != want[class] || clone.At(class) == one {
				t.Errorf("round %d: class %d after %d: %+v, want %+v", round, class, next, *one, want[class])
			}
			next = class
		}
		for class := range want {
			if got := *b.At(class); got != want[class] {
				t.Errorf("round %d: class %d: %+v, want %+v", round, class, got, want[class])
			}
		}
		if len(b.List) != len(held) || b.Check() != nil {
			t.Errorf("round %d: %d records of %d classes: %v", round, len(b.List), len(held), b.Check())
		}
	}
}

// Records from another process are refused if there are more or fewer than classes in use.
func TestByClassRefusesOthers(t *testing.T) {
	fewer, more := Classes{Used: 6, List: []*Class{{}}}, Classes{List: []*Class{{}}}
	if fewer.Check() == nil || more.Check() == nil {
		t.Errorf("%v passes, or %v", fewer, more)
	}
	b := byClass[Queue]{Used: 1 << 3, List: []*Queue{{Frames: 7}}}
	if got, want := fmt.Sprint(b), fmt.Sprintf("%+v", map[int]Queue{3: {Frames: 7}}); b.Check() != nil || got != want {
		t.Errorf("%s: %v, want %s", got, b.Check(), want)
	}
}
