package convergence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// farJoin has a second flow join a first at 10 ms and leave it at 20 ms, 120 km
// from their receiver.
const farJoin = `
topology:
  nodes: [{name: h0}, {name: h1}, {name: h2}, {name: s, kind: switch}]
  links: [{endpoints: [h0, s]}, {endpoints: [h1, s]}, {endpoints: [s, h2], length: 120km}]
controller: {latency: 50us}
nic: {rto: {floor: 20ms, initial: 20ms}}
switch: {pfc: {enabled: false}}
traffic:
  - {name: long, from: h0, to: h2}
  - {name: guest, from: h1, to: h2, start: 10ms, stop: 20ms}
run: {until: 30ms}
record: {interval: 100us}
`

// listener records when its flow, the first that is made, receives a change, and the first rate at or below half the
// line.
type listener struct {
	cc.Sender
	words  []string
	halved unit.Time
}

func (l *listener) Handle(e *cc.Event, d *cc.Decision) {
	l.Sender.Handle(e, d)
	if e.Kind == cc.EventGroup {
		l.words = append(l.words, fmt.Sprintf("%d of %v", e.Flows, d.Rate))
	}
	if l.halved == 0 && e.Now >= unit.Time(10*unit.Millisecond) && d.Rate <= 51*unit.Gbps {
		l.halved = e.Now
	}
}

// listen runs farJoin and returns what its long flow heard.
func listen(algorithm string, o lab.Options) (*lab.Run, *listener) {
	var first *listener
	o.Algorithms = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender {
		l := &listener{Sender: s}
		if first == nil {
			first = l
		}
		return l
	}}.In("pc4")
	return lab.Do(lab.Plans(farJoin + algorithm)[0], o), first
}

var _ = Describe("the controller's word to a sender far away", Label("pc4"), func() {
	It("comes its latency after the change, before any ACK could bring it, and halves the rate at once", func() {
		_, told := listen(senderKnows, lab.Options{Lossy: true})
		_, untold := listen(pc4, lab.Options{Lossy: true})
		// h0 heard of one flow at its start, of two at 10 ms, and of one again at 20 ms.
		Expect(told.words).To(Equal([]string{"2 of 50Gbps", "1 of 100Gbps"}))
		Expect(untold.words).To(BeEmpty())
		late := func(t unit.Time) float64 { return t.Sub(unit.Time(10 * unit.Millisecond)).Microseconds() }
		t := lab.NewTable("n known to", "halved after/us")
		t.Row("receiver and sender", late(told.halved))
		t.Row("receiver", late(untold.halved))
		t.Report("word")
		Expect(late(told.halved)).To(BeNumerically("~", 50, 1))
		Expect(late(untold.halved)).To(BeNumerically("~", 600, 2), "the way of an ACK")
	})

	DescribeTable("is the same however windows are cut, frames are carried and workers work",
		func(workers int) {
			if workers == 1 {
				lab.SkipUnlessSlow()
			}
			want, _ := listen(senderKnows, lab.Options{Lossy: true})
			o := lab.Options{Lossy: true}
			o.Workers, o.AllWorkers, o.Codec = workers, true, workers == 2
			o.Cut = func(unit.Time) unit.Duration { return want.Plan.Lookahead() / 7 }
			got := lab.Do(lab.Plans(farJoin + senderKnows)[0], o)
			Expect(got.Trace).To(Equal(want.Trace))
			Expect(got.Files()["flows.csv"]).To(Equal(want.Files()["flows.csv"]))
		},
		Entry("by one worker, as pointers", Label("slow"), 1),
		Entry("by two workers, as bytes", 2),
	)
})
