package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Verified is a run that was made again.
type Verified struct {
	Run *Run
	// Differences list the changes; none for a run with the same result.
	Differences []string
}

// Choose chooses count of the runs that have a result, or all if they are fewer: for a seed always the same.
func (r *Runner) Choose(runs []*Run, count int, seed uint64) (chosen []*Run, err error) {
	for _, run := range runs {
		row, err := r.Folder.Row(run.ID)
		if err == nil && row != nil && campaign.HasResult(row.Exit) {
			chosen = append(chosen, run)
		}
	}
	draws := chance.New(seed, "sweep verify")
	for i := range min(count, len(chosen)) {
		j := draws.Between(int64(i), int64(len(chosen)-1))
		chosen[i], chosen[j] = chosen[j], chosen[i]
	}
	return chosen[:min(count, len(chosen))], nil
}

// Verify makes runs again, one after the other, and compares the results with the present ones: row and files, except
// the host's. It calls tell with each as it is done.
func (r *Runner) Verify(ctx context.Context, runs []*Run, tell func(Verified)) error {
	if err := r.Folder.Open(); err != nil {
		return exit.Host(err)
	}
	err := func() error {
		for _, run := range runs {
			found, err := r.verify(ctx, run)
			if err != nil || ctx.Err() != nil {
				return err
			}
			tell(Verified{run, found})
		}
		return nil
	}()
	return errors.Join(err, exit.Host(r.Folder.Close()))
}

func (r *Runner) verify(ctx context.Context, run *Run) (found []string, err error) {
	there := os.DirFS(r.Folder.RunDir(run.ID))
	if err := result.Check(there); err != nil {
		return []string{err.Error()}, nil
	}
	was, err := result.ReadManifest(there)
	if err != nil {
		return nil, err
	}
	row, err := r.Folder.Row(run.ID)
	if err != nil {
		return nil, err
	}
	staged, err := r.Folder.Stage(run.ID)
	if err != nil {
		return nil, exit.Host(err)
	}
	defer func() { err = errors.Join(err, exit.Host(campaign.RemoveStaged(staged))) }()
	again := &Runner{
		Folder:   r.Folder,
		Maker:    r.Maker,
		Bench:    r.Bench,
		ExitCode: r.ExitCode,
		Series:   slices.ContainsFunc(was.Files, isSeries),
		Say:      r.Say,
	}
	now, code, err := again.carryOut(ctx, run, 0, staged, nil)
	switch {
	case err != nil || ctx.Err() != nil:
		return nil, err
	case !campaign.HasResult(code):
		return []string{fmt.Sprintf("it has exit code %d, and had %d", code, row.Exit)}, nil
	}
	manifest, err := result.ReadManifest(os.DirFS(staged))
	if err != nil {
		return nil, err
	}
	if now.Trace != row.Trace {
		found = append(found, fmt.Sprintf("its trace is %s, and was %s", now.Trace, row.Trace))
	}
	if now.Exit != row.Exit || now.Verdict != row.Verdict {
		found = append(found, fmt.Sprintf("it is %s (%d), and was %s (%d)", now.Verdict, now.Exit, row.Verdict, row.Exit))
	}
	for _, m := range result.Metrics() {
		if a, b := row.Metrics[m.Name], now.Metrics[m.Name]; a != b {
			found = append(found, fmt.Sprintf("its %s in %s is %q, and was %q", m.Name, campaign.RowName, b, a))
		}
	}
	return append(found, compareFiles(was.Files, manifest.Files)...), nil
}

func isSeries(file result.FileSum) bool { return strings.HasPrefix(path.Base(file.Name), "series_") }

// compareFiles compares the files of two folders of a run. The scenario is not what came out:
// it may be written in another way and be the same.
func compareFiles(was, now []result.FileSum) (found []string) {
	sums := map[string]string{}
	for _, file := range now {
		sums[file.Name] = file.SHA256
	}
	for _, file := range was {
		sum, ok := sums[file.Name]
		delete(sums, file.Name)
		if extension := filepath.Ext(file.Name); extension == ".yaml" {
			continue
		}
		switch {
		case !ok:
			found = append(found, file.Name+" is missing")
		case sum != file.SHA256:
			found = append(found, file.Name+" differs")
		}
	}
	for _, file := range now {
		if _, left := sums[file.Name]; left {
			found = append(found, file.Name+" is new")
		}
	}
	return found
}
