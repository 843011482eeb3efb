package link

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Outages are the spans during which a link is down: in order and with gaps between them, the present one or the next
// first. The zero value is a link that is always up.
type Outages struct{ remaining []fabric.Outage }

// NewOutages returns the outages of a list in any order: touching or overlapping ones are merged, empty ones dropped.
// It does not keep the list.
func NewOutages(list []fabric.Outage) Outages {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b fabric.Outage) int { return cmp.Compare(a.From, b.From) })
	merged := sorted[:0]
	for _, o := range sorted {
		switch n := len(merged); {
		case o.To <= o.From:
		case n > 0 && o.From <= merged[n-1].To:
			merged[n-1].To = max(merged[n-1].To, o.To)
		default:
			merged = append(merged, o)
		}
	}
	return Outages{merged}
}

// Next returns the first outage that is not over; ok is false if there is none.
func (o *Outages) Next() (next fabric.Outage, ok bool) {
	if len(o.remaining) == 0 {
		return fabric.Outage{}, false
	}
	return o.remaining[0], true
}

// Len returns how many there are.
func (o *Outages) Len() int { return len(o.remaining) }

// RemoveFirst takes the first outage, which is over.
func (o *Outages) RemoveFirst() { o.remaining = o.remaining[1:] }

// removeUnheard removes the outages that the end never hears of, and returns the places that the others had; nil if
// none was removed.
func (o *Outages) removeUnheard() (places []int) {
	var heard []fabric.Outage
	for i, outage := range o.remaining {
		if !outage.Unheard() {
			heard, places = append(heard, outage), append(places, i)
		}
	}
	if len(heard) == len(o.remaining) {
		return nil
	}
	o.remaining = heard
	return places
}

// Cover reports whether the link is down in all of a span.
func (o *Outages) Cover(span fabric.Outage) bool {
	for _, outage := range o.remaining {
		if outage.From <= span.From && span.To <= outage.To {
			return true
		}
	}
	return false
}

// Meets reports whether the link is down at some time of [from, to), and forgets
// the outages that are over at from: calls come in the order of from.
func (o *Outages) Meets(from, to unit.Time) bool {
	for len(o.remaining) > 0 && o.remaining[0].To <= from {
		o.remaining = o.remaining[1:]
	}
	return len(o.remaining) > 0 && o.remaining[0].From < to
}
