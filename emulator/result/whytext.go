package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
)

// WhySlow is the reason for the duration of a flow, in the words of why.csv.
type WhySlow struct {
	attribution.Parts
	// Algorithm is the flow's congestion control; Bottleneck and Root are ports, "node:port", Root the port whose queue
	// caused the flow's pauses; "" for none.
	Algorithm, Bottleneck, Root string
	// Takers are the names of the flows that had the most beyond their fair share.
	Takers []string
	// Held is its rate, and the free rate, while it was held back.
	Held HeldBack
}

const (
	// leastPart is the share of a flow's time from which on a part is named, leadingPart the share from which on a part
	// comes before the unavoidable ones: alone and shared.
	leastPart, leadingPart = 0.01, 0.1
	// partsNamed is the maximum number of parts named.
	partsNamed = 4
)

// String names the largest parts but for what the flow takes alone, those first that could have been avoided; "" for
// none.
func (w *WhySlow) String() string {
	var clauses []string
	for _, part := range w.named() {
		clauses = append(clauses, w.Parts[part].Figure()+" "+w.clause(part))
	}
	return strings.Join(clauses, ", ")
}

// named are the parts that String names, in its order.
func (w *WhySlow) named() []attribution.Part {
	share := func(part attribution.Part) float64 { return float64(w.Parts[part]) / float64(max(1, w.Total())) }
	var order []attribution.Part
	for part := range attribution.NumParts {
		if part != attribution.Alone && share(part) >= leastPart {
			order = append(order, part)
		}
	}
	leads := func(part attribution.Part) int {
		if part == attribution.Shared || share(part) < leadingPart {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b attribution.Part) int {
		return cmp.Or(leads(b)-leads(a), cmp.Compare(w.Parts[b], w.Parts[a]))
	})
	return order[:min(len(order), partsNamed)]
}

// clause describes the flow's use of the time of a part.
func (w *WhySlow) clause(part attribution.Part) string {
	at := w.Bottleneck
	if at == "" {
		at = "its way"
	}
	switch part {
	case attribution.Shared:
		return "for its fair share of " + at
	case attribution.Unfair:
		if len(w.Takers) == 0 {
			return "lost to others that had more than their fair share"
		}
		return fmt.Sprintf("lost to %s with more than a fair share", and(w.Takers))
	case attribution.HeldBack:
		return w.Held.clause(cmp.Or(w.Algorithm, "its NIC"), at)
	case attribution.Collision:
		return fmt.Sprintf("behind %s while another port of its ECMP group was idle", at)
	case attribution.Queued:
		return "for its last packet in queues"
	case attribution.Paused:
		if w.Root != "" {
			return "paused by PFC for the queue of " + w.Root
		}
		return "paused by PFC"
	case attribution.Repair:
		return "for resends, timeouts or a link that was down"
	case attribution.NoRoute:
		return "without a route, or with a link of its way down"
	case attribution.Host:
		return "waiting for other messages"
	}
	return "not resolved"
}

// and joins names.
func and(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// whySlow returns the reason for the duration of a flow, nil if that was not recorded.
func (o *Outcome) whySlow(flow int) *WhySlow {
	if o.Why == nil {
		return nil
	}
	row := o.whyRow(flow)
	why := &WhySlow{
		Parts:      row.Parts,
		Algorithm:  row.algorithm(),
		Bottleneck: row.portAt(row.Bottleneck),
		Root:       row.portAt(row.Root),
		Held:       row.heldBack(),
	}
	for _, taker := range row.Takers {
		why.Takers = append(why.Takers, o.Plan.Flows[taker].Name)
	}
	return why
}
