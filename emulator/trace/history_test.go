package trace

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// For any length of a run, its instants are the multiples of a width from 1 us on, there are 256 to 512 of them after
// 256 us, and each has the hash of its own time.
func TestHistory(t *testing.T) {
	for _, length := range []unit.Duration{
		0, 1, firstWidth - 1, firstWidth, 511 * firstWidth, 512 * firstWidth, 513 * firstWidth, 1023 * firstWidth,
		1024 * firstWidth, 1500 * firstWidth, unit.Second, 100 * unit.Second,
	} {
		t.Run(fmt.Sprintf("length=%v", length), func(t *testing.T) {
			var h History
			for end := unit.Time(0).Add(length); h.Next() <= end; {
				h.Note(Hash(h.Next()))
			}
			if n := len(h.Hashes); n >= mostInstants || length >= mostInstants/2*firstWidth && n < mostInstants/2 {
				t.Errorf("%v: %d instants", length, n)
			}
			for i, hash := range h.Hashes {
				if at := unit.Time(h.Width) * unit.Time(i+1); h.At(i) != at || hash != Hash(at) {
					t.Fatalf("%v: instant %d is %v, with the hash of %v, want %v", length, i, h.At(i), unit.Time(hash), at)
				}
			}
			if next := h.Next(); next <= unit.Time(0).Add(length) {
				t.Errorf("%v: %v is missing", length, next)
			}
			if w := h.width() / firstWidth; w&(w-1) != 0 || h.width()%firstWidth != 0 {
				t.Errorf("%v: the width is %v", length, h.width())
			}
		})
	}
}

// What has ended keeps its hash.
func TestHistoryUntilTheEnd(t *testing.T) {
	var h History
	h.Note(1)
	h.Until(unit.Time(4*firstWidth), 2)
	if got := len(h.Hashes); got != 4 || h.Hashes[0] != 1 || h.Hashes[1] != 2 || h.Hashes[3] != 2 {
		t.Errorf("%+v", h)
	}
}

// A history that begins with the width of a run's least length has the same instants at its end as one that began with
// the least width. Tier: -short. Red if it begins with twice the width.
func TestHistoryBeginsWide(t *testing.T) {
	for _, c := range []struct{ least, length unit.Duration }{
		{0, 3000 * firstWidth},
		{511 * firstWidth, 600 * firstWidth},
		{512 * firstWidth, 600 * firstWidth},
		{1024*firstWidth - 1, 1024 * firstWidth},
		{1024 * firstWidth, 1024 * firstWidth},
		{700 * firstWidth, 100_000 * firstWidth},
	} {
		t.Run(fmt.Sprintf("least=%v", c.least), func(t *testing.T) {
			var wide, narrow History
			wide.Begin(unit.Time(c.least))
			for _, h := range []*History{&wide, &narrow} {
				for h.Next() <= unit.Time(c.length) {
					h.Note(Hash(h.Next()))
				}
			}
			if wide.Width != narrow.Width || !slices.Equal(wide.Hashes, narrow.Hashes) {
				t.Errorf("at least %v, %v: %d instants %v apart, want %d %v apart", c.least, c.length, len(wide.Hashes),
					wide.Width, len(narrow.Hashes), narrow.Width)
			}
		})
	}
}
