package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
)

// RowName is the file of a run's folder that has its row.
const RowName = "row.json"

// Row is the result of a run: all that a table of the sweep needs of it. It follows only from the run's content, so
// that every maker writes the same bytes.
type Row struct {
	ID ID `json:"id"`
	// Exit is the run's exit code: 0, 1 or 3 of a result, 2 or 5 of a run that has none and
	// is not tried again.
	Exit int `json:"exit"`
	// Verdict is the verdict of summary.json, Trace the hash of all frames, and Metrics the measured ones of the
	// summary, by name. A run without a result has none. The row is a file of the sweep's own, which outlives the run's
	// folder: emulator/runfolder does not read it.
	Verdict string                 `json:"verdict,omitempty"`
	Trace   string                 `json:"trace,omitempty"`
	Metrics map[string]json.Number `json:"metrics,omitempty"`
	// Error is the reason why there is no result.
	Error string `json:"error,omitempty"`
}

// HasResult reports whether an exit code is that of a run with a result.
func HasResult(code int) bool {
	return code == exit.CodePass || code == exit.CodeFailed || code == exit.CodeVerdict
}

// IsFinal reports whether a run that ended with a code is done: it has a result, or no try
// would give it one.
func IsFinal(code int) bool {
	return HasResult(code) || code == exit.CodeUsage || code == exit.CodePlugin
}

// readRow reads a row, which must be that of a run.
func readRow(text []byte, id ID) (*Row, error) {
	row := &Row{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(row); err != nil {
		return nil, err
	}
	switch {
	case row.ID != id:
		return nil, fmt.Errorf("it is the row of %q", string(row.ID))
	case !IsFinal(row.Exit):
		return nil, fmt.Errorf("it has exit code %d, which a finished run never has", row.Exit)
	case HasResult(row.Exit) && (row.Trace == "" || row.Verdict == "" || row.Metrics == nil):
		return nil, errors.New("it lacks verdict, trace or metrics")
	}
	return row, nil
}

// RowOf is the row of a run that has a result.
func RowOf(id ID, run *Run) *Row {
	inside := run.Verdict.Inside()
	row := &Row{
		ID:      id,
		Exit:    result.ExitCode(run.Verdict),
		Verdict: inside.Status.String(),
		Trace:   fmt.Sprintf("%016x", run.Summary.Trace),
		Metrics: map[string]json.Number{},
	}
	for _, m := range result.MetricsOf(run.Summary) {
		if text := m.Format(m.Of(run.Summary)); text != "" {
			row.Metrics[m.Name] = json.Number(text)
		}
	}
	return row
}

// ExitCode is the gravest of a sweep's runs as far as they are done; see exit.Gravest.
func ExitCode(rows []*Row) int {
	code := exit.CodePass
	for _, row := range rows {
		if row != nil {
			code = exit.Gravest(code, row.Exit)
		}
	}
	return code
}
