package attribution

import (
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// HeldBackAt is the rate at which a flow sent, and the free rate, while it was held back; all fields are 0 if it never
// was.
type HeldBackAt struct {
	// Rate is the mean rate of its bits on the wire, FreeLow and FreeHigh are the bounds of what its bottleneck had free
	// for all but a tenth of the time at either end: a tenth of the time less was free, and a tenth of it more.
	Rate, FreeLow, FreeHigh unit.BitRate
	// Until is the end of the last bin during which it was held back.
	Until unit.Time
}

// outer is the part of the time that the free rates leave out at either end.
const outer = 0.1

// heldBin is a bin during which a flow was held back, with the time held and the free rate in bit/s; number counts
// them.
type heldBin struct {
	time, free float64
	number     int
}

// heldBins are the bins in which a flow was held back; until is the end of the last one. time is the sum of their
// times, bits the sum of the products of times and rates.
type heldBins struct {
	list       []heldBin
	until      int
	time, bits float64
}

// add counts a bin in which the flow sent at a rate while it was held back although the port was idle.
func (h *heldBins) add(bin int, time, rate, free float64) {
	h.list = append(h.list, heldBin{time, free, len(h.list)})
	h.until = bin + 1
	h.time += time
	h.bits += float64(time * rate)
}

// at sums up; each bin is weighted by the time during which the flow was held back.
func (h *heldBins) at(f *Fabric) (at HeldBackAt) {
	if len(h.list) == 0 {
		return at
	}
	slices.SortFunc(h.list, func(a, b heldBin) int {
		switch {
		case a.free < b.free:
			return -1
		case a.free > b.free:
			return 1
		}
		return a.number - b.number // sums in floating point depend on the order
	})
	at.Rate = unit.Whole[unit.BitRate](h.bits / h.time)
	at.FreeLow, at.FreeHigh = h.free(outer*h.time), h.free((1-outer)*h.time)
	at.Until = unit.Time(h.until) * unit.Time(f.Width)
	return at
}

// free returns the highest free rate within the first part, time long, of the list, which is sorted by that rate.
func (h *heldBins) free(time float64) unit.BitRate {
	sum := 0.0
	for _, b := range h.list {
		if sum += b.time; sum >= time {
			return unit.Whole[unit.BitRate](b.free)
		}
	}
	return unit.Whole[unit.BitRate](h.list[len(h.list)-1].free)
}
