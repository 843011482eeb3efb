package tune

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// memoryName marks a folder that keeps the runs of searches, so that no sweep takes it for its
// own: rows without the run folders of a sweep are in it.
const memoryName = "tune.txt"

const memoryText = "Rows of runs that rocelab tune made, under the names that rocelab sweep has for them.\n"

// OpenMemory opens a folder that keeps the results of runs, so that a stopped search resumes: a row a run, in a store
// of package campaign. It makes the folder if there is none, and refuses a sweep's. The caller closes the store.
func OpenMemory(dir string) (*campaign.Store, error) {
	if _, err := sweep.Open(dir); !errors.Is(err, sweep.ErrNoSweep) {
		return nil, fmt.Errorf("%s is the folder of a sweep: give another", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, memoryName), []byte(memoryText), 0o666); err != nil {
		return nil, err
	}
	store := campaign.NewStore(dir)
	return store, store.Open()
}

// Measured is the part of a run's result that a search needs.
type Measured struct {
	// Bad is the reason why the run counts for nothing; "" for one that counts.
	Bad string
	// Marks is the number of marked frames.
	Marks float64
	// Values are the metrics by name; one that was not measured is not there.
	Values map[string]float64
}

// measured takes from a row what a search minds.
func measured(row *campaign.Row) *Measured {
	m := &Measured{Values: map[string]float64{}}
	for name, text := range row.Metrics {
		if v, err := text.Float64(); err == nil {
			m.Values[name] = v
		}
	}
	m.Marks = m.Values["marks"]
	switch {
	case !campaign.HasResult(row.Exit):
		m.Bad = row.Error
	case row.Verdict == result.Red.String():
		m.Bad = "red"
	case m.Values["incomplete"] > 0:
		m.Bad = "flows did not complete"
	}
	return m
}
