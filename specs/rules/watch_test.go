package rules

import (
	"maps"

	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// find looks up the algorithms that flows run. The test of the mutants builds this
// package with a file more, which puts a mutant under the name of what it was made
// from.
var find = shipped.Find

// watched is a run with the event logs of both ends of its flows, by the flow's
// number.
type watched struct {
	*lab.Run
	senders, receivers map[uint32]*eventlog.Log
}

// watch runs a scenario.
func watch(yaml string) *watched {
	w := &watched{senders: map[uint32]*eventlog.Log{}, receivers: map[uint32]*eventlog.Log{}}
	recorder := eventlog.Recorder{Open: func(h eventlog.Header) eventlog.Sink {
		log := &eventlog.Log{Header: h}
		if h.End == eventlog.Sender {
			w.senders[h.Flow] = log
		} else {
			w.receivers[h.Flow] = log
		}
		return log
	}}
	w.Run = lab.Do(lab.Plans(yaml)[0], lab.Options{Algorithms: recorder.Find(find), Lossy: true})
	return w
}

// first returns the events and answers of the sender of flow 0, the subject of a scenario.
func first(yaml string) (cc.Facts, []eventlog.Step) {
	log := watch(yaml).senders[0]
	return log.Facts, log.Steps
}

// params returns the values of an algorithm's parameters, given ones and defaults.
func params(name string, given map[string]string) cc.Params {
	a, ok := shipped.Find(name)
	ExpectWithOffset(1, ok).To(BeTrue())
	p, err := hosting.Parse(a.Describe(), given)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	made, err := a.New(p)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	if resolving, ok := made.(cc.Resolving); ok {
		all := resolving.Resolved()
		maps.Copy(all, given)
		p, err = hosting.Parse(a.Describe(), all)
		ExpectWithOffset(1, err).NotTo(HaveOccurred())
	}
	return p
}

// bits returns a rate as a number to reckon with, in bit/s.
func bits(r unit.BitRate) float64 { return float64(r) }

// share returns which share of its rate a step left.
func share(s *eventlog.Step) float64 { return bits(s.After.Rate) / bits(s.Before.Rate) }

// near matches a rate in bit/s. Decisions are truncated to whole bit/s, and some state that follows from several of
// them is off by as much.
func near(rate float64) interface {
	Match(any) (bool, error)
	FailureMessage(any) string
	NegatedFailureMessage(any) string
} {
	return BeNumerically("~", rate, 20)
}
