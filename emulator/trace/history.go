package trace

import "github.com/rocelab/rocelab/plugins/cc/unit"

// mostInstants bounds how many instants a History has; firstWidth is the least time between two.
const (
	mostInstants = 512
	firstWidth   = unit.Microsecond
)

// History is the hash of one node at instants: of all events that it handled before each
// of them. The instants are the multiples of a width. No run knows how long it will be,
// so when there are mostInstants of them every other one is given up and the width
// doubles: from mostInstants/2 on their number stays in between. A node has 8 B for each.
//
// How windows are cut does not show in it: a runner advances a node just up to the
// instant, then notes.
type History struct {
	// Width is the time between two instants; before the first it is 0 unless Begin set it.
	Width unit.Duration
	// Hashes are those at Width, 2 Width and so on.
	Hashes []Hash
}

// Begin sets the width of a history without instants for a run that lasts at least the given time: it has the same
// instants at its end as if they had been closer first.
func (h *History) Begin(least unit.Time) {
	for h.Width = firstWidth; int64(least)/int64(h.Width) >= mostInstants; {
		h.Width *= 2
	}
}

// At returns the instant of Hashes[i].
func (h *History) At(i int) unit.Time { return unit.Time(0).Add(h.width() * unit.Duration(i+1)) }

// Next returns the instant that is to be noted next.
func (h *History) Next() unit.Time { return h.At(len(h.Hashes)) }

func (h *History) width() unit.Duration {
	if h.Width == 0 {
		return firstWidth
	}
	return h.Width
}

// Note notes the hash at the next instant.
func (h *History) Note(hash Hash) {
	h.Width, h.Hashes = h.width(), append(h.Hashes, hash)
	if len(h.Hashes) < mostInstants {
		return
	}
	kept := h.Hashes[:0]
	for i := 1; i < mostInstants; i += 2 {
		kept = append(kept, h.Hashes[i])
	}
	h.Width, h.Hashes = 2*h.Width, kept
}

// Until notes a hash that does not change any more at all instants up to end.
func (h *History) Until(end unit.Time, hash Hash) {
	for h.Next() <= end {
		h.Note(hash)
	}
}
