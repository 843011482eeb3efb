package result

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ProximalFigures are the counts of proximal CNP over all switches.
type ProximalFigures struct {
	// Feedback is the time from the first queue beyond Kmin to the first CNP
	// at a sender, or the first pause of proximal CNP, in microseconds.
	Feedback                                                        float64
	Notifications, ProximalCNPs, PreemptiveCNPs, Learned, Forgotten uint64
}

var proximalMetrics = []Metric{
	measure("feedback_us", "Time from the first moment at which a queue was beyond its Kmin, or congested for "+
		"proximal CNP, to the first CNP at a sender, or to the first pause that a switch sends in its place. For "+
		"any queue and any sender: meaningful with one place of congestion.", Lower, 3,
		func(s *Summary) float64 { return s.Feedback }),
	counter("notifications", "Messages of congestion that switches sent to each other, for proximal CNP.",
		None, func(s *Summary) uint64 { return s.Notifications }),
	counter("proximal_cnps", "CNPs that switches sent.", None, func(s *Summary) uint64 { return s.ProximalCNPs }),
	counter("preemptive_cnps", "CNPs among them that kept a learned flow at its share.",
		None, func(s *Summary) uint64 { return s.PreemptiveCNPs }),
	counter("learned_flows", "Flows whose congestion switches learned to foresee, each time that they did.",
		None, func(s *Summary) uint64 { return s.Learned }),
	counter("forgotten_flows", "Flows whose learned state was revoked.", None,
		func(s *Summary) uint64 { return s.Forgotten }),
}

func proximalFigures(outcome *Outcome) ProximalFigures {
	f := ProximalFigures{Feedback: feedback(outcome)}
	for p := range outcome.proximal() {
		f.Notifications += p.Sent[1]
		f.ProximalCNPs += p.CNPs
		f.PreemptiveCNPs += p.Preemptive
		f.Learned += p.Learned
		f.Forgotten += p.Forgotten
	}
	return f
}

// proximal yields the records of the switches that have proximal CNP.
func (n *Network) proximal() iter.Seq[*record.Proximal] {
	return func(yield func(*record.Proximal) bool) {
		for i := range n.Switches {
			if p := n.Switches[i].Proximal; p != nil && !yield(p) {
				return
			}
		}
	}
}

// feedback is the metric feedback_us.
func feedback(o *Outcome) float64 {
	congested, cnp := unit.Never, unit.Never
	for r := range o.eachPort {
		for q, queue := range r.Queues.All() {
			if at := queue.Congested; at > 0 && r.hasData(q) {
				congested = min(congested, at)
			}
		}
	}
	for p := range o.proximal() {
		for i := range p.Actions {
			if a := &p.Actions[i]; a.Kind == record.ProximalCongested {
				congested = min(congested, a.At)
				break
			}
		}
	}
	for i := range o.Flows {
		if at := o.Flows[i].Sender.FirstCNP; at > congested {
			cnp = min(cnp, at)
		}
	}
	for p := range o.proximal() {
		for i := range p.Actions {
			if a := &p.Actions[i]; a.Kind == record.ProximalPause && a.At >= congested {
				cnp = min(cnp, a.At)
				break
			}
		}
	}
	if congested == unit.Never || cnp == unit.Never {
		return math.NaN()
	}
	return cnp.Sub(congested).Microseconds()
}

// proximalNote is a line on proximal CNP; "" if it is off at every switch.
func proximalNote(o *Outcome) string {
	switches, total := 0, record.Proximal{}
	var ignored []string
	for p := range o.proximal() {
		switches++
		total.CNPs += p.CNPs
		total.Preemptive += p.Preemptive
		total.Rated += p.Rated
		total.Pauses += p.Pauses
		total.Learned += p.Learned
		for i, n := range p.Sent {
			total.Sent[i] += n
		}
		for i, n := range p.Ignored {
			total.Ignored[i] += n
		}
	}
	if switches == 0 {
		return ""
	}
	for i, n := range total.Ignored {
		if n > 0 && i != int(record.IgnoredHeld) {
			ignored = append(ignored, fmt.Sprintf("%d %s", n, strings.ReplaceAll(record.ProximalIgnoredNames[i], "_", " ")))
		}
	}
	text := fmt.Sprintf("proximal CNP at %s: %s, %s that switches sent",
		unit.CountOf(switches, "switch", "switches"), unit.Count(total.Sent[1], "notification"),
		unit.Count(total.CNPs, "CNP"))
	for _, part := range []struct {
		count uint64
		what  string
	}{
		{total.Rated, "of them with a rate"},
		{total.Preemptive, "of them pre-emptive"},
		{total.Pauses, "pauses in their place"},
		{total.Learned, "flows learned"},
		{total.Ignored[record.IgnoredHeld],
			"notifications ignored because the switch had slowed the flow down less than a feedback loop ago"},
	} {
		if part.count > 0 {
			text += fmt.Sprintf(", %d %s", part.count, part.what)
		}
	}
	if len(ignored) > 0 {
		text += "; ignored: " + strings.Join(ignored, ", ")
	}
	return text
}

// proximalCNPs returns the numbers of CNPs that switches sent, and held back.
func proximalCNPs(o *Outcome) (made, filtered uint64) {
	for p := range o.proximal() {
		made += p.CNPs
		filtered += p.Filtered
	}
	return made, filtered
}
