package sweep

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// The words of a table for runs without a result.
const (
	stateMissing = "missing" // not done yet
	stateDamaged = "damaged" // what is under its name is no result
	stateError   = "error"   // its values or its algorithm are at fault: none will come
)

// Line is a run in a table. Its JSON is the line of JSON Lines.
type Line struct {
	Run  int               `json:"run"`
	ID   campaign.ID       `json:"id"`
	Keys map[string]string `json:"keys"`
	// Variant is "" in a scenario without variants.
	Variant string `json:"variant"`
	Seed    uint64 `json:"seed"`
	// Verdict is the run's, or one of the states of a run without.
	Verdict string                 `json:"verdict"`
	Exit    *int                   `json:"exit"`
	Trace   string                 `json:"trace,omitempty"`
	Metrics map[string]json.Number `json:"metrics,omitempty"`
	Error   string                 `json:"error,omitempty"`
	*MadeBy
}

// MadeBy is the host's part.
type MadeBy struct {
	Host        string  `json:"host"`
	Tries       int     `json:"tries"`
	WallSeconds float64 `json:"wall_s"`
}

// Lines are a folder's runs in the order of its plan, including host data if requested. Without it they follow only
// from the results: they are the same for any makers of the runs, on any machines.
func (f *Folder) Lines(withHost bool) ([]Line, error) {
	var tries map[campaign.ID][]campaign.Try
	if withHost {
		var err error
		if tries, err = f.Tries(); err != nil {
			return nil, exit.Host(err)
		}
	}
	lines := make([]Line, 0, len(f.Plan.Runs))
	for i := range f.Plan.Runs {
		run := &f.Plan.Runs[i]
		line := Line{
			Run:     run.Index,
			ID:      run.ID,
			Keys:    run.Keys,
			Variant: run.Variant,
			Seed:    run.Seed,
		}
		row, err := f.Row(run.ID)
		var damaged *campaign.DamagedError
		switch {
		case errors.As(err, &damaged):
			line.Verdict, line.Error = stateDamaged, damaged.Err.Error()
		case row == nil:
			line.Verdict = stateMissing
		default:
			line.Verdict, line.Exit, line.Error = row.Verdict, &row.Exit, row.Error
			line.Trace, line.Metrics = row.Trace, row.Metrics
			if !campaign.HasResult(row.Exit) {
				line.Verdict = stateError
			}
		}
		if withHost {
			made, count := campaign.Made(tries[run.ID])
			line.MadeBy = &MadeBy{made.Host, count, made.WallSeconds}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// Table is the lines of a sweep as rows of cells.
type Table struct {
	Lines []Line
	// Keys are the columns of the sweep's keys, Metrics the columns of metrics.
	Keys    []string
	Metrics []result.Metric
}

// PerJob returns metrics for a table of these lines: in the place of an average over jobs it has the metric of each job
// of runs with several.
func PerJob(metrics []result.Metric, lines []Line) []result.Metric {
	return result.PerJob(metrics, jobsOf(lines))
}

// AllMetrics are the metrics of these lines: the metrics of all runs, and after them the metrics of each job of runs
// with several.
func AllMetrics(lines []Line) []result.Metric {
	all := result.Metrics()
	for _, m := range PerJob(result.Metrics(), lines) {
		if !slices.ContainsFunc(all, func(known result.Metric) bool { return known.Name == m.Name }) {
			all = append(all, m)
		}
	}
	return all
}

// jobsOf are the jobs of runs that have several, sorted.
func jobsOf(lines []Line) (jobs []string) {
	for i := range lines {
		jobs = append(jobs, result.JobsNamed(maps.Keys(lines[i].Metrics))...)
	}
	slices.Sort(jobs)
	return slices.Compact(jobs)
}

// WriteJSONLines writes a line for each run.
func (t *Table) WriteJSONLines(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	for i := range t.Lines {
		if err := encoder.Encode(&t.Lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// Sheet is the content of CSV: the titles, and a row for each run.
func (t *Table) Sheet() [][]string {
	rows := [][]string{t.titles()}
	for i := range t.Lines {
		rows = append(rows, t.cells(&t.Lines[i]))
	}
	return rows
}

// Grid is the table for a person, without columns that are empty in all rows.
func (t *Table) Grid() *page.Table {
	titles := t.titles()
	rows := make([][]string, len(t.Lines))
	filled := make([]bool, len(titles))
	for i := range t.Lines {
		rows[i] = t.cells(&t.Lines[i])
		for column, text := range rows[i] {
			filled[column] = filled[column] || text != ""
		}
	}
	kept := func(cells []string) (list []string) {
		for column, text := range cells {
			if filled[column] {
				list = append(list, text)
			}
		}
		return list
	}
	table := page.New(kept(titles)...)
	for i, row := range rows {
		cells := page.Text(kept(row)...)
		for column := range cells {
			cells[column].Text = t.Lines[i].figure(table.Columns[column].Title, cells[column].Text)
		}
		table.Rows = append(table.Rows, cells)
	}
	table.AlignFigures()
	table.ExplainEdges()
	return table
}

// figure is a cell for a person: of a metric a figure with its unit, and the sign of the edge that it is.
func (l *Line) figure(title, text string) string {
	m, isMetric := result.MetricOf(title)
	value, measured := l.value(title)
	if !isMetric || !measured {
		return text
	}
	return m.EdgeOf(l.value).Text(m, value)
}

// value is a metric of the run; false if it was not measured.
func (l *Line) value(metric string) (value float64, measured bool) {
	value, err := l.Metrics[metric].Float64()
	return value, err == nil
}

func (t *Table) titles() []string {
	titles := append([]string{"run"}, t.Keys...)
	titles = append(titles, "variant", "seed", "verdict", "exit")
	for _, m := range t.Metrics {
		titles = append(titles, m.Name)
	}
	titles = append(titles, "trace", "error")
	if t.withHost() {
		titles = append(titles, "host", "tries", "wall_s")
	}
	return titles
}

func (t *Table) withHost() bool { return len(t.Lines) > 0 && t.Lines[0].MadeBy != nil }

func (t *Table) cells(line *Line) []string {
	cells := []string{strconv.Itoa(line.Run)}
	for _, key := range t.Keys {
		cells = append(cells, line.Keys[key])
	}
	exit := ""
	if line.Exit != nil {
		exit = strconv.Itoa(*line.Exit)
	}
	cells = append(cells, line.Variant, strconv.FormatUint(line.Seed, 10), line.Verdict, exit)
	for _, m := range t.Metrics {
		cells = append(cells, string(line.Metrics[m.Name]))
	}
	cells = append(cells, line.Trace, line.Error)
	if made := line.MadeBy; made != nil {
		cells = append(cells, made.Host, strconv.Itoa(made.Tries), strconv.FormatFloat(made.WallSeconds, 'f', 3, 64))
	}
	return cells
}

// Status is the progress of a sweep.
type Status struct {
	Scenario string `json:"scenario"`
	Runs     int    `json:"runs"`
	Done     int    `json:"done"`
	// Verdicts counts the runs with a result by their verdicts.
	Verdicts map[string]int `json:"verdicts"`
	// Errors are runs that will have no result, Missing runs to be made, Damaged runs whose folder is not a valid
	// result.
	Errors  int      `json:"errors"`
	Missing int      `json:"missing"`
	Damaged []string `json:"damaged"`
	// AtWork are the processes that write, or were killed.
	AtWork []string `json:"at_work"`
}

// Status looks how far the sweep is.
func (f *Folder) Status() (*Status, error) {
	lines, err := f.Lines(false)
	if err != nil {
		return nil, err
	}
	s := &Status{
		Scenario: f.About.Scenario,
		Runs:     len(lines),
		Verdicts: map[string]int{},
		Damaged:  []string{},
		AtWork:   append([]string{}, f.Left()...),
	}
	for i := range lines {
		switch line := &lines[i]; line.Verdict {
		case stateMissing:
			s.Missing++
		case stateDamaged:
			s.Damaged = append(s.Damaged, f.RunDir(line.ID))
		case stateError:
			s.Errors++
			s.Done++
		default:
			s.Verdicts[line.Verdict]++
			s.Done++
		}
	}
	return s, nil
}
