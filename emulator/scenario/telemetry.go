package scenario

import (
	"sync"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// Signals are what an algorithm asks of the fabric.
type Signals struct {
	// Telemetry is set if it asks for in-band telemetry, which each switch stamps.
	Telemetry bool
	// Echo names what a receiver must send back to it in packets of ours, "" for nothing.
	Echo string
}

// WithSignals refuses traffic whose algorithm asks for in-band telemetry if a switch cannot stamp it, and peers whose
// algorithm asks for what a real stack cannot send back; of returns what an algorithm asks for.
func WithSignals(of func(*plan.Algorithm) Signals) Option {
	return func(o *options) { o.signals = of }
}

// checkTelemetry looks for what keeps the flows' algorithms from the telemetry
// that they ask for; entries are the entries of the flows. A flow may take any of
// several paths, so all switches must stamp.
func (b *builder) checkTelemetry(entries []*trafficDraft) {
	if b.signals == nil {
		return
	}
	seen := map[*trafficDraft]bool{}
	asks := map[*plan.Algorithm]bool{} // flows may be a hundred thousand, their algorithms are few
	unstamped := sync.OnceValue(b.whyUnstamped)
	for i := range b.plan.Flows {
		flow, draft := &b.plan.Flows[i], entries[i]
		if seen[draft] || flow.Algorithm == nil {
			continue
		}
		does, known := asks[flow.Algorithm]
		if !known {
			does = b.signals(flow.Algorithm).Telemetry
			asks[flow.Algorithm] = does
		}
		if !does {
			continue
		}
		at := draft.at
		if draft.algorithm != nil {
			at = draft.algorithm.At
		} else if b.algorithm != nil {
			at = b.algorithm.At
		}
		if hops := len(flow.Path) - 1; hops > inband.MaxHops {
			seen[draft] = true
			b.add(at,
				"%s asks for in-band telemetry, and flow %s passes %d switches: a packet has room for the "+
					"records of %d",
				flow.Algorithm.Name, flow.Name, hops, inband.MaxHops)
			continue
		}
		if what := unstamped(); what != "" {
			seen[draft] = true
			b.add(at, "%s asks for in-band telemetry, which every switch must stamp: %s", flow.Algorithm.Name, what)
		}
	}
}

// whyUnstamped names the switch that cannot stamp and the reason, "" if all can.
func (b *builder) whyUnstamped() string {
	for i := range b.plan.Switches {
		s := &b.plan.Switches[i]
		if !s.Profile.INT {
			return s.Name + " does not, its key int is false"
		}
		for port, link := range s.Links {
			atB := b.plan.Links[link].B == plan.End{Node: b.plan.SwitchNode(i), Port: port}
			if rate := b.plan.Attachment(link, atB).Tx.Rate; !inband.Stampable(rate) {
				return s.Name + " has a port of " + rate.String() + ", and a record can tell " + inband.AllowedRates()
			}
		}
	}
	return ""
}
