package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// Experiment describes an experiment.
type Experiment struct {
	// Name is the scenario's, Digest the SHA-256 of Source, its text; Overrides are the values that flags changed, by
	// path, and Resolved is the text with them written into it.
	Name, Digest     string
	Source, Resolved []byte
	Overrides        map[string]string
	// Seeds are run one after the other, each with all variants; empty for
	// the scenario's own.
	Seeds []uint64
	// Plans makes the variants' plans for a seed; nil means the scenario's.
	Plans func(seed *uint64) ([]*plan.Plan, error)
	// Variants names those to run; empty for all.
	Variants []string
	// Folder makes the run folder; nil for none.
	Folder func() (*result.Folder, error)
	// Capture makes each run write capture.pcapng into its folder.
	Capture bool
	// Run is the runner.
	Run Runner
	// Algorithms returns the algorithms of a plan's flows, for the manifest; nil for none. It is called before the run.
	Algorithms func(*plan.Plan) ([]result.Algorithm, error)
	// Printed returns what the programs of algorithms have printed, by the names of
	// their logs; nil for nothing.
	Printed func() map[string][]byte
	// Page writes the page of a run folder that is complete otherwise; nil for no page. A folder without one is whole.
	Page func(folder *result.Folder, manifest *result.Manifest)
	// Meter may be nil. Unfinished keeps runs until all are done, under the names that ID gives them; nil for none. It
	// does not keep files that others write, such as captures.
	Meter      *campaign.Meter
	Unfinished *campaign.Unfinished
	ID         func(*plan.Plan) (campaign.ID, error)
	// Live, if not nil, makes the run folder have a file of telemetry as long as it is written, and receives the
	// errors of that. Runner is the value of Run in its lines: mem, veth or live.
	Live   func(error)
	Runner string
}

// Runner runs a plan. On cancellation it returns what there is, marked
// interrupted.
type Runner func(context.Context, Task) (*result.Outcome, error)

// Task is a plan to run.
type Task struct {
	Plan *plan.Plan
	// Number counts the experiment's runs, from 1 to Total.
	Number, Total int
	// Folder is the run's place in the run folder: the variant's, and of several
	// seeds the seed's below it.
	Folder string
	// Capture takes the run's capture; nil for none.
	Capture io.Writer
	// HandOver begins a file of the run's folder that others write; nil where there is no
	// folder. See result.Folder.
	HandOver func(name string) (*os.File, error)
	// Progress, if not nil, receives the progress of the run.
	Progress func(model.Progress)
}

// Do carries the experiment out. With an error it may return a report of the
// runs that were done.
func (e *Experiment) Do(ctx context.Context) (*Report, error) {
	if e.Capture && e.Folder == nil {
		return nil, exit.Usage(errors.New("a capture goes into the run folder, and there is none"))
	}
	seeds := []*uint64{nil}
	if len(e.Seeds) > 0 {
		seeds = seeds[:0]
		for i := range e.Seeds {
			seeds = append(seeds, &e.Seeds[i])
		}
	}
	first, err := e.plans(seeds[0])
	if err != nil {
		return nil, err
	}
	s := session{
		Experiment: e,
		report:     &Report{Scenario: e.Name, Overrides: e.Overrides},
		names:      map[string]bool{},
		total:      len(seeds) * len(first),
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	m := campaign.Matrix{Cells: s.cells(seeds, first), Partial: true, Meter: e.Meter, Unfinished: e.Unfinished}
	notRun, err := m.Do(ctx)
	var fault *model.AlgorithmError
	if err != nil && !errors.As(err, &fault) {
		return s.report, s.discard(err)
	}
	s.report.NotRun = notRun
	return s.report, errors.Join(err, s.close(err))
}

// plans returns the plans of a seed that are to run.
func (e *Experiment) plans(seed *uint64) ([]*plan.Plan, error) {
	all, err := e.Plans(seed)
	if err != nil {
		return nil, err
	}
	return Chosen(e.Name, all, e.Variants)
}

// session is an experiment under way.
type session struct {
	*Experiment
	report   *Report
	folder   *result.Folder
	manifest *result.Manifest
	// live writes the folder's telemetry, nil if there is none.
	live *progressfile.Writer
	// names are the subfolders used.
	names map[string]bool
	total int
}

func (s *session) open() (err error) {
	if s.Folder == nil {
		return nil
	}
	if s.folder, err = s.Folder(); err != nil {
		return err
	}
	s.report.Folder = s.folder.Dir()
	if s.Live != nil {
		s.live = progressfile.NewWriter(s.folder.Part())
	}
	s.manifest = result.NewManifest(s.Name, s.Digest, model.Version)
	s.manifest.Overrides = s.Overrides
	for _, file := range []struct {
		name string
		text []byte
	}{{"scenario.yaml", s.Source}, {"resolved.yaml", s.Resolved}} {
		err := s.folder.Write(file.name, func(w io.Writer) error { _, err := w.Write(file.text); return err })
		if err != nil {
			return s.discard(err)
		}
	}
	return nil
}

// cells returns the runs: the plans of every seed; first are the first seed's.
func (s *session) cells(seeds []*uint64, first []*plan.Plan) (cells []campaign.Cell) {
	plans := first
	for i, seed := range seeds {
		for j, p := range first {
			number := len(cells) + 1
			name, title := p.Name, p.Name
			if len(s.Seeds) > 1 {
				name = strings.TrimSpace(fmt.Sprintf("%s seed %d", name, *seed))
			}
			if s.total > 1 {
				title = strings.TrimSpace(fmt.Sprintf("%s (%d of %d)", title, number, s.total))
			}
			var sub string
			var algorithms []result.Algorithm
			var watch *watched
			cells = append(cells, campaign.Cell{
				Name:  name,
				Title: title,
				Plan: func() (p *plan.Plan, err error) {
					if i > 0 && j == 0 {
						if plans, err = s.plans(seed); err != nil {
							return nil, err
						}
					}
					sub = s.subfolder(plans[j])
					return plans[j], nil
				},
				Run: func(ctx context.Context, p *plan.Plan, _ int, progress func(model.Progress)) (
					_ *result.Outcome, err error) {
					if algorithms, err = s.algorithms(p); err != nil {
						return nil, err
					}
					progress, watch = s.watch(sub, p, progress)
					o, err := s.capture(ctx, Task{
						Plan:     p,
						Number:   number,
						Total:    s.total,
						Folder:   sub,
						HandOver: s.handOver(sub),
						Progress: progress,
					})
					if err != nil && p.Name != "" {
						err = fmt.Errorf("variant %s: %w", p.Name, err)
					}
					return o, err
				},
				Keep: func(o *result.Outcome, run campaign.Run) error {
					watch.end(&run.Verdict)
					return s.keep(o, run, sub, algorithms)
				},
				ID:    s.ID,
				Save:  s.save,
				Adopt: func(files string, done *campaign.Done) error { return s.adopt(files, done, sub) },
			})
		}
	}
	return cells
}

// keep reports a run and writes it.
func (s *session) keep(o *result.Outcome, run campaign.Run, sub string, algorithms []result.Algorithm) error {
	run.Summary.Overrides, run.Summary.Models = s.Overrides, model.Version
	s.report.Runs = append(s.report.Runs, run)
	if s.folder == nil {
		return nil
	}
	s.manifest.Add(sub, o, run.Summary, run.Verdict, algorithms)
	return s.folder.WriteRun(sub, o, run.Summary, run.Verdict)
}

// save describes the files of the run that was kept last. Without a folder it has none.
func (s *session) save() (*result.Written, func(dir string) error) {
	if s.folder == nil {
		return &result.Written{}, nil
	}
	written := s.folder.Written(s.manifest)
	return written, func(dir string) error { return s.folder.Save(written, dir) }
}

// adopt takes over a run that was done before, with its files, into this command's subfolder: another command may have
// had another name for it.
func (s *session) adopt(files string, done *campaign.Done, sub string) error {
	if s.folder != nil {
		if done.Written == nil || len(done.Written.Files) == 0 {
			return errors.New("it was made without files")
		}
		done.Written.Run.Folder, done.Written.Host.Folder = sub, sub
		err := s.folder.Adopt(done.Written, files, done.Run.Summary, s.manifest, model.Sheets())
		if err != nil {
			return err
		}
	}
	s.report.Runs = append(s.report.Runs, done.Run)
	return nil
}

// algorithms returns the algorithms of a plan, if they are needed.
func (s *session) algorithms(p *plan.Plan) ([]result.Algorithm, error) {
	if s.Algorithms == nil || s.folder == nil {
		return nil, nil
	}
	return s.Algorithms(p)
}

// capture runs a plan, with its capture in the folder where one is wanted.
func (s *session) capture(ctx context.Context, t Task) (*result.Outcome, error) {
	if !s.Capture {
		return s.Run(ctx, t)
	}
	to, err := s.folder.Open(t.Folder + "/" + result.CaptureName)
	if err != nil {
		return nil, err
	}
	t.Capture = to
	o, err := s.Run(ctx, t)
	if closed := to.Close(); err == nil {
		err = closed
	}
	return o, err
}

// handOver begins files in a run's folder.
func (s *session) handOver(sub string) func(name string) (*os.File, error) {
	if s.folder == nil {
		return nil
	}
	return func(name string) (*os.File, error) { return s.folder.HandOver(sub + "/" + name) }
}

// subfolder names the place of a run: the variant, and the seed below it if there are several.
func (s *session) subfolder(p *plan.Plan) string {
	name := folderName(result.VariantOf(p))
	if len(s.Seeds) > 1 {
		name = fmt.Sprintf("%s/seed-%d", name, p.Seed)
	}
	for base, n := name, 2; s.names[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	s.names[name] = true
	return name
}

// folderName makes a variant's name safe as a folder's.
func folderName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+", r) {
			return r
		}
		return '_'
	}, name)
	if strings.Trim(safe, ".") == "" && safe != "" {
		return "_" + safe
	}
	return safe
}

// close finishes the folder; fault is the algorithm's that ended the experiment, nil for none. The algorithm's inputs
// and output are then what its author needs.
func (s *session) close(fault error) error {
	if s.folder == nil {
		return nil
	}
	s.manifest.NotRun = s.report.NotRun
	if fault != nil {
		s.manifest.Status, s.manifest.Host.Fault = result.StatusFailed, fault.Error()
	}
	err := s.writePrinted()
	if s.Page != nil && len(s.manifest.Runs) > 0 {
		s.folder.Last(func() { s.Page(s.folder, s.manifest) })
	}
	s.endLive()
	if err == nil {
		err = s.folder.Close(s.manifest)
	}
	if err != nil {
		return s.discard(err)
	}
	return nil
}

// writePrinted writes what programs printed into the folder.
func (s *session) writePrinted() error {
	if s.Printed == nil {
		return nil
	}
	texts := s.Printed()
	for _, log := range slices.Sorted(maps.Keys(texts)) {
		name, err := s.folder.WritePrinted(folderName(log), texts[log])
		if err != nil {
			return err
		}
		s.report.Printed = append(s.report.Printed, name)
	}
	return nil
}

// endLive takes the folder's telemetry away.
func (s *session) endLive() {
	if err := s.live.Close(); err != nil {
		s.Live(err)
	}
	s.live = nil
}

// discard removes the unfinished folder and returns err.
func (s *session) discard(err error) error {
	s.report.Folder = ""
	if s.folder == nil {
		return err
	}
	s.endLive()
	return errors.Join(err, s.folder.Discard())
}
