package attribution

import (
	"cmp"
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

// heldBin is a bin during which a flow was held back, with the time held and the rates in bit/s.
type heldBin struct{ time, rate, free float64 }

// heldBins are the bins in which a flow was held back; until is the end of the last one.
type heldBins struct {
	list  []heldBin
	until int
}

// add counts a bin in which the flow was held back although the port was idle.
func (h *heldBins) add(f *Fabric, flow *Flow, bin int, at view, time float64) {
	if time <= 0 {
		return
	}
	line, rate := f.Ports[flow.Way[0].Port].Rate, f.Ports[flow.Way[at.step].Port].Rate
	h.list = append(h.list, heldBin{
		time: time,
		rate: float64(flow.Sends.Sending.At(bin)) / flow.active(bin) * float64(line),
		free: at.idle / float64(f.Width) * float64(rate),
	})
	h.until = bin + 1
}

// at sums up; each bin is weighted by the time during which the flow was held back.
func (h *heldBins) at(f *Fabric) (at HeldBackAt) {
	if len(h.list) == 0 {
		return at
	}
	time, bits := 0.0, 0.0
	for _, b := range h.list {
		time += b.time
		bits += float64(b.time * b.rate)
	}
	slices.SortStableFunc(h.list, func(a, b heldBin) int { return cmp.Compare(a.free, b.free) })
	at.Rate = unit.Whole[unit.BitRate](bits / time)
	at.FreeLow, at.FreeHigh = h.free(outer*time), h.free((1-outer)*time)
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
