package thesis

import (
	"fmt"
	"maps"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
	"github.com/rocelab/rocelab/plugins/pidnn/weights"
	"github.com/rocelab/rocelab/specs/lab"
)

// figures are what Tables 4 and 5 print of a run: RTTs in us as sampled once a
// round trip, the mean rate in Gb/s, the last completion in ms.
type figures struct{ mean, p99, max, rate, finish lab.Figure }

// measured keeps what measure found: equal runs come to equal figures.
var measured = map[string]figures{}

// measure runs the thesis's algorithm with these parameters.
func measure(params map[string]string) figures {
	GinkgoHelper()
	key := fmt.Sprint(params)
	if f, ok := measured[key]; ok {
		return f
	}
	var runs []*lab.Run
	for _, seed := range seeds() {
		p := incast("pidnn", seed)
		given := maps.Clone(p.Flows[0].Algorithm.Params)
		maps.Copy(given, params)
		a := &plan.Algorithm{Name: "pidnn", Params: given}
		for i := range p.Flows {
			p.Flows[i].Algorithm = a
		}
		runs = append(runs, lab.Do(p, lab.Options{}))
	}
	of := func(metric string) lab.Figure { return lab.FigureOf(runs, lab.Metric(metric)) }
	f := figures{of("rtt_sample_mean_us"), of("rtt_sample_p99_us"), of("rtt_sample_max_us"), of("flow_rate_gbps"),
		of("duration_us")}
	for _, v := range []*float64{&f.finish.Median, &f.finish.Min, &f.finish.Max} {
		*v /= 1e3
	}
	measured[key] = f
	return f
}

// at are the parameters for a target, none for the default of 5 us.
func at(target string) map[string]string {
	if target == "5us" {
		return nil
	}
	return map[string]string{"target": target}
}

func (f figures) row(t *lab.Table, name string) {
	t.Row(name, f.mean, f.p99, f.max, f.rate, f.finish)
}

func table() *lab.Table {
	return lab.NewTable("", "mean us", "p99 us", "max us", "Gb/s", "done ms")
}

// pidAlone are the criteria of Figure 18.
func pidAlone(f figures) (c lab.Criteria) {
	c.Want(near(f.mean, 4.9616, 0.04), "mean RTT is %v us, printed 4.9616", f.mean)
	c.Want(near(f.p99, 7.462, 0.15), "p99 RTT is %v us, printed 7.462", f.p99)
	c.Want(f.max.Median >= 20 && f.max.Median <= 30, "largest RTT is %v us, printed 24.552", f.max)
	return c
}

// follows are the criteria of Table 4 for targets of 5, 6 and 7 us, but for those
// in falls.
func follows(f [3]figures) (c lab.Criteria) {
	for i, g := range f {
		target := float64(5 + i)
		c.Want(g.p99.Median <= 2.7*target, "p99 RTT is %v us at a target of %v", g.p99, target)
		if i > 0 {
			before := f[i-1]
			c.Want(g.mean.Median > before.mean.Median && g.p99.Median > before.p99.Median && g.max.Median > before.max.Median,
				"mean, p99 and largest RTT do not all rise from %v to %v us", target-1, target)
		}
	}
	c.Want(near(f[0].mean, 5, 0.05), "mean RTT is %v us at a target of 5", f[0].mean)
	c.Want(near(f[1].mean, 6, 0.08), "mean RTT is %v us at a target of 6", f[1].mean)
	return c
}

func near(f lab.Figure, want, slack float64) bool { return math.Abs(f.Median/want-1) <= slack }

// helps are the criteria that the predictor is worth having.
func helps(with, without figures) (c lab.Criteria) {
	c.Want(near(with.mean, without.mean.Median, 0.05), "mean RTT goes from %v to %v us", without.mean, with.mean)
	c.Want(with.p99.Median <= without.p99.Median, "p99 RTT goes from %v to %v us", without.p99, with.p99)
	return c
}

var _ = Describe("the thesis's own algorithm in its incast", Label("pidnn"), func() {
	It("keeps the RTT as Figure 18 prints it with its PID alone, and not with an error left undivided",
		Label("H0"), func() {
			f, wrong := measure(map[string]string{"predictor": "off"}),
				measure(map[string]string{"predictor": "off", "e_norm": "off"})
			t := table()
			f.row(t, "measured")
			t.Row("printed", 4.9616, 7.462, 24.552, 14.7977, "")
			wrong.row(t, "undivided")
			t.Target(f.rate.Median >= 13.5 && f.rate.Median <= 17.5,
				fmt.Sprintf("mean rate in 13.5 to 17.5 Gb/s, measured %v", f.rate),
				"it rewards whoever lets small flows finish first, and that hangs on the order in which they start")
			t.Report("PID alone")
			Expect(pidAlone(f).Missed).To(BeEmpty())
			c := pidAlone(wrong)
			Expect(c.Missed).NotTo(BeEmpty())
		})

	It("follows its target of 5, 6 and 7 us", Label("H1", "miss"), func() {
		var f [3]figures
		t := table()
		for i, target := range []string{"5us", "6us", "7us"} {
			f[i] = measure(at(target))
			f[i].row(t, target)
		}
		t.Row("printed, 5us", 5.0302, 6.276, 21.144, 21.1789, 53.756)
		t.Row("printed, 6us", 6.0611, 10.253, 23.986, 15.7269, 53.688)
		t.Row("printed, 7us", 7.1478, 12.906, 48.699, 11.2404, 53.5559)
		measure(map[string]string{"target": "7us", "predictor": "off"}).row(t, "7us, PID alone")
		t.Target(near(f[0].finish, 53.756, 0.01), "last completion at 5 us within 1 % of 53.756 ms", "see the table")
		t.Target(near(f[2].mean, 7, 0.08), "mean RTT within 8 % of a target of 7 us", "the PID alone stays as far below it")
		t.Target(f[0].rate.Median > f[1].rate.Median && f[1].rate.Median > f[2].rate.Median,
			"mean rate falls as the target rises",
			"it follows which flows finish first, and that differs more between seeds than between targets")
		t.Report("targets")
		c := follows(f)
		AddReportEntry("criteria", c.String(), ReportEntryVisibilityFailureOrVerbose)
		Expect(c.Missed).To(BeEmpty())
		deaf := follows([3]figures{f[0], f[0], f[0]})
		Expect(deaf.Missed).NotTo(BeEmpty(), "a target that is not heard of must show")
	})

	It("ends in the time of Table 5, the port busy for 92 % of it at least", Label("H2"), func() {
		f := measure(nil)
		Expect(f.finish.Median).To(And(BeNumerically(">=", 52.71), BeNumerically("<=", 57.3)))
		capped := measure(map[string]string{"max_rate": "25Gbps"})
		Expect(capped.finish.Median).To(BeNumerically(">", 57.3), "with a rate of 25 Gb/s at most")
	})

	It("is better with its predictor than without, and worse with one that is wrong", Label("H4"), func() {
		with, without := measure(nil), measure(map[string]string{"predictor": "off"})
		wrong := measure(map[string]string{"weights": alwaysHalf()})
		t := table()
		with.row(t, "with")
		without.row(t, "without")
		wrong.row(t, "always +0.5")
		t.Target(with.p99.Median <= 0.9*without.p99.Median, "p99 RTT better by 10 %", "see the table")
		t.Report("prediction")
		good, bad := helps(with, without), helps(wrong, without)
		Expect(good.Missed).To(BeEmpty())
		Expect(bad.Missed).NotTo(BeEmpty())
	})
})

// alwaysHalf are weights of a network that predicts an RTT of 1.5 times the
// smoothed one, whatever it is told.
func alwaysHalf() string {
	n := new(lstm.Network)
	n.W[len(n.W)-1] = 0.5
	text, err := weights.Encode(n, weights.Meta{Command: "none: always 0.5"})
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return string(text)
}
