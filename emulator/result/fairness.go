package result

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// FairnessFigures measure how evenly flows shared the fabric.
type FairnessFigures struct {
	Jain float64
	// JainBasis is the basis of Jain; see fairnessDoc.
	JainBasis string
}

var jainMetric = measure("jain", "Jain's fairness index of the goodputs of flows active at the same time. Range "+
	"1/n to 1. See Fairness below.", Higher, 4, func(s *Summary) float64 { return s.Jain })

// The bases of the fairness index.
const (
	jainEpochs    = "epochs"
	jainLifetimes = "lifetimes"
)

// fairnessDoc goes into the folder's documentation.
const fairnessDoc = `Jain's index of n goodputs x is (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when ` +
	`one has all.
Only flows that are active at the same time are compared. If record.interval is above 0 (it is 0 by default), the run is
cut at every start and end of a flow; in each piece with two flows or more the index is taken of the payload
acknowledged in the piece's whole bins, and jain is the mean over the pieces, weighted by their lengths (jain_basis
"epochs"). Otherwise jain is the index of the goodputs over their lifetimes of the flows that were active
when most flows were (jain_basis "lifetimes"): exact if flows start together, too low for flows that
once had the fabric for themselves.`

// Jain returns Jain's fairness index of x: (sum x)^2 / (n sum x^2), NaN for
// fewer than two values, 1 if all are zero.
func Jain(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
		squares += float64(v * v)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(x)) * squares)
}

// fairnessFigures returns the index of an outcome and its basis, following fairnessDoc.
func fairnessFigures(outcome *Outcome) FairnessFigures {
	if record := &outcome.Plan.Record; record.Interval > 0 && !record.Off {
		return FairnessFigures{jainOfEpochs(outcome), jainEpochs}
	}
	return FairnessFigures{Jain(peakGoodputs(outcome)), jainLifetimes}
}

// change is a flow's start or end.
type change struct {
	at   unit.Time
	flow int32
	ends bool
}

// changesOf lists the starts and ends of flows in time, ends first.
func changesOf(o *Outcome) []change {
	cs := make([]change, 0, 2*len(o.Flows))
	for i := range o.Flows {
		flow := o.flow(i)
		if start, end := flow.Sender.Started, flow.end(); start < end {
			cs = append(cs, change{start, int32(i), false}, change{end, int32(i), true})
		}
	}
	slices.SortFunc(cs, func(a, b change) int {
		switch {
		case a.at != b.at:
			return int(min(1, max(-1, a.at-b.at)))
		case a.ends != b.ends && a.ends:
			return -1
		case a.ends != b.ends:
			return 1
		}
		return int(a.flow - b.flow)
	})
	return cs
}

// peakGoodputs returns the goodputs, over their lifetimes, of the flows that were active at the first instant with the
// largest number of active flows.
func peakGoodputs(o *Outcome) []float64 {
	active, most, when := 0, 0, unit.Time(0)
	for _, c := range changesOf(o) {
		if c.ends {
			active--
		} else if active++; active > most {
			most, when = active, c.at
		}
	}
	var rates []float64
	for flow := range o.eachFlow {
		if start, end := flow.Sender.Started, flow.end(); start <= when && when < end {
			rates = append(rates, float64(flow.Sender.Acked)/end.Sub(start).Seconds())
		}
	}
	return rates
}

// jainOfEpochs is the mean of the indexes of the spans between two changes,
// weighted by their whole bins.
func jainOfEpochs(outcome *Outcome) float64 {
	width := unit.Time(outcome.Plan.Record.Interval)
	cumulative := make([][]int64, len(outcome.Flows))
	var active []int32
	var rates []float64
	sum, weight := 0.0, 0.0
	cs := changesOf(outcome)
	for i, turn := range cs {
		at, isActive := slices.BinarySearch(active, turn.flow)
		if turn.ends {
			if isActive {
				active = slices.Delete(active, at, at+1)
			}
		} else {
			active = slices.Insert(active, at, turn.flow)
			cumulative[turn.flow] = prefixSums(outcome.Flows[turn.flow].Sender.AckedSeries())
		}
		if i+1 == len(cs) {
			break
		}
		from, to := int((turn.at+width-1)/width), int(cs[i+1].at/width)
		if len(active) < 2 || from >= to {
			continue
		}
		rates = rates[:0]
		for _, f := range active {
			rates = append(rates, float64(upTo(cumulative[f], to)-upTo(cumulative[f], from)))
		}
		bins := float64(to - from)
		sum += float64(bins * Jain(rates))
		weight += bins
	}
	if weight == 0 {
		return math.NaN()
	}
	return sum / weight
}

// prefixSums returns s with s[i] the sum of the first i bins.
func prefixSums(series *record.Series) []int64 {
	s := make([]int64, series.Len()+1)
	for i := range series.Len() {
		s[i+1] = s[i] + series.At(i)
	}
	return s
}

// upTo is the sum of the first n bins; bins that were never touched are 0.
func upTo(sums []int64, n int) int64 { return sums[min(n, len(sums)-1)] }
