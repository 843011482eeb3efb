package lab

import (
	"fmt"
	"math"
)

// Degrees are the numbers of senders of PC4's Figure 6(a).
var Degrees = []int{2, 4, 8, 16}

// Incast is what n long flows that start together into one port came to, over
// the seeds.
type Incast struct {
	N int
	// BaseRTT is the RTT of a full-size packet on empty queues, RTT the mean of
	// all packets, both in us.
	BaseRTT float64
	RTT     Figure
	// Slowdown is the mean over the flows that completed, Slowest the largest,
	// both divided by n; Jain the fairness of all flows' goodputs.
	Slowdown, Slowest, Jain Figure
	// Incomplete counts flows that had not completed after 10 s.
	Incomplete Figure
}

// RunIncast runs IncastOf for each of Degrees.
func RunIncast(size, settings string, options Options) (points []Incast) {
	for _, n := range Degrees {
		points = append(points, IncastOf(n, size, settings, options))
	}
	return points
}

// IncastOf runs n-to-1 on one switch: n flows of the given size, 100 Gb/s and 1
// us a link. Settings are further lines of the scenario, the algorithm among
// them.
func IncastOf(n int, size, settings string, options Options) Incast {
	runs := OverSeeds(fmt.Sprintf(`
topology: {kind: star, hosts: %d}
traffic:
  - {name: incast, kind: incast, size: %s}
%s
`, n+1, size, settings), options)
	share := func(metric string) Figure {
		return FigureOf(runs, func(r *Run) float64 { return Metric(metric)(r) / float64(n) })
	}
	return Incast{
		N:          n,
		BaseRTT:    runs[0].Flows[0].BaseRTT.Microseconds(),
		RTT:        FigureOf(runs, Metric("rtt_mean_us")),
		Slowdown:   share("slowdown_mean"),
		Slowest:    share("slowdown_max"),
		Jain:       FigureOf(runs, Metric("jain")),
		Incomplete: FigureOf(runs, Metric("incomplete")),
	}
}

// IncastTable returns a table for AddIncast; variant heads its first column.
func IncastTable(variant string) *Table {
	return NewTable(variant, "n", "mean RTT us", "mean slowdown / n", "slowest / n", "Jain", "incomplete")
}

// AddIncast adds a row for each n.
func (t *Table) AddIncast(variant string, points []Incast) {
	for _, p := range points {
		t.Row(variant, p.N, p.RTT, p.Slowdown, p.Slowest, p.Jain, p.Incomplete)
		variant = ""
	}
}

// IncastCriteria are what PC4's Figure 6(a) says of PC4, as bounds on medians:
// the RTT stays near the base RTT whatever n, and the flows take no longer than
// n flows must. The slowdown may exceed n by the burst of the first RTT and by
// windows that are whole packets, together up to 6 % at 16 flows.
//
// The slowest flow is bound more tightly than the mean: without a base rate
// one flow lags behind while the mean looks well.
func IncastCriteria(points []Incast) (criteria Criteria) {
	least, most := math.Inf(1), 0.0
	for _, p := range points {
		least, most = min(least, p.RTT.Median), max(most, p.RTT.Median)
		criteria.Want(p.Incomplete.Max == 0, "n = %d: %v flows never completed", p.N, p.Incomplete)
		criteria.Want(p.RTT.Median <= p.BaseRTT+1.3, "n = %d: mean RTT %v us, allowed is base RTT + 1.3 = %.3f", p.N,
			p.RTT, p.BaseRTT+1.3)
		criteria.Want(p.Slowdown.Median <= 1.06, "n = %d: mean slowdown %v n, allowed is 1.06 n", p.N, p.Slowdown)
		criteria.Want(p.Slowest.Median <= 1.02, "n = %d: slowdown of the slowest flow %v n, allowed is 1.02 n", p.N,
			p.Slowest)
	}
	criteria.Want(most <= 1.15*least, "mean RTT varies with n from %.3f to %.3f us, allowed is a ratio of 1.15", least,
		most)
	return criteria
}

// EqualShares is the other half of Figure 6(a): a mean slowdown of at least
// 0.97 n. The port cannot do more than it does, so a mean below n says that
// some flows had more than their share and finished early.
func EqualShares(points ...Incast) (criteria Criteria) {
	for _, p := range points {
		criteria.Want(p.Slowdown.Median >= 0.97, "n = %d: mean slowdown %v n, wanted is 0.97 n", p.N, p.Slowdown)
	}
	return criteria
}
