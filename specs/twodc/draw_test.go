package twodc

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
)

// drawn is the result of two-dc.yaml with one draw of paths after another.
type drawn struct {
	// Bound and Iteration are in ms, OfBound is the one over the other of each seed.
	Bound, Iteration, OfBound, Lost, Queue lab.Figure
	runs                                   []*lab.Run
}

// draws is the number of seeds: three on a commit, ten at night.
func draws() int {
	if tier.RunsNight() {
		return 10
	}
	return 3
}

// draw runs a variant of two-dc.yaml, shortened to four iterations, with seeds from 1 on.
func draw(variant string, changes map[string]string) (d drawn) {
	for seed := range draws() {
		all := map[string]string{
			"seed":                             fmt.Sprint(seed + 1),
			"traffic.iterations":               "4",
			"variants." + variant + ".expect":  "{}",
			"switch.proximal.learning.enabled": "false",
		}
		for path, value := range changes {
			all[path] = value
		}
		for _, plan := range lab.Load("../scenarios/two-dc.yaml", all) {
			if plan.Name == variant {
				d.runs = append(d.runs, lab.Do(plan, lab.Options{}))
			}
		}
	}
	Expect(d.runs).To(HaveLen(draws()))
	figure := func(of func(*lab.Run) float64) lab.Figure { return lab.FigureOf(d.runs, of) }
	metric := func(name string, scale float64) lab.Figure {
		return figure(func(r *lab.Run) float64 { return lab.Metric(name)(r) / scale })
	}
	d.Bound, d.Iteration = metric("bound_us", 1e3), metric("iteration_mean_us", 1e3)
	d.Lost, d.Queue = metric("drops", 1), metric("queue_max_bytes", 1e6)
	d.OfBound = figure(func(r *lab.Run) float64 { return lab.Metric("bound_us")(r) / lab.Metric("iteration_mean_us")(r) })
	return d
}

// wonBack is the part of what congestion costs end-to-end ECN beyond the bound that is won back,
// seed by seed.
func (d *drawn) wonBack(ecn *drawn) lab.Figure {
	at := 0
	iteration := lab.Metric("iteration_mean_us")
	return lab.FigureOf(d.runs, func(r *lab.Run) float64 {
		without := iteration(ecn.runs[at])
		at++
		return (without - iteration(r)) / (without - lab.Metric("bound_us")(r))
	})
}

// nearTheBound are the criteria of CNPs.
func nearTheBound(d, ecn *drawn) (c lab.Criteria) {
	c.Want(d.OfBound.Median >= 0.89, "%v of the bound's rate: wanted is 0.89", d.OfBound)
	won := d.wonBack(ecn)
	c.Want(won.Median >= 0.6, "%v won back: wanted is 0.6", won)
	c.Want(d.Lost.Max == 0, "%v frames are lost", d.Lost)
	return c
}

// Tier: slow, 9 runs; 30 at night. Red: for end-to-end ECN, the result of the scheme if notifications are dropped, in
// the spec itself.
var _ = Describe("the training of two-dc.yaml, whose paths ECMP draws", Label("R1", "dci", "proximal"), func() {
	It("has with proximal CNP 0.89 of its bound's rate, with the rate in the CNP 0.97", Label("slow"), func() {
		lab.SkipUnlessSlow()
		ecn, cnps := draw("ecn", nil), draw("proximal", nil)
		rate := draw("proximal", map[string]string{
			"variants.proximal.switch.proximal.rate":   "true",
			"variants.proximal.switch.proximal.notify": "always",
		})
		table := lab.NewTable("congestion control", "iteration, ms", "bound, ms", "of the bound's rate", "won back", "lost",
			"longest queue, MB")
		for _, row := range []struct {
			name string
			*drawn
		}{{"end-to-end ECN", &ecn}, {"proximal CNPs", &cnps}, {"the rate in the CNP", &rate}} {
			table.Row(row.name, row.Iteration, row.Bound, row.OfBound, row.wonBack(&ecn), row.Lost, row.Queue)
		}
		table.Report(fmt.Sprintf("draws of ECMP, seeds 1 to %d", draws()))
		Expect(ecn.OfBound.Median).To(BeNumerically("<", 0.85), "nothing to show")
		Expect(nearTheBound(&cnps, &ecn).Missed).To(BeEmpty())
		Expect(nearTheBound(&ecn, &ecn).Missed).To(HaveLen(3), "the same asked of ECN")
		Expect(rate.OfBound.Median).To(BeNumerically(">=", 0.97), "the rate in the CNP")
		Expect(rate.Lost.Max).To(BeZero())
	})
})
