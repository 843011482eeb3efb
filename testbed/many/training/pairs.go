package training

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn"
)

// pair is a sample for training and testing a predictor: three consecutive features of a flow and the next one.
type pair struct {
	K [steps]float64
	L float64
}

// pairsOf returns the pairs of one flow's samples. K_t is the algorithm's own,
// and with its S_t (thesis, equation 3)
//
//	L_t = (R_{t+1} - S_t) / S_t
//
// The first pair comes with the third sample.
func pairsOf(rtts []unit.Duration) []pair {
	var pairs []pair
	var f pidnn.Features
	for _, rtt := range rtts {
		r := float64(rtt)
		if f.Ready() {
			pairs = append(pairs, pair{f.K, (r - f.S) / f.S})
		}
		f.Observe(r, pidnn.Sigma)
	}
	return pairs
}

// Bins is the number of ranges of |K| from which the same number of pairs is taken (thesis, section 3.3.1): otherwise
// most would be of an RTT that stays.
const Bins = 4

var edges = [Bins - 1]float64{0.02, 0.08, 0.15}

// binNames are the ranges as written.
var binNames = [Bins]string{"[0, 0.02)", "[0.02, 0.08)", "[0.08, 0.15)", "[0.15, inf)"}

// binOf returns the range of a pair's newest feature.
func binOf(p *pair) int {
	k := max(p.K[steps-1], -p.K[steps-1])
	for i, edge := range edges {
		if k < edge {
			return i
		}
	}
	return Bins - 1
}

func countBins(pairs []pair) (n [Bins]int) {
	for i := range pairs {
		n[binOf(&pairs[i])]++
	}
	return n
}

// dataError reports that runs hold too little variation to train or test with.
type dataError struct {
	// Runs names them.
	Runs string
	// Pairs are the numbers found in each bin, Need the number that each must hold.
	Pairs [Bins]int
	Need  int
}

func (e *dataError) Error() string {
	var found []string
	for i, n := range e.Pairs {
		found = append(found, fmt.Sprintf("%d in %s", n, binNames[i]))
	}
	return fmt.Sprintf("%s: pairs by |K|, the RTT's relative step from its average: %s; at least %d are needed in each: "+
		"the RTT varies too little, or the runs are too short; take other algorithms or longer runs", e.Runs,
		strings.Join(found, ", "), e.Need)
}

// balance draws equally many pairs from each bin: as many as the least filled
// has, at most most, and refuses fewer than need.
func balance(runs string, pairs []pair, need, most int, rng *chance.Stream) ([]pair, error) {
	var bins [Bins][]pair
	for i := range pairs {
		b := binOf(&pairs[i])
		bins[b] = append(bins[b], pairs[i])
	}
	each := most
	for _, b := range bins {
		each = min(each, len(b))
	}
	if each < need {
		return nil, &dataError{runs, countBins(pairs), need}
	}
	var chosen []pair
	for _, b := range bins {
		draw(b, each, rng)
		chosen = append(chosen, b[:each]...)
	}
	return chosen, nil
}

// draw moves n random pairs to the front, in random order.
func draw(pairs []pair, n int, rng *chance.Stream) {
	for i := range n {
		j := i + int(rng.Below(uint64(len(pairs)-i)))
		pairs[i], pairs[j] = pairs[j], pairs[i]
	}
}
