package dcqcn

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// crowd is an incast whose queue is marked all the time.
func crowd(algorithm, until string) string {
	return fmt.Sprintf(`
name: crowd
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, algorithm: %s}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
run: {until: %s}
`, algorithm, until)
}

// asleep never hears of congestion: its rate stays.
type asleep struct{ cc.Sender }

func (s asleep) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind != cc.EventCNP && e.Kind != cc.EventAck {
		s.Sender.Handle(e, d)
	}
}

// deaf returns a shipped algorithm that is asleep; uncontrolled if it declares so.
func deaf(name string, uncontrolled bool) lab.Options {
	wrapped := mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return asleep{s} }}.In(name)
	return lab.Options{Algorithms: func(name string) (cc.Algorithm, bool) {
		a, ok := wrapped(name)
		return declared{a, uncontrolled}, ok
	}}
}

// declared is an algorithm that declares whether it reacts.
type declared struct {
	cc.Algorithm
	uncontrolled bool
}

func (d declared) Describe() cc.Description {
	about := d.Algorithm.Describe()
	about.Uncontrolled = d.uncontrolled
	return about
}

// noted reports whether a verdict finds that an algorithm decided nothing.
func noted(v *result.Verdict) bool {
	for _, f := range v.Findings {
		if strings.Contains(f.Text, "made no decision") {
			return true
		}
	}
	return false
}

var _ = Describe("an algorithm under congestion", Label("effect"), func() {
	// Tier: everyday.
	for _, a := range shipped.All() {
		about := a.Describe()
		It(about.Name+" decides, or declares that it does not react", func() {
			r := lab.Simulate(crowd(about.Name, "1ms"))
			Expect(r.Verdict.Status).To(Equal(result.Pass), "%v", r.Verdict.Findings)
			Expect(r.Summary.Decisions == 0).To(Equal(about.Uncontrolled))
			Expect(noted(&r.Verdict)).To(Equal(about.Uncontrolled))
			for i := range r.Flows {
				flow := r.Flows[i].Sender
				Expect(flow.Told > 0).To(Equal(about.Name == "dcqcn" || about.Name == "dctcp"))
				Expect(flow.Answers <= flow.Decisions).To(BeTrue())
				Expect(flow.Answers > 0).To(Equal(flow.Told > 0))
			}
		})
	}

	// Tier: everyday.
	DescribeTable("that is told of it again and again, and decides nothing, voids the run",
		func(name, until string, uncontrolled bool, want result.Status) {
			r := lab.Do(lab.Plans(crowd(name, until))[0], deaf(name, uncontrolled))
			Expect(r.Verdict.Status).To(Equal(want), "%v", r.Verdict.Findings)
			Expect(noted(&r.Verdict)).To(BeTrue())
		},
		Entry("by CNPs", "dcqcn", "1ms", false, result.Void),
		Entry("by marked ACKs", "dctcp", "1ms", false, result.Void),
		Entry("but not by a few", "dcqcn", "300us", false, result.Pass),
		Entry("but not one that declares that it does not react", "dcqcn", "1ms", true, result.Pass),
	)

	// Tier: everyday.
	It("passes at no bound of any parameter without a note, if it decided nothing", Label("everyday"), func() {
		for _, a := range shipped.All() {
			about := a.Describe()
			for _, p := range about.Params {
				for _, value := range []string{p.Min, p.Max} {
					text := fmt.Sprintf("{name: %s, params: {%s: %s}}", about.Name, p.Name, value)
					if params, err := hosting.Parse(about, map[string]string{p.Name: value}); value == "" || err != nil {
						Expect(value).To(BeEmpty(), "%v", err)
						continue
					} else if _, err := a.New(params); err != nil {
						continue // it belongs to a word of another parameter
					}
					r := lab.Simulate(crowd(text, "200us"))
					if r.Summary.Decisions == 0 {
						Expect(r.Verdict.Status == result.Void || noted(&r.Verdict)).To(BeTrue(), "%s: %v", text, r.Verdict.Findings)
					}
				}
			}
		}
	})
})
