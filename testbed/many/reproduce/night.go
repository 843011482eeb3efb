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
		full := recorded.Of(row.ID, true)
		if full == nil && reflect.DeepEqual(row.Quick, row.Full) {
			full = recorded.Of(row.ID, false)
		}
		if full != nil {
			for i := range full.Figures {
				debt.Have = max(debt.Have, len(full.Figures[i].Values))
			}
		}
		if debt.Have >= debt.Want {
			continue
		}
		debt.Seconds = math.Inf(1)
		if debt.Have > 0 {
			debt.Seconds = full.Seconds / float64(debt.Have) * float64(debt.Want-debt.Have)
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

// quickSeconds is the time of the quick form of a debt's row.
func quickSeconds(debt Debt, recorded *Recorded) float64 {
	if form := recorded.Of(debt.Row.ID, false); form != nil {
		return form.Seconds
	}
	return 0
}
