package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// HeldBack is the rate of a flow while it was held back and the free rate of its bottleneck, in Gb/s with the decimals
// of why.csv: see attribution.HeldBackAt. All is 0 if that is not known.
type HeldBack struct {
	Rate, FreeLow, FreeHigh float64
	// CNPs counts the CNPs that its sender had received by the end of that time; 0 also if they have no series.
	CNPs uint64
}

// rateDecimals is the number of decimals of the rates in why.csv.
const rateDecimals = 3

// clause names the algorithm that held the flow back, and the port.
func (h *HeldBack) clause(algorithm, at string) string {
	if h.FreeHigh <= 0 {
		return fmt.Sprintf("held back by %s while %s was idle", algorithm, at)
	}
	free := unit.InGbps.Text(h.FreeHigh)
	if low := unit.InGbps.Text(h.FreeLow); low != free {
		number, of, _ := strings.Cut(low, " ")
		if strings.HasSuffix(free, " "+of) {
			low = number
		}
		free = low + " to " + free
	}
	text := fmt.Sprintf("held back to %s by %s while %s of %s were free", unit.InGbps.Text(h.Rate), algorithm, free, at)
	if h.CNPs > 0 {
		text += " (after " + unit.Count(h.CNPs, "CNP") + ")"
	}
	return text
}

// namesCNPs reports whether the sentence has all the CNPs of a flow already.
func (w *WhySlow) namesCNPs(all uint64) bool {
	return w != nil && w.Held.FreeHigh > 0 && w.Held.CNPs == all && slices.Contains(w.named(), attribution.HeldBack)
}

// heldBack returns the rates during the time in which the flow of a row was held back.
func (r *whyRow) heldBack() HeldBack {
	gbps := func(rate unit.BitRate) float64 { return rounded(rate.Gbps(), rateDecimals) }
	return HeldBack{
		Rate:     gbps(r.HeldBackAt.Rate),
		FreeLow:  gbps(r.FreeLow),
		FreeHigh: gbps(r.FreeHigh),
		CNPs:     r.heldCNPs(),
	}
}

// heldCNPs counts the CNPs of the bins that began before the end of the last one in which the flow was held back.
func (r *whyRow) heldCNPs() (sum uint64) {
	over := r.Sender.Over
	if over == nil || r.recordedWidth == 0 {
		return 0
	}
	for bin := range over.CNPs.Len() {
		if unit.Time(bin)*unit.Time(r.recordedWidth) >= r.Until {
			break
		}
		sum += uint64(over.CNPs.At(bin))
	}
	return sum
}

// orBlank is a rate of why.csv, no cell for a flow that was never held back.
func (r *whyRow) orBlank(value float64) float64 {
	if r.Until == 0 {
		return math.NaN()
	}
	return value
}
