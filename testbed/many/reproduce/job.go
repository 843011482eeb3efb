package reproduce

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Site is where rows are carried out: how a scenario is read there, and how it is run.
type Site struct {
	// Parse reads a scenario with changes of its keys.
	Parse func(name string, text []byte, changes map[string]string) (*scenario.Scenario, error)
	// Identify, Bench and ExitCode are testbed/many/sweep's; Models is the version of the models.
	Identify sweep.Identify
	Bench    func(job int) (*sweep.Bench, error)
	ExitCode func(error) int
	Models   int
}

// Job is a row that is to be carried out in one form.
type Job struct {
	Row  *Row
	Full bool
	// Plan lists the runs, nil for a row that computes. Err is the reason why a row with a scenario has none.
	Plan *sweep.Plan
	Err  error

	unfinished *campaign.Unfinished
	site       *Site
	maker      *sweep.Maker
	source     []byte
	name       string
}

// Form is the form of the job: "quick" or "full".
func (j *Job) Form() string { return formName(j.Full) }

func (j *Job) form() *form { return j.Row.formOf(j.Full) }

// Plan plans a row in one form. Fault are further changes of the scenario, a deliberate fault;
// nil for none.
func (s *Site) Plan(row *Row, full bool, fault map[string]string) *Job {
	j := &Job{Row: row, Full: full, site: s}
	if row.Scenario != nil {
		j.Err = j.plan(fault)
	}
	return j
}

func (j *Job) plan(fault map[string]string) error {
	form := j.form()
	changes := maps.Clone(form.Set)
	if changes == nil {
		changes = map[string]string{}
	}
	maps.Copy(changes, fault)
	parsed, err := j.site.Parse(j.Row.scenarioFile(), j.Row.Scenario, changes)
	if err != nil {
		return err
	}
	asked, err := parsed.Sweep()
	if err != nil {
		return err
	}
	if err := j.ask(asked); err != nil {
		return err
	}
	// The settings of the sweep are all in asked, so the text does not need another form.
	changes["sweep"] = asked.YAML()
	whole, err := j.site.Parse(j.Row.scenarioFile(), j.Row.Scenario, changes)
	if err != nil {
		return err
	}
	j.maker = &sweep.Maker{Template: parsed.Template(), Identify: j.site.Identify, Models: j.site.Models}
	j.source, j.name = whole.Resolved(), parsed.Name
	if j.Plan, err = j.maker.Plan(asked, parsed.Seed, false); err != nil {
		return err
	}
	return j.sketch()
}

// sketch refuses a row that reads runs which are not among those that are planned, or whose criteria name a figure
// that it will not have: before the runs, and not after them.
func (j *Job) sketch() error {
	if j.Row.sketch == nil {
		return nil
	}
	planned := plannedResults(j)
	figures := j.Row.sketch(planned)
	if planned.err != nil {
		return planned.err
	}
	var missing []string
	for i := range j.Row.Criteria {
		if c := &j.Row.Criteria[i]; c.lacks != nil && (j.Full || !c.FullOnly) {
			missing = append(missing, c.lacks(Figures{list: figures}, j.Row.columnNames())...)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("criteria name figures that are not measured: %s", strings.Join(missing, "; "))
	}
	return nil
}

// ask has a sweep ask for what row and form say.
func (j *Job) ask(asked *scenario.Sweep) error {
	form := j.form()
	if len(form.Variants) > 0 {
		asked.Variants = form.Variants
	}
	for _, seeds := range [][]uint64{j.Row.Seeds, form.Seeds} {
		if len(seeds) > 0 {
			asked.Seeds = seeds
		}
	}
	for _, path := range slices.Sorted(maps.Keys(form.Grid)) {
		at := slices.IndexFunc(asked.Grid, func(axis scenario.Axis) bool { return axis.Path == path })
		if at < 0 {
			return fmt.Errorf("form %s has values of %s, which is not a key of the scenario's "+
				"sweep.grid", j.Form(), path)
		}
		asked.Grid[at].Values = nil
		for _, text := range form.Grid[path] {
			setting, err := scenario.NewSetting("form "+j.Form(), path, text)
			if err != nil {
				return err
			}
			asked.Grid[at].Values = append(asked.Grid[at].Values, setting)
		}
	}
	if len(j.Row.Columns) == 0 {
		return nil
	}
	rows := asked.List
	if len(rows) == 0 {
		rows = [][]scenario.Setting{nil}
	}
	asked.List = nil
	for i := range j.Row.Columns {
		column, err := j.Row.Columns[i].settings()
		if err != nil {
			return err
		}
		for _, row := range rows {
			asked.List = append(asked.List, slices.Concat(row, column))
		}
	}
	return nil
}

func (c *Column) settings() (list []scenario.Setting, err error) {
	for _, path := range slices.Sorted(maps.Keys(c.Set)) {
		setting, err := scenario.NewSetting("column "+c.Name, path, c.Set[path])
		if err != nil {
			return nil, err
		}
		list = append(list, setting)
	}
	return list, nil
}

// columnOf is the name of the column that a run is of.
func (j *Job) columnOf(run *sweep.Run) string {
	for i := range j.Row.Columns {
		column := &j.Row.Columns[i]
		settings, err := column.settings()
		if err == nil && !slices.ContainsFunc(settings, func(s scenario.Setting) bool { return run.Keys[s.Path] != s.Text }) {
			return column.Name
		}
	}
	return ""
}

// store returns the place of a job's runs: runs of all forms of a row in one folder, so that common runs are made once.
func (j *Job) store(out string) *campaign.Store {
	return campaign.NewStore(filepath.Join(out, cmp.Or(j.Row.Runs, j.Row.ID)))
}

// missing returns the runs that are not done yet, equal ones once.
func (j *Job) missing(out string) (ids []campaign.ID, err error) {
	if j.Plan == nil || j.Err != nil {
		return nil, nil
	}
	done, err := j.store(out).Done()
	if err != nil {
		return nil, err
	}
	for i := range j.Plan.Runs {
		if id := j.Plan.Runs[i].ID; !done[id] {
			done[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// seeds is the number of seeds of its runs.
func (j *Job) seeds() int {
	seen := map[uint64]bool{}
	for i := range j.Plan.Runs {
		seen[j.Plan.Runs[i].Seed] = true
	}
	return len(seen)
}

func (j *Job) runs() []*sweep.Run { return sweep.Whole.Runs(j.Plan) }

func (j *Job) runner(store *campaign.Store) *sweep.Runner {
	return &sweep.Runner{
		Folder: &sweep.Folder{
			Store:  store,
			About:  sweep.About{Scenario: j.name, Models: j.site.Models},
			Plan:   j.Plan,
			Source: j.source,
		},
		Maker:    j.maker,
		Bench:    j.site.Bench,
		ExitCode: j.site.ExitCode,
		Series:   j.records(),
	}
}

// records reports whether the runs keep their series. It is the same in all forms of a row, as
// a run has one name with and without.
func (j *Job) records() bool {
	parsed, err := j.site.Parse(j.Row.scenarioFile(), j.Row.Scenario, nil)
	if err != nil {
		return false
	}
	asked, err := parsed.Sweep()
	return err == nil && asked.Record
}

// write writes the request beside the results: the scenario, and the place of each run.
func (j *Job) write(dir string) error {
	var lines bytes.Buffer
	if err := j.Plan.Write(&lines); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := j.Form()
	if j.Row.Runs != "" {
		name = j.Row.ID + "-" + name
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, name+".yaml"), j.source, 0o666),
		os.WriteFile(filepath.Join(dir, name+".jsonl"), lines.Bytes(), 0o666),
	)
}

// believable returns why a run must not be believed, nil if it may be.
func (j *Job) believable(row *campaign.Row) error {
	switch {
	case row == nil:
		return errNotDone
	case !campaign.HasResult(row.Exit):
		return &invalidError{errors.New(row.Error)}
	case row.Exit != exit.CodePass && j.Row.Red == "":
		return fmt.Errorf("its verdict is %s", row.Verdict)
	}
	return nil
}

// errNotDone is the error for a run that was not made yet.
var errNotDone = errors.New("is not done")

// seconds returns the wall-clock time of a job's runs, one after the other, as far as their folders have it.
func (j *Job) seconds(store *campaign.Store) (sum float64) {
	counted := map[campaign.ID]bool{}
	for i := range j.Plan.Runs {
		id := j.Plan.Runs[i].ID
		if counted[id] {
			continue
		}
		counted[id] = true
		if host, err := result.ReadHost(os.DirFS(store.RunDir(id))); err == nil {
			for _, run := range host.Runs {
				sum += run.WallSeconds
			}
		}
	}
	return sum
}

// With is the job with a deliberate fault: changes of the scenario.
func (j *Job) With(fault map[string]string) *Job { return j.site.Plan(j.Row, j.Full, fault) }
