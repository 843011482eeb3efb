package eventlog

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// End is the end of a flow that a log is of.
type End uint8

// The ends.
const (
	Sender End = iota
	Receiver
)

var endNames = [...]string{"sender", "receiver"}

// String returns the end's name.
func (e End) String() string { return endNames[e] }

// Header names the flow of a log, and how its algorithm was set up.
type Header struct {
	// Flow is the flow's number in its scenario, Name its name where known.
	Flow uint32
	Name string
	End  End
	// Algorithm and Version are of its description; Params are the parameters
	// that were given, as they were written.
	Algorithm, Version string
	Params             map[string]string
	Signals            cc.Signals
	// Values are the algorithm's own values that a sender's calls have, name and unit.
	Values []cc.Value
	// Facts are the flow's, without Chance; Chance is the state of that stream, zero if there was none.
	Facts  cc.Facts
	Chance [4]uint64
}

// Setup returns the facts to set the flow's end up with once more.
func (h *Header) Setup() cc.Facts {
	facts := h.Facts
	if h.Chance != [4]uint64{} {
		facts.Chance = chance.Resume(h.Chance)
	}
	return facts
}

// Step is a call of a sender: the event, and the decisions before and after it.
type Step struct {
	Event         cc.Event
	Before, After cc.Decision
	// Values are the algorithm's own after the call, in the order of the header.
	Values [cc.MostValues]Value
}

// Reception is a call of a receiver: the controller's group if IsGroup, else a data
// packet with the feedback before and after it.
type Reception struct {
	IsGroup       bool
	Group         cc.Group
	Arrival       cc.Arrival
	Before, After cc.Feedback
}

// Log is the events of one end of a flow and its answers, held in memory. One of
// Steps and Receptions is filled, by the header's End.
type Log struct {
	Header
	Steps      []Step
	Receptions []Reception
}

// Calls counts the log's calls.
func (l *Log) Calls() int { return len(l.Steps) + len(l.Receptions) }

// Sink takes the calls of one end of a flow, in their order. What it is handed
// is its own only during the call.
type Sink interface {
	Step(*Step)
	Reception(*Reception)
}

var _ Sink = (*Log)(nil)

// Step implements Sink.
func (l *Log) Step(step *Step) { l.Steps = append(l.Steps, *step) }

// Reception implements Sink.
func (l *Log) Reception(reception *Reception) { l.Receptions = append(l.Receptions, *reception) }

// initialDecision is the decision before a flow's first event.
func initialDecision(facts *cc.Facts) cc.Decision { return cc.Decision{Rate: facts.LineRate} }

// decisionBefore returns the decision that an event finds, as it follows from the
// answer before it: the NIC bounds the rate and takes back the wake-up
// that the event came for.
func decisionBefore(answer cc.Decision, line unit.BitRate, kind cc.EventKind) cc.Decision {
	answer.Rate = min(answer.Rate, line)
	switch kind {
	case cc.EventTimer:
		answer.WakeAt = 0
	case cc.EventSent:
		answer.WakeBytes = 0
	}
	return answer
}
