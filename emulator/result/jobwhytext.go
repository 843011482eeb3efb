package result

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
)

// JobTime is an iteration of a collective and the parts of its time, in the words of jobwhy.csv.
type JobTime struct {
	// Job is the name of the traffic entry.
	Job string
	attribution.Parts
	// Flow is the one that cost most of it, Bottleneck a port, "node:port"; "" for none.
	Flow, Bottleneck string
}

// TypicalJobs returns the median iterations of each collective of the run, in the order of the plan: for an even number
// the slower of the two in the middle. A collective without a finished iteration has none.
func (o *Outcome) TypicalJobs() (list []JobTime) {
	of := make([][]JobTime, len(o.Plan.Collectives))
	for row := range jobWhyRows(o) {
		at := &of[row.Collective]
		*at = append(*at, JobTime{row.name(), row.Parts, row.flow(), row.bottleneck()})
	}
	for _, iterations := range of {
		if len(iterations) > 0 {
			list = append(list, TypicalJob(iterations))
		}
	}
	return list
}

// TypicalJob is the one with the median of several times, of an even number the longer of the two in the middle. It
// sorts them by time, the longest first.
func TypicalJob(list []JobTime) JobTime {
	slices.SortStableFunc(list, func(a, b JobTime) int { return cmp.Compare(b.Total(), a.Total()) })
	return list[MiddlePlace(len(list))]
}

// MiddlePlace returns the index of the median in a list sorted with the longest first: for an even count the longer of
// the two in the middle, so that it is one of the values.
func MiddlePlace(count int) int { return (count - 1) / 2 }

// String names the largest parts, and the flow and the port that cost most.
func (j *JobTime) String() string {
	var order []attribution.Part
	for part := range attribution.NumParts {
		if float64(j.Parts[part]) >= float64(leastPart*float64(j.Total())) && j.Parts[part] > 0 {
			order = append(order, part)
		}
	}
	slices.SortStableFunc(order, func(a, b attribution.Part) int { return cmp.Compare(j.Parts[b], j.Parts[a]) })
	var clauses []string
	for _, part := range order[:min(len(order), partsNamed)] {
		word := part.String()
		if part == attribution.Host {
			word = "computation"
		}
		clauses = append(clauses, j.Parts[part].Figure()+" "+word)
	}
	text := j.Job + ": a median iteration took " + j.Total().Figure() + ": " + strings.Join(clauses, ", ")
	if j.Flow == "" {
		return text
	}
	text += "; " + j.Flow + " lost most"
	if j.Bottleneck != "" {
		text += ", at " + j.Bottleneck
	}
	return text
}
