package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
)

// Experiment is what to do.
type Experiment struct {
	// Name is the scenario's, Digest the SHA-256 of Source, its text;
	// Overrides are what flags changed of it.
	Name, Digest string
	Source       []byte
	Overrides    []string
	// Seeds are run one after the other, each with all variants; empty for
	// the scenario's own.
	Seeds []uint64
	// Plans makes the variants' plans for a seed; nil means the scenario's.
	Plans func(seed *uint64) ([]*plan.Plan, error)
	// Variants names those to run; empty for all.
	Variants []string
	// Folder makes the run folder; nil for none.
	Folder func() (*result.Folder, error)
	// Capture has each run write capture.pcapng into its folder.
	Capture bool
	// Run is the runner.
	Run Runner
}

// Runner runs a plan, the number-th of total counted from 1, and writes its
// capture to capture where that is not nil. On cancellation it returns what there is, marked interrupted.
type Runner func(ctx context.Context, p *plan.Plan, number, total int, capture io.Writer) (*result.Outcome, error)

// UsageError is an experiment that cannot be as it was asked for.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Do carries the experiment out. With an error it may return a report of the
// runs that were done.
func (e *Experiment) Do(ctx context.Context) (*result.Report, error) {
	if e.Capture && e.Folder == nil {
		return nil, &UsageError{errors.New("a capture goes into the run folder, and there is none")}
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
	s := session{Experiment: e, report: &result.Report{Scenario: e.Name}, names: map[string]bool{}, total: len(seeds) * len(first)}
	if err := s.open(); err != nil {
		return nil, err
	}
	if err := s.all(ctx, seeds, first); err != nil {
		return s.report, s.discard(err)
	}
	return s.report, s.close()
}

// plans returns the plans of a seed that are to run.
func (e *Experiment) plans(seed *uint64) ([]*plan.Plan, error) {
	all, err := e.Plans(seed)
	if err != nil || len(e.Variants) == 0 {
		return all, err
	}
	var chosen []*plan.Plan
	for _, name := range e.Variants {
		found := false
		for _, p := range all {
			if p.Name == name {
				chosen, found = append(chosen, p), true
			}
		}
		if !found {
			var names []string
			for _, p := range all {
				names = append(names, p.Name)
			}
			return nil, &UsageError{fmt.Errorf("%s has no variant %q: it has %s", e.Name, name, strings.Join(names, ", "))}
		}
	}
	return chosen, nil
}

// session is an experiment under way.
type session struct {
	*Experiment
	report   *result.Report
	folder   *result.Folder
	manifest *result.Manifest
	// names are the subfolders used.
	names         map[string]bool
	number, total int
}

func (s *session) open() (err error) {
	if s.Folder == nil {
		return nil
	}
	if s.folder, err = s.Folder(); err != nil {
		return err
	}
	s.report.Folder = s.folder.Dir()
	s.manifest = result.NewManifest(s.Name, s.Digest)
	s.manifest.Overrides = s.Overrides
	err = s.folder.Write("scenario.yaml", func(w io.Writer) error { _, err := w.Write(s.Source); return err })
	if err != nil {
		return s.discard(err)
	}
	return nil
}

// all runs every seed's plans; first are those of the first seed.
func (s *session) all(ctx context.Context, seeds []*uint64, first []*plan.Plan) error {
	for i, seed := range seeds {
		plans, err := first, error(nil)
		if i > 0 {
			if plans, err = s.plans(seed); err != nil {
				return err
			}
		}
		for j, p := range plans {
			interrupted, err := s.one(ctx, p)
			if err != nil {
				return err
			}
			if interrupted {
				s.skip(seeds[i:], plans, j+1)
				return nil
			}
		}
	}
	return nil
}

// skip notes the runs that an interruption left no time for: of the first of
// the seeds the plans from there on, of the others all.
func (s *session) skip(seeds []*uint64, plans []*plan.Plan, from int) {
	for _, seed := range seeds {
		for _, p := range plans[from:] {
			name := p.Name
			if len(s.Seeds) > 1 {
				name = strings.TrimSpace(fmt.Sprintf("%s seed %d", name, *seed))
			}
			s.report.NotRun = append(s.report.NotRun, name)
		}
		from = 0
	}
	if s.manifest != nil {
		s.manifest.NotRun = s.report.NotRun
	}
}

// one runs a plan, judges and writes it.
func (s *session) one(ctx context.Context, p *plan.Plan) (interrupted bool, err error) {
	s.number++
	sub := s.subfolder(p)
	o, err := s.capture(ctx, p, sub)
	if err != nil {
		if p.Name != "" {
			err = fmt.Errorf("variant %s: %w", p.Name, err)
		}
		return false, err
	}
	summary := result.Summarise(o)
	verdict := result.Judge(o, summary)
	s.report.Runs = append(s.report.Runs, result.Run{Summary: summary, Verdict: verdict, Remarks: o.Remarks})
	if s.folder == nil {
		return o.Interrupted, nil
	}
	s.manifest.Add(sub, o, summary, verdict)
	return o.Interrupted, s.folder.Variant(sub, o, summary, verdict)
}

// capture runs p, with its capture in the folder where one is wanted.
func (s *session) capture(ctx context.Context, p *plan.Plan, sub string) (*result.Outcome, error) {
	if !s.Capture {
		return s.Run(ctx, p, s.number, s.total, nil)
	}
	name := "capture.pcapng"
	if sub != "" {
		name = sub + "/" + name
	}
	to, err := s.folder.Open(name)
	if err != nil {
		return nil, err
	}
	o, err := s.Run(ctx, p, s.number, s.total, to)
	if closed := to.Close(); err == nil {
		err = closed
	}
	return o, err
}

// subfolder names the place of a run: the top for the only one, otherwise the
// variant, and the seed below it where there are several.
func (s *session) subfolder(p *plan.Plan) string {
	if s.total == 1 {
		return ""
	}
	name := clean(p.Name)
	if len(s.Seeds) > 1 {
		name = strings.TrimPrefix(fmt.Sprintf("%s/seed-%d", name, p.Seed), "/")
	}
	for base, n := name, 2; s.names[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	s.names[name] = true
	return name
}

// clean makes a variant's name safe as a folder's.
func clean(name string) string {
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

func (s *session) close() error {
	if s.folder == nil {
		return nil
	}
	if err := s.folder.Close(s.manifest); err != nil {
		return s.discard(err)
	}
	return nil
}

// discard removes the unfinished folder and returns err.
func (s *session) discard(err error) error {
	s.report.Folder = ""
	if s.folder == nil {
		return err
	}
	return errors.Join(err, s.folder.Discard())
}
