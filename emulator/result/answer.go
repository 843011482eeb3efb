package result

import "fmt"

// mostUnanswered is the number of signs of congestion, CNPs or ACKs of marked packets, that a flow may get before
// its algorithm must have decided something. A run is void if no flow of an algorithm decided anything and one got
// more.
//
// It lies above what a slow answer takes and what a short flow gets. The shipped algorithms answer the first sign,
// except DCQCN with cnp_jitter: at 50us, the value that its source gives, a CNP in 4 us replaces one that waits, so
// that each is handled with a chance of 0.08. In an incast of 16 the slowest flow then answers the 37th, and 128 in
// a row go unanswered 2 times in 100 000. A flow that ends within its first RTT may get as many marked ACKs as its
// path holds packets, 48 at 100 Gb/s and 4 us, before an algorithm of one decision in an RTT makes one.
const mostUnanswered = 128

// answers are the answers of all flows of one configured algorithm to signs of congestion.
type answers struct {
	// name is the algorithm's.
	name string
	// decisions is the number of changes of rate, window or gap, answered the number of changes after a flow's first
	// sign, told the number of signs.
	decisions, answered, told uint64
	// most is the largest number of signs that one flow got, and flow its name.
	most uint64
	flow string
}

// idle reports whether the algorithm decided nothing, at all or after a sign.
func (a *answers) idle() bool { return a.decisions == 0 || a.told > 0 && a.answered == 0 }

// deaf reports whether the algorithm received signs of congestion again and again without a decision.
func (a *answers) deaf() bool { return a.answered == 0 && a.most > mostUnanswered }

// String is the finding about a deaf algorithm.
func (a *answers) String() string {
	return fmt.Sprintf("%s got %d signals of congestion, CNPs or marked ACKs, %d of them for flow %s, and made no "+
		"decision: allowed are %d for a flow, unless it declares that it does not react", a.name, a.told, a.most,
		a.flow, mostUnanswered)
}

// answersOf lists the configured algorithms in the order of the flows.
func answersOf(o *Outcome) (list []*answers) {
	known := map[string]*answers{}
	for flow := range o.eachFlow {
		if flow.planned.Algorithm == nil {
			continue
		}
		key := fmt.Sprint(flow.planned.Algorithm.Name, flow.planned.Algorithm.Params)
		a := known[key]
		if a == nil {
			a = &answers{name: flow.planned.Algorithm.Name}
			known[key] = a
			list = append(list, a)
		}
		a.decisions += flow.Sender.Decisions
		a.answered += flow.Sender.Answers
		a.told += flow.Sender.Told
		if flow.Sender.Told > a.most {
			a.most, a.flow = flow.Sender.Told, flow.planned.Name
		}
	}
	return list
}
