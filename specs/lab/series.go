package lab

import (
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// WireRate returns the mean rate of a flow in Gb/s between two instants, as it
// counts on the wire: the payload acknowledged in that time, with the flow's
// headers, preamble and gap. It is measured in bins of the run's
// record.interval; both instants must be multiples of it.
func (r *Run) WireRate(flow int, from, to unit.Time) float64 {
	width := unit.Time(r.Plan.Record.Interval)
	ExpectWithOffset(1, from%width == 0 && to%width == 0 && from < to).To(BeTrue(), "%v to %v is not made of bins", from,
		to)
	s := r.Flows[flow].Sender
	acked := int64(0)
	for bin := int(from / width); bin < int(to/width); bin++ {
		acked += s.AckedSeries().At(bin)
	}
	wireShare := float64(s.WireBytes) / float64(s.Packets) / float64(r.Plan.MTU)
	return float64(acked*8) / to.Sub(from).Seconds() / 1e9 * wireShare
}

// NextBin returns the first start of a bin that is not before t.
func (r *Run) NextBin(t unit.Time) unit.Time {
	width := unit.Time(r.Plan.Record.Interval)
	return (t + width - 1) / width * width
}
