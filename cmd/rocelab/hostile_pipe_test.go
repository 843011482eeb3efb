//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The first Ctrl-C ends every wait for a pipe without a writer, and prints so. A pipe among the files of a run is
// refused without a wait.
func TestPipesWithoutAWriterEnd(t *testing.T) {
	s := newShell(t)
	s.write("fits.yaml", fits)
	s.run(0, "run", "fits.yaml", "--out", "a")
	if err := errors.Join(syscall.Mkfifo("pipe", 0o600), os.Rename("pipe", "a/manifest.json"),
		syscall.Mkfifo("pipe", 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"validate pipe", "run pipe", "algorithm replay pipe",
		"compare fits.yaml --algorithm pc4 --reference pipe"} {
		ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
		s.ctx = ctx
		s.run(130, strings.Fields(args)...)
		s.says(s.stderr, "rocelab: interrupted")
		end()
	}
	s.ctx = t.Context()
	s.run(2, "validate", "fits.yaml", "--algorithm", "pidnn:weights=pipe")
	s.says(s.stderr, "pipe is a pipe or a device; expected a file")
	s.run(2, "report", "a") // a run folder has files
	s.says(s.stderr, "manifest.json is a folder, a pipe or a device; expected a file")
}
