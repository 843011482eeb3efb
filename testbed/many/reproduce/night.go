package reproduce

import (
	"cmp"
	"math"
	"reflect"
	"slices"
)

// Debt is a row whose claims are not judged at the published size by as many seeds as they ask for.
type Debt struct {
	// Row has the seeds that are asked for in its full form.
	Row *Row
	// Have and Want are the number of seeds recorded at that size, and the number asked for.
	Have, Want int
	// Seconds is about how long the missing ones take, one after the other; infinite where the size was never run.
	Seconds float64
}

// Debts are the rows whose claims are owed runs, the costliest first. Rows that were never run at their size come
// before all others, ordered by the time of their quick form.
func (r *Registry) Debts(rows []*Row, recorded *Recorded) (debts []Debt) {
	for _, row := range rows {
		debt := Debt{Row: row}
		for _, entry := range r.Claims {
			if entry.Row == row.ID {
				debt.Want = max(debt.Want, entry.Seeds)
			}
		}
		full := recorded.like(row, true)
		debt.Have = full.seeds()
		if debt.Have >= debt.Want {
			continue
		}
		debt.Seconds = math.Inf(1)
		if debt.Have > 0 {
			debt.Seconds = full.secondsOf(debt.Want - debt.Have)
		}
		asked := *row
		asked.Full.Seeds = nil
		for seed := range debt.Want {
			asked.Full.Seeds = append(asked.Full.Seeds, uint64(seed+1))
		}
		debt.Row = &asked
		debts = append(debts, debt)
	}
	slices.SortStableFunc(debts, func(a, b Debt) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(quickSeconds(b, recorded), quickSeconds(a, recorded)))
	})
	return debts
}

// like are the figures of a row in a form, or those of its quick form if both are the same.
func (r *Recorded) like(row *Row, full bool) *RecordedForm {
	form := r.Of(row.ID, full)
	if form == nil && full && reflect.DeepEqual(row.Quick, row.Full) {
		form = r.Of(row.ID, false)
	}
	return form
}

// seeds is the number of recorded seeds; 0 for nil.
func (f *RecordedForm) seeds() (most int) {
	if f == nil {
		return 0
	}
	for i := range f.Figures {
		most = max(most, len(f.Figures[i].Values))
	}
	return most
}

// secondsOf is how long so many seeds take, one after the other.
func (f *RecordedForm) secondsOf(seeds int) float64 {
	return f.Seconds / float64(max(1, f.seeds())) * float64(seeds)
}

// SecondsOf is how long a job takes by what was recorded, its runs one after the other; 0 if nothing was. A job may
// have more seeds, or fewer, than were recorded.
func (r *Recorded) SecondsOf(job *Job) float64 {
	form := r.like(job.Row, job.Full)
	if form == nil {
		return 0
	}
	if job.Plan == nil {
		return form.Seconds
	}
	return form.secondsOf(job.seeds())
}

// quickSeconds is the time of the quick form of a debt's row.
func quickSeconds(debt Debt, recorded *Recorded) float64 {
	if form := recorded.Of(debt.Row.ID, false); form != nil {
		return form.Seconds
	}
	return 0
}
