package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/model"
)

// matrix is a matrix of n cells whose runs end as ends decides; kept are the kept ones.
func matrix(n, jobs int, ends func(cell int,
	ctx context.Context) (interrupted bool, err error)) (m *Matrix, kept *[]string) {
	m, kept = &Matrix{Jobs: jobs}, &[]string{}
	for i := range n {
		name := fmt.Sprint(i)
		m.Cells = append(m.Cells, Cell{
			Name: name,
			Plan: func() (*plan.Plan, error) { return &plan.Plan{Name: name}, nil },
			Run: func(ctx context.Context, p *plan.Plan, _ int, _ func(model.Progress)) (*result.Outcome, error) {
				interrupted, err := ends(i, ctx)
				return &result.Outcome{Plan: p, Interrupted: interrupted}, err
			},
			Keep: func(_ *result.Outcome, r Run) error {
				*kept = append(*kept, r.Summary.Variant)
				return nil
			},
		})
	}
	return m, kept
}

func TestMatrixStopsAtAnInterruption(t *testing.T) {
	for _, c := range []struct {
		partial      bool
		kept, notRun string
	}{
		{false, "0 1", "2 3 4"},
		{true, "0 1 2", "3 4"},
	} {
		t.Run(c.kept, func(t *testing.T) {
			m, kept := matrix(5, 1, func(cell int, _ context.Context) (bool, error) { return cell == 2, nil })
			m.Partial = c.partial
			notRun, err := m.Do(t.Context())
			if got := strings.Join(*kept, " "); err != nil || got != c.kept || strings.Join(notRun, " ") != c.notRun {
				t.Errorf("partial %v: kept %s, not run %v, %v", c.partial, got, notRun, err)
			}
		})
	}
}

// Cell 1 fails once cell 0 is under way; that ends cell 0, and no other begins.
func TestAFaultEndsWhatIsUnderWay(t *testing.T) {
	underWay, fault := make(chan bool), errors.New("fault")
	m, kept := matrix(4, 2, func(cell int, ctx context.Context) (bool, error) {
		switch cell {
		case 0:
			close(underWay)
			<-ctx.Done()
			return true, nil
		case 1:
			<-underWay
			return false, fault
		}
		return false, errors.New("it should not have begun")
	})
	notRun, err := m.Do(t.Context())
	if err != fault || len(*kept) != 0 || len(notRun) != 4 {
		t.Errorf("kept %v, not run %v, %v", *kept, notRun, err)
	}
}

// Of several faults the one of the first cell is returned, whichever came
// first.
func TestTheFirstCellsFaultCounts(t *testing.T) {
	later := make(chan bool)
	m, _ := matrix(2, 2, func(cell int, _ context.Context) (bool, error) {
		if cell == 0 {
			<-later
		} else {
			defer close(later)
		}
		return false, fmt.Errorf("fault of %d", cell)
	})
	if _, err := m.Do(t.Context()); err == nil || err.Error() != "fault of 0" {
		t.Error(err)
	}
}

// As many runs as there are jobs go on at a time, and all are kept.
func TestJobsRunTogether(t *testing.T) {
	arrived := make(chan int)
	m, kept := matrix(3, 3, func(cell int, _ context.Context) (bool, error) {
		if cell == 0 { // waits for both others
			<-arrived
			<-arrived
		} else {
			arrived <- cell
		}
		return false, nil
	})
	notRun, err := m.Do(t.Context())
	slices.Sort(*kept)
	if strings.Join(*kept, " ") != "0 1 2" || notRun != nil || err != nil {
		t.Errorf("kept %v, not run %v, %v", *kept, notRun, err)
	}
}
