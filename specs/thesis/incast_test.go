package thesis

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
	"github.com/rocelab/rocelab/specs/tier"
)

// incast returns the incast of the scenario's variant.
func incast(variant string, seed uint64) *plan.Plan {
	GinkgoHelper()
	for _, p := range lab.Load("../scenarios/thesis-incast.yaml", map[string]string{"seed": fmt.Sprint(seed)}) {
		if p.Name == variant {
			p.Expect = plan.Expect{} // the criteria here judge
			return p
		}
	}
	Fail("the scenario has no variant " + variant)
	return nil
}

// row is a row of Table 6 but for the mean rate.
type row struct{ mean, p99, max float64 }

// The two ways to take RTTs: of all packets, or of one in each round trip.
const (
	all     = "rtt"
	sampled = "rtt_sample"
)

func rowOf(r *lab.Run, rtts string) row {
	value := func(name string) float64 { return lab.Metric(rtts + name)(r) }
	return row{value("_mean_us"), value("_p99_us"), value("_max_us")}
}

// within are the criteria that a row is as printed, to 2 %; a percentile here is
// the upper edge of a bucket that is 3.2 % wide.
func (r row) within(printed row) (c lab.Criteria) {
	for _, v := range []struct {
		what         string
		got, printed float64
	}{{"mean RTT", r.mean, printed.mean}, {"p99 RTT", r.p99, printed.p99}, {"largest RTT", r.max, printed.max}} {
		c.Want(math.Abs(v.got/v.printed-1) <= 0.02, "%s is %.3f us, printed is %.3f", v.what, v.got, v.printed)
	}
	return c
}

// queueUnseen has HPCC hear of no queue, as if packets were stamped before they
// waited.
var queueUnseen = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return &queueBlind{s} }}

type queueBlind struct{ cc.Sender }

func (s *queueBlind) Handle(e *cc.Event, d *cc.Decision) {
	told := e.INT
	for i := range e.INT.Record {
		e.INT.Record[i] &^= telemetry.Record(1<<17 - 1)
	}
	s.Sender.Handle(e, d)
	e.INT = told
}

// markUnseen has DCTCP hear of no mark.
var markUnseen = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return &markBlind{s} }}

type markBlind struct{ cc.Sender }

func (s *markBlind) Handle(e *cc.Event, d *cc.Decision) {
	told := e.CE
	e.CE = false
	s.Sender.Handle(e, d)
	e.CE = told
}

// rttHalved has TIMELY hear of half of each RTT.
var rttHalved = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return &hasty{s} }}

type hasty struct{ cc.Sender }

func (s *hasty) Handle(e *cc.Event, d *cc.Decision) {
	told := e.RTT
	e.RTT /= 2
	s.Sender.Handle(e, d)
	e.RTT = told
}

// seeds are three, of which the first runs every day.
func seeds() []uint64 {
	if tier.RunsSlow() {
		return lab.Seeds[:3]
	}
	return lab.Seeds[:1]
}

var _ = Describe("the incast of Table 6", Label("H3"), func() {
	for _, a := range []struct {
		name    string
		rtts    string
		printed row
		rate    float64
		wrong   mutant.Wrap
	}{
		{"hpcc", all, row{4.3223, 4.56, 90.48}, 16.3949, queueUnseen},
		{"dctcp", all, row{14.6578, 28.054, 86.32}, 17.4700, markUnseen},
		{"timely", sampled, row{11.9797, 102.673, 165.244}, 15.6302, rttHalved},
	} {
		It("has the printed RTTs under "+a.name+", mean, 99th percentile and largest, to 2 %", Label(a.name), func() {
			t := lab.NewTable("seed", "mean us", "p99 us", "max us", "Gb/s", "done ms")
			for _, seed := range seeds() {
				r := lab.Do(incast(a.name, seed), lab.Options{})
				got := rowOf(r, a.rtts)
				rate := lab.Metric("flow_rate_gbps")(r)
				t.Row(seed, got.mean, got.p99, got.max, rate, lab.Metric("duration_us")(r)/1e3)
				Expect(got.within(a.printed).Missed).To(BeEmpty(), "seed %d", seed)
				if seed == 1 {
					t.Target(math.Abs(rate/a.rate-1) <= 0.02, fmt.Sprintf("mean rate %.2f Gb/s to 2 %%, measured %.2f", a.rate, rate),
						"which flow comes first in a round hangs on the order in which they start")
				}
			}
			t.Row("printed", a.printed.mean, a.printed.p99, a.printed.max, a.rate, "")
			t.Report(a.name)
		})

		It("has not, under a "+a.name+" that is wrong", Label(a.name, "mutant"), func() {
			got := rowOf(lab.Do(incast(a.name, 1), lab.Options{Algorithms: a.wrong.In(a.name)}), a.rtts)
			c := got.within(a.printed)
			AddReportEntry("mutant", fmt.Sprintf("%+v: %v", got, &c), ReportEntryVisibilityFailureOrVerbose)
			Expect(c.Missed).NotTo(BeEmpty())
		})
	}

	It("starts flows at line rate into a queue of 19 windows, whose last packet has the largest RTT", Label("H7"), func() {
		hpcc, dctcp := rowOf(lab.Do(incast("hpcc", 1), lab.Options{}), all), rowOf(lab.Do(incast("dctcp", 1), lab.Options{}),
			all)
		slow := incast("pidnn", 1) // starts at 10 Gb/s, so two of its round trips fill one
		for _, max := range []float64{hpcc.max, dctcp.max} {
			Expect(max).To(BeNumerically("~", 87.5, 7.5))
		}
		Expect(rowOf(lab.Do(slow, lab.Options{}), all).max).To(BeNumerically("<", 60))
	})
})
