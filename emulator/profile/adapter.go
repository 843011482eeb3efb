package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Adapter describes how a NIC of a kind recovers from losses: by public sources on it, or by a rule of a paper. Its
// figures are defaults of a NIC's profile; a scenario's own values win.
type Adapter struct {
	// Name is the word of scenarios, Title the full name.
	Name, Title string
	// set changes the defaults to the adapter's.
	set func(*NIC)
	// known are the keys that it sets, or leaves as they are with a reason, each with its source.
	known []sourcedKey
	// algorithm is the congestion control that goes with its figures; "" for any.
	algorithm sourcedKey
}

// sourcedKey is a key of a scenario and where its value is from.
type sourcedKey struct {
	key      string
	evidence Evidence
	source   string
}

// AdapterNamed returns the adapter of a name, nil if there is none.
func AdapterNamed(name string) *Adapter {
	if i := slices.IndexFunc(adapters, func(a Adapter) bool { return a.Name == name }); i >= 0 {
		return &adapters[i]
	}
	return nil
}

// AdapterNames are the words of scenarios.
func AdapterNames() (names []string) {
	for i := range adapters {
		names = append(names, adapters[i].Name)
	}
	return names
}

// Give sets the defaults of a NIC's profile to the adapter's.
func (a *Adapter) Give(n *NIC) {
	n.Adapter = a.Name
	a.set(n)
}

// Figures are the adapter's, as a scenario would write them.
func (a *Adapter) Figures() (list []Figure) {
	settings := DefaultNIC()
	a.set(&settings)
	for _, known := range a.known {
		list = append(list, Figure{known.key, shown[known.key](&settings), known.evidence, known.source})
	}
	if a.algorithm.key != "" {
		list = append(list, Figure{"algorithm", a.algorithm.key, a.algorithm.evidence, a.algorithm.source})
	}
	return list
}

// shown are the values of keys in words.
var shown = map[string]func(*NIC) string{
	"receiver": func(n *NIC) string {
		if n.OutOfOrder {
			return fmt.Sprintf("ooo, a gap is reported when %d packets deep or %v old", n.ReorderDepth, n.ReorderTime)
		}
		if n.Selective {
			return "selective"
		}
		return "gbn"
	},
	"nak":          func(n *NIC) string { return NAKNames[n.NAK] },
	"idle_restart": func(n *NIC) string { return RestartNames[n.Host.Restart.Rule] },
	"send_window":  func(n *NIC) string { return n.SendWindow.String() },

	"gap_cnp": func(n *NIC) string { return fmt.Sprint(n.GapCNP) },
	"rto":     func(n *NIC) string { return n.RTO.String() },
	"retries": func(n *NIC) string { return fmt.Sprint(n.RTO.Retries) },
}

// String is the timeout in words.
func (r RTO) String() string {
	switch r.Mode {
	case RTOFixed:
		return fmt.Sprintf("fixed, ack_timeout %d: %v", r.AckTimeout, AckTimeoutOf(r.AckTimeout))
	case RTOIRN:
		return fmt.Sprintf("irn: %v up to %d packets, else %v", r.Low, r.LowPackets, r.High)
	case RTOAdaptive:
		var spans []string
		for _, span := range r.Ranges {
			spans = append(spans, fmt.Sprintf("%v to %v", r.Timeout(span.Low), r.Timeout(span.Low+span.Size)))
		}
		first := fmt.Sprint(r.Timeout(r.InitLow))
		for exponent := r.InitLow + 1; exponent < r.InitLow+r.InitSize; exponent++ {
			first += fmt.Sprintf(" or %v", r.Timeout(exponent))
		}
		return fmt.Sprintf("adaptive: first %s, then %s", first, strings.Join(spans, ", "))
	}
	return "measured"
}

// connectX sets the common behaviour of ConnectX NICs with the accelerations of lossy fabrics on. The timeout has two
// ranges: 512 us to 1 ms, from which the first one is drawn, and 2 ms to 16 ms: a QP that was stuck for long enough to
// reach the second one stays there.
func connectX(n *NIC) {
	n.NAK, n.GapCNP, n.RTO.Retries = NAKOnce, true, 7
	n.RTO.Mode, n.RTO.InitLow, n.RTO.InitSize = RTOAdaptive, 7, 2
	n.RTO.Ranges = []TimeoutRange{{Low: 7, Size: 1, Retries: 1}, {Low: 9, Size: 3, Retries: 1}}
}

// ideal makes a NIC that loses nothing but time: it keeps early packets and asks for a missing packet at once.
func ideal(n *NIC) {
	n.OutOfOrder, n.ReorderDepth, n.ReorderTime = true, 1, 0
	n.RTO.Mode, n.RTO.Low, n.RTO.High = RTOIRN, 100*unit.Microsecond, 320*unit.Microsecond
}

func irn(n *NIC) {
	n.OutOfOrder, n.ReorderDepth, n.ReorderTime = true, 1, 0
	n.RTO.Mode = RTOIRN
}

// fixedTimeout sets what a plain NIC with perftest's defaults does.
func fixedTimeout(n *NIC) {
	n.NAK = NAKOnce
	n.RTO.Mode, n.RTO.AckTimeout, n.RTO.Retries = RTOFixed, 14, 7
}
