package training

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn"
)

// Pair is a sample for training and testing a predictor: three consecutive features of a flow and the next one.
type Pair struct {
	K [Steps]float64
	L float64
}

// pairsOf returns the pairs of one flow's samples. K_t is the algorithm's own,
// and with its S_t (thesis, equation 3)
//
//	L_t = (R_{t+1} - S_t) / S_t
//
// The first pair comes with the third sample.
func pairsOf(rtts []unit.Duration) []Pair {
	var pairs []Pair
	var f pidnn.Features
	for _, rtt := range rtts {
		r := float64(rtt)
		if f.Ready() {
			pairs = append(pairs, Pair{f.K, (r - f.S) / f.S})
		}
		f.Observe(r, pidnn.Sigma)
	}
	return pairs
}

// Bins is the number of ranges of |K| from which the same number of pairs is taken (thesis, section 3.3.1): otherwise
// most would be of an RTT that stays.
const Bins = 4

var edges = [Bins - 1]float64{0.02, 0.08, 0.15}

// BinNames are the ranges as written.
var BinNames = [Bins]string{"[0, 0.02)", "[0.02, 0.08)", "[0.08, 0.15)", "[0.15, inf)"}

// binOf returns the range of a pair's newest feature.
func binOf(p *Pair) int {
	k := max(p.K[Steps-1], -p.K[Steps-1])
	for i, edge := range edges {
		if k < edge {
			return i
		}
	}
	return Bins - 1
}

func countBins(pairs []Pair) (n [Bins]int) {
	for i := range pairs {
		n[binOf(&pairs[i])]++
	}
	return n
}

// DataError reports that runs hold too little variation to train or test with.
type DataError struct {
	// Runs names them.
	Runs string
	// Pairs are the numbers found in each bin, Need the number that each must hold.
	Pairs [Bins]int
	Need  int
}

func (e *DataError) Error() string {
	var found []string
	for i, n := range e.Pairs {
		found = append(found, fmt.Sprintf("%d in %s", n, BinNames[i]))
	}
	return fmt.Sprintf("%s: pairs by |K|, the RTT's relative step from its average: %s; at least %d are needed in each: "+
		"the RTT varies too little, or the runs are too short; take other algorithms or longer runs", e.Runs,
		strings.Join(found, ", "), e.Need)
}

// balance draws equally many pairs from each bin: as many as the least filled
// has, at most most, and refuses fewer than need.
func balance(runs string, pairs []Pair, need, most int, rng *chance.Stream) ([]Pair, error) {
	var bins [Bins][]Pair
	for i := range pairs {
		b := binOf(&pairs[i])
		bins[b] = append(bins[b], pairs[i])
	}
	each := most
	for _, b := range bins {
		each = min(each, len(b))
	}
	if each < need {
		return nil, &DataError{runs, countBins(pairs), need}
	}
	var chosen []Pair
	for _, b := range bins {
		draw(b, each, rng)
		chosen = append(chosen, b[:each]...)
	}
	return chosen, nil
}

// draw moves n random pairs to the front, in random order.
func draw(pairs []Pair, n int, rng *chance.Stream) {
	for i := range n {
		j := i + int(rng.Below(uint64(len(pairs)-i)))
		pairs[i], pairs[j] = pairs[j], pairs[i]
	}
}
