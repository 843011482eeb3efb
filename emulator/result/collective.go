package result

import (
	"iter"
	"math"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// iteration is one repetition of a collective as its ranks saw it.
type iteration struct {
	plan *plan.Collective
	// number counts from 0, done the ranks that were done.
	number, done int
	// begun is the time at which the first rank began to compute, ready and allReady the times at which the first and
	// the last rank had finished computing, ended the time at which the last rank was done; unit.Never if that did not
	// happen.
	begun, ready, allReady, ended unit.Time
	// slowest is the NIC of the rank that was last, stuck of the first that was
	// not done; "" for none.
	slowest, stuck string
}

// collectiveTime is the duration of the operation, from the first rank that came to it until the last was done; NaN if
// one was not.
func (r *iteration) collectiveTime() float64 {
	if r.ended == unit.Never {
		return math.NaN()
	}
	return r.ended.Sub(r.ready).Microseconds()
}

// iterationTime is the time from the begin of the computation on.
func (r *iteration) iterationTime() float64 {
	if r.ended == unit.Never {
		return math.NaN()
	}
	return r.ended.Sub(r.begun).Microseconds()
}

// algBW is the operation's size over its time in GB/s, 10^9 bytes a second, as
// nccl-tests print it; busBW the part of it that a link must carry.
func (r *iteration) algBW() float64 { return float64(r.plan.Size) / 1e3 / r.collectiveTime() }
func (r *iteration) busBW() float64 { return float64(r.algBW() * r.plan.BusFactor) }

// iterationRows yields every iteration of every collective, in order. One row is
// reused.
func iterationRows(o *Outcome) iter.Seq[*iteration] {
	return func(yield func(*iteration) bool) {
		for i := range o.Plan.Collectives {
			c := &o.Plan.Collectives[i]
			for k := range c.Iterations {
				row := iterationOf(o, c, k)
				if !yield(&row) {
					return
				}
			}
		}
	}
}

func iterationOf(o *Outcome, collective *plan.Collective, k int) iteration {
	row := iteration{plan: collective, number: k, begun: unit.Never, ready: unit.Never}
	computed := 0
	for _, place := range collective.Places {
		ends := o.Phases[place.NIC][place.Rank]
		first, last := k*place.PhasesPerIteration, (k+1)*place.PhasesPerIteration-1
		begun := collective.Start
		if k > 0 && first-1 < len(ends) {
			begun = ends[first-1]
		}
		if k == 0 || first-1 < len(ends) {
			row.begun = min(row.begun, begun)
		}
		if first < len(ends) {
			computed++
			row.ready, row.allReady = min(row.ready, ends[first]), max(row.allReady, ends[first])
		}
		switch name := o.Plan.NICs[place.NIC].Name; {
		case last < len(ends):
			row.done++
			if row.slowest == "" || ends[last] > row.ended {
				row.ended, row.slowest = ends[last], name
			}
		case row.stuck == "":
			row.stuck = name
		}
	}
	if computed < len(collective.Places) {
		row.allReady = unit.Never
	}
	if row.stuck != "" {
		row.ended, row.slowest = unit.Never, ""
	}
	return row
}

var collectiveSheet = sheet[iteration]{"collectives.csv", "One row per iteration of each collective; see " +
	"Collectives below.", []column[iteration]{
	textColumn("collective", "Traffic entry.", func(r *iteration) string { return r.plan.Name }),
	textColumn("operation", "Operation of the collective.", func(r *iteration) string { return r.plan.Operation }),
	textColumn("method", "How.", func(r *iteration) string { return r.plan.Method }),
	intColumn("ranks", "Hosts that take part.", func(r *iteration) int { return len(r.plan.Places) }),
	intColumn("size_bytes", "The larger of a rank's input and output.",
		func(r *iteration) unit.Bytes { return r.plan.Size }),
	intColumn("iteration", "From 0.", func(r *iteration) int { return r.number }),
	timeColumn("begun_us", "When the first rank began to compute.", func(r *iteration) unit.Time { return r.begun }),
	timeColumn("ready_us", "Time at which the first rank had computed and the operation begins.",
		func(r *iteration) unit.Time { return r.ready }),
	timeColumn("all_ready_us", "When the last rank had.", func(r *iteration) unit.Time { return r.allReady }),
	timeColumn("done_us", "Time at which the last rank was done; empty if a rank was not.",
		func(r *iteration) unit.Time { return r.ended }),
	floatColumn("collective_us", "done_us - ready_us.", 3, (*iteration).collectiveTime),
	floatColumn("iteration_us", "done_us - begun_us.", 3, (*iteration).iterationTime),
	floatColumn("algbw_gigabytes_s", "size_bytes / collective_us, in 10^9 bytes a second.", 4, (*iteration).algBW),
	floatColumn("busbw_gigabytes_s", "What of it a link carries.", 4, (*iteration).busBW),
	intColumn("ranks_done", "Ranks that were done.", func(r *iteration) int { return r.done }),
	textColumn("slowest", "Rank that was done last.", func(r *iteration) string { return r.slowest }),
	textColumn("stuck", "First rank that was not done.", func(r *iteration) string { return r.stuck }),
}}

// collectiveDoc goes into the folder's documentation.
const collectiveDoc = `A rank computes, takes part in the operation, and is done with the iteration when it has ` +
	`received all its data
and all its own data is acknowledged; then it computes for the next iteration, independent of the others. So iterations
of different ranks may overlap. The operation's time is from the first rank that began it until the last was done: it
includes the wait for a straggler, and the wait of an early rank for ranks that are still at the iteration before.
Algorithm bandwidth is size over time; bus bandwidth is that times 2(n-1)/n for an all-reduce of n ranks, (n-1)/n for
all-gather, reduce-scatter and all-to-all, and 1 for the others, as nccl-tests count.
bound_us and free_us are the shortest times that a congestion control can reach if groups of ranks exchange data over
long-haul paths: with one, an iteration in one site; x, the time in which one flow's data of an iteration leave its NIC;
L, the rates of the NICs whose flows ECMP put on a DCI port over the port's rate, for the port with the largest ratio,
and at least 1; d, the fibre one way, plus the excess of the ACKs' way back over the rest of the
collective after the exchange:

    bound = one + (L - 1) x + d
    free  = max(L x of all collectives, max over collectives (one + (L - 1) x + d) with L of only that one)

The value of one counts computation, the packets of messages and, as NICs receive while they send, their ACKs, and the
way of the last packet, on empty queues. The bounds exist for hierarchical and for permute, if all ranks of a collective
compute for the same time and no other traffic crosses the long-haul paths; the sites are taken to have no congestion.`
