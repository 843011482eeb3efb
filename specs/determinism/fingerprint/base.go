package fingerprint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
)

// Run is a run whose trace changed.
type Run struct {
	// Scenario is its file: below the tree's root, or a path from / for one that is the same in every tree.
	Scenario string
	// Flags are the flags of rocelab run, with the seed.
	Flags []string
	// Stored is the trace that it had.
	Stored string
}

// Builder makes the program of a tree and of a commit before, and compares them. A hash has no frames: to name the
// first one that differs, the run is made by a program that still gives the stored trace.
type Builder struct {
	// Top is the root of the tree, in a repository, and Folder a new one for the built files. An existing program is
	// not built again.
	Top, Folder string
	// Flags are more flags for the build of the tree.
	Flags []string
}

// FirstFrame returns the first difference between a run of the tree and of the last commit which gives the stored
// trace, as printed by `rocelab diff --with`, or the reason why it is not known. The candidate commits are ROCELAB_BASE
// if that is set, else HEAD, the one before it, and the last one that stored traces.
func (b *Builder) FirstFrame(ctx context.Context, run Run) string {
	text, err := b.firstFrame(ctx, run)
	if err != nil {
		return "The first frame that differs is not known: " + err.Error()
	}
	return text
}

func (b *Builder) firstFrame(ctx context.Context, run Run) (string, error) {
	commits, err := b.commits(ctx)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(b.Folder, "runs")
	if err != nil {
		return "", err
	}
	program, now := filepath.Join(b.Folder, "rocelab"), filepath.Join(folder, "now")
	if err := build(ctx, b.Top, program, b.Flags...); err != nil {
		return "", err
	}
	trace, err := run.make(ctx, program, b.Top, now)
	if err != nil {
		return "", err
	}
	if trace == run.Stored {
		return "", errors.New("the program that is built here gives the stored trace: the test was built in another way")
	}
	var others []string
	for _, commit := range commits {
		tree, was := filepath.Join(b.Folder, commit), filepath.Join(folder, commit)
		base := tree + ".rocelab"
		err := b.unpack(ctx, commit, tree)
		if err == nil {
			err = build(ctx, tree, base)
		}
		if err == nil {
			trace, err = run.make(ctx, base, tree, was)
		}
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil:
			others = append(others, fmt.Sprintf("%s cannot make it (%v)", commit, err))
			continue
		case trace != run.Stored:
			others = append(others, fmt.Sprintf("%s gives %s", commit, trace))
			continue
		}
		out, err := output(ctx, folder, program, "diff", was, now, "--with", base)
		if ended := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &ended) || ended.ExitCode() != exit.CodeFailed) {
			return "", err
		}
		return fmt.Sprintf("Commit %s gives the stored trace: A is its run, B that of this tree.\n%s", commit,
			strings.ReplaceAll(out, folder+"/", "")), nil
	}
	return "", fmt.Errorf(
		"no commit that was tried gives the stored trace %s: %s. ROCELAB_BASE=COMMIT names one that does",
		run.Stored, strings.Join(others, "; "))
}

// commits returns the commits that may give the stored trace.
func (b *Builder) commits(ctx context.Context) (list []string, err error) {
	names := []string{"HEAD", "HEAD~1"}
	if base := os.Getenv("ROCELAB_BASE"); base != "" {
		names = []string{base}
	} else if last, err := output(ctx, b.Top, "git", "log", "-1", "--format=%H", "--",
		"*/testdata/traces.txt"); err == nil &&
		strings.TrimSpace(last) != "" {
		names = append(names, strings.TrimSpace(last))
	}
	for _, name := range names {
		commit, failed := output(ctx, b.Top, "git", "rev-parse", "--verify", "--quiet", name+"^{commit}")
		if failed != nil {
			err = fmt.Errorf("git knows no commit %s here: %w", name, failed)
			continue
		}
		if commit = strings.TrimSpace(commit)[:12]; !slices.Contains(list, commit) {
			list = append(list, commit)
		}
	}
	if len(list) > 0 {
		err = nil
	}
	return list, err
}

// unpack writes the tree of a commit into a folder, unless it is there.
func (b *Builder) unpack(ctx context.Context, commit, folder string) error {
	if err := os.Mkdir(folder, 0o755); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	archive := folder + ".tar"
	if _, err := output(ctx, b.Top, "git", "archive", "--format=tar", "-o", archive, commit); err != nil {
		return err
	}
	_, err := output(ctx, folder, "tar", "-xf", archive)
	return errors.Join(err, os.Remove(archive))
}

// build builds the program of a tree, without what it does not need for runs in memory, unless it is there.
func build(ctx context.Context, tree, program string, flags ...string) error {
	if _, err := os.Stat(program); err == nil {
		return nil
	}
	args := append([]string{"build", "-buildvcs=false", "-tags", "mem", "-o", program}, flags...)
	_, err := output(ctx, tree, "go", append(args, "./cmd/rocelab")...)
	return err
}

// make makes the run with the program of a tree, and returns its trace.
func (r *Run) make(ctx context.Context, program, tree, folder string) (trace string, err error) {
	scenario := r.Scenario
	if !filepath.IsAbs(scenario) {
		scenario = filepath.Join(tree, scenario)
	}
	args := append([]string{"run", scenario, "--out", folder, "--no-report", "--progress", "none"}, r.Flags...)
	_, err = output(ctx, filepath.Dir(folder), program, args...)
	manifest, failed := result.ReadManifest(os.DirFS(folder)) // whatever the verdict is, and so the exit code
	if failed != nil {
		return "", errors.Join(err, failed)
	}
	if len(manifest.Runs) != 1 {
		return "", fmt.Errorf("%d runs of %s, want 1", len(manifest.Runs), strings.Join(args, " "))
	}
	return manifest.Runs[0].Trace, nil
}

// output returns the output of a command; if it fails the error has its stderr.
func output(ctx context.Context, folder, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = folder, &stdout, &stderr
	if err := c.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s: %w: %s", filepath.Base(name), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}
