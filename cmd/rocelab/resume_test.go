package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// stopping cancels a command once it has printed a number of lines with some words.
type stopping struct {
	bytes.Buffer
	words  string
	lines  int
	cancel func()
}

func (s *stopping) Write(text []byte) (int, error) {
	n, err := s.Buffer.Write(text)
	if strings.Count(s.String(), s.words) >= s.lines {
		s.cancel()
	}
	return n, err
}

// A command that is interrupted resumes when it is given again, and its output is that of one that was not interrupted,
// to the byte; none of the kept results are left then. Tier: -short. Red if nothing is kept, if the kept results ignore
// the seed, and if the files of a kept run are not those of the run.
func TestInterruptedCommandsResume(t *testing.T) {
	for _, c := range []struct {
		args []string
		// words are in each line of a run that has ended, made of one that was made in the second attempt.
		words string
		// removed is a path that the first attempt leaves and the second does not take.
		removed string
	}{
		{args: []string{"run", "incast.yaml", "--seeds", "4", "--variant", "fixed", "--out", "out"}, removed: "out"},
		{args: []string{"compare", "incast.yaml", "--algorithm", "dcqcn,fixed", "--seeds", "2", "--jobs", "1"}},
		{args: []string{"compare", "incast.yaml", "--algorithm", "dcqcn,fixed", "--seeds", "3", "--jobs", "2", "--format",
			"json"}},
		{args: []string{"tune", "switch.ecn.kmin=20KB,40KB", "incast.yaml", "--variant", "dcqcn", "--seeds", "2",
			"--jobs", "1", "--holdout", "101", "--budget", "6"}},
		{args: []string{"sweep", "incast.yaml", "--grid", "switch.ecn.kmin=20KB,40KB", "--seeds", "2", "--jobs", "1",
			"--out", "out"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			run := func(ctx context.Context, stderr *stopping) (code int, out string) {
				var stdout bytes.Buffer
				code = execute(ctx, append(c.args, "--progress", "plain"), &stdout, stderr)
				return code, stdout.String()
			}
			whole, first, second := &stopping{lines: 1 << 20}, &stopping{words: " s  ", lines: 2}, &stopping{lines: 1 << 20}
			newShell(t)
			wantCode, want := run(t.Context(), whole)
			wantFiles := filesBelow(t, "out")

			newShell(t)
			ctx, cancel := context.WithCancel(t.Context())
			first.cancel = cancel
			if code, _ := run(ctx, first); code != 130 {
				t.Fatalf("exit code %d of an interrupted command: %s", code, first)
			}
			if c.removed != "" {
				os.RemoveAll(c.removed)
			}
			code, got := run(t.Context(), second)
			if code != wantCode || got != want {
				t.Errorf("exit code %d, want %d\n%s\nwithout an interruption\n%s", code, wantCode, got, want)
			}
			for name, text := range filesBelow(t, "out") {
				if wantFiles[name] != text {
					t.Errorf("%s differs", name)
				}
			}
			again, all := strings.Count(second.String(), " s  "), strings.Count(whole.String(), " s  ")
			if again > all-2 { // of two jobs the other may have ended, too
				t.Errorf("%d runs of %d were made again after 2\n%s", again, all, second)
			}
			if _, err := os.Stat(campaign.UnfinishedName); err == nil {
				t.Error("what is kept of an unfinished command stays when it is finished")
			}
		})
	}
}

// filesBelow are the files of a run folder or a sweep by their names, without the host's.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "host.json") || strings.Contains(name, "/log/") {
			return err
		}
		text, err := os.ReadFile(name)
		files[name] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}
