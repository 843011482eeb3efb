package result

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// recoveryParts divide the time from the beginning of an outage until a flow went on; they add up to it.
type recoveryParts [numRecoveryParts]unit.Duration

// recoveryPart is a part of the time of a recovery.
type recoveryPart uint8

// The parts, in the order of time.
const (
	// linkDown: routes do not avoid the link, and it was down.
	linkDown recoveryPart = iota
	// detection: the ends of the link did not know yet.
	detection
	// propagation: they did, and the ways of the flow led to where there was no other way.
	propagation
	// nakTimer: the ways were whole, and the receiver waited until it might report the gap again.
	nakTimer
	// retransmissionTimer: the ways were whole, and the sender waited for its timeout.
	retransmissionTimer
	// recoveryRest: what the records do not show, such as the way of the first packet.
	recoveryRest
	numRecoveryParts
)

// recoveryWords are the parts in sentences; recoveryColumns begin their columns.
var (
	recoveryWords = [numRecoveryParts]string{
		"the link", "the switch", "its neighbours", "the NAK timer", "the retransmission timer", "the rest",
	}
	recoveryColumns = [numRecoveryParts]string{"link", "switch", "neighbours", "nak_timer", "rto", "rest"}
	recoveryDocs    = [numRecoveryParts]string{
		"the link was down, and routes do not avoid it",
		"an end of the link did not know of the outage yet",
		"that end knew of the outage, and switches before it did not yet",
		"its paths were up again, and its receiver waited until it could report the gap again",
		"its paths were up again, and its sender waited for its timeout",
		"the rest, such as the way of the first packet",
	}
)

// String names the parts that are not 0.
func (p *recoveryParts) String() string {
	var parts []string
	for part, time := range p {
		if time > 0 {
			parts = append(parts, fmt.Sprintf("%v %s", time, recoveryWords[part]))
		}
	}
	return strings.Join(parts, ", ")
}

// recoveryParts divides the recovery of a flow from the i-th outage on its way. What the NICs recorded divides the time
// from when its ways were whole: the sender what made it send again at last, the receiver when it sent its last NAKs.
func (r *ranFlow) recoveryParts(i int, outage *FlowOutage, still *Still) (parts recoveryParts) {
	from := still.until().Add(-still.Recovery)
	at := from
	until := func(part recoveryPart, end unit.Time) {
		if end = min(end, still.until()); end > at {
			parts[part], at = end.Sub(at), end
		}
	}
	if outage.Rerouted {
		until(detection, min(outage.Known, outage.Whole))
		until(propagation, outage.Whole)
	} else {
		until(linkDown, outage.Whole)
	}
	if at < still.until() && still.Over && i < len(r.Sender.Resumes) {
		switch resume := &r.Sender.Resumes[i]; {
		case resume.Again == 0 || resume.Again >= still.until():
		case resume.Timeout:
			until(retransmissionTimer, resume.Again)
		case still.NAKs >= 2 && still.NAK <= resume.Again:
			receiver := &r.plan.NICs[r.planned.Dst].Profile // an edge counts no NAKs there
			interval := receiver.NAKInterval
			if receiver.OutOfOrder {
				interval = r.BaseRTT
			}
			if receiver.NAK == profile.NAKEachInterval || receiver.OutOfOrder {
				waited := min(still.NAK, still.NAKBefore.Add(interval)).Sub(max(at, still.NAKBefore))
				parts[nakTimer] = max(0, waited)
			}
		}
	}
	sum := unit.Duration(0)
	for _, time := range parts {
		sum += time
	}
	parts[recoveryRest] = still.Recovery - sum
	return parts
}
