package compare

import (
	"math"
	"slices"
)

// ExactLimit is the number of values up to which a test counts all orders: C(60, 30) fits into 64 bits.
const ExactLimit = 60

// test is the outcome of a Mann-Whitney test.
type test struct {
	// U is the number of pairs (x of a, y of b) with x > y, ties counted half.
	U float64
	// P is the two-sided probability of a U at least as far from its mean, if
	// both samples came from one distribution; NaN if a sample is empty.
	P float64
	// Exact is set if P was counted, not approximated.
	Exact bool
}

// mannWhitney tests whether two samples come from one distribution. Up to 60
// values in all P is exact, ties included: it is counted over all ways to deal
// the mid-ranks to the two samples. Beyond it is the normal approximation with
// the correction for ties and continuity.
//
// Source: Mann, Whitney, Ann. Math. Statist. 18 (1947), equation 1; Lehmann,
// Nonparametrics (1975), section 1.4 for ties.
func mannWhitney(a, b []float64) test {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return test{U: math.NaN(), P: math.NaN()}
	}
	ranks, ties := midranks(a, b)
	sum := 0 // twice the ranks of a
	for _, r := range ranks[:n] {
		sum += r
	}
	t := test{U: float64(sum)/2 - float64(n*(n+1))/2, Exact: n+m <= ExactLimit}
	if t.Exact {
		t.P = countRanks(ranks, n, sum)
		return t
	}
	// sigma^2 = n m / 12 ((N + 1) - sum (t^3 - t) / (N (N - 1)))
	all := float64(n + m)
	variance := float64(n) * float64(m) / 12 * ((all + 1) - ties/(all*(all-1)))
	if variance <= 0 {
		t.P = 1
		return t
	}
	z := max(0, math.Abs(t.U-float64(n*m)/2)-0.5) / math.Sqrt(variance)
	t.P = math.Erfc(z / math.Sqrt2)
	return t
}

// LeastP returns the smallest P that an exact test of n against m values can give: the two most extreme orders out of
// C(n+m, n).
func LeastP(n, m int) float64 {
	ways := 1.0
	for i := range n {
		ways = ways * float64(m+i+1) / float64(i+1)
	}
	return min(1, 2/ways)
}

// midranks returns twice the rank of each value of a and then of b among all;
// equal values share the mean of their ranks. Ties is the sum of t^3 - t over
// groups of t equal values.
func midranks(a, b []float64) (ranks []int, ties float64) {
	all := slices.Concat(a, b)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case all[i] < all[j]:
			return -1
		case all[i] > all[j]:
			return 1
		}
		return 0
	})
	ranks = make([]int, len(all))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && all[order[to]] == all[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = from + 1 + to // twice the mean of the ranks from+1 to to
		}
		size := float64(to - from)
		ties += size*size*size - size
		from = to
	}
	return ranks, ties
}

// countRanks is the share of all choices of n ranks whose sum is at least as
// far from the mean as sum is.
func countRanks(ranks []int, n, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	// ways[k][s] is the number of choices of k of the ranks seen so far that sum to s.
	ways := make([][]uint64, n+1)
	for k := range ways {
		ways[k] = make([]uint64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := n; k >= 1; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	// The mean of the sums is total n / N. Distances are compared times N, in
	// whole numbers.
	far := func(s int) int { return max(s*len(ranks)-total*n, total*n-s*len(ranks)) }
	extreme, all := 0.0, 0.0
	for s, count := range ways[n] {
		all += float64(count)
		if far(s) >= far(sum) {
			extreme += float64(count)
		}
	}
	return extreme / all
}
