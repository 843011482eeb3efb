package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// watchedIncast runs for a minute and more.
const watchedIncast = `name: long
algorithm: dcqcn
topology: {kind: star, hosts: 17}
traffic: [{kind: incast, senders: 16, receiver: h16, size: 100GB}]
`

// A run that is killed leaves its last state, whose lines can be read.
func TestKilledRunLeavesItsLastState(t *testing.T) {
	s := newShell(t)
	s.write("long.yaml", watchedIncast)
	cmd, _, stderr := s.program("run", "long.yaml", "--out", "killed", "--progress", "none")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	path := filepath.Join("killed.part", progressfile.File)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for !exists(path) && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	var seen progressfile.Line
	enough := errors.New("enough")
	err := progressfile.Follow(ctx, path, func(l progressfile.Line) error {
		if seen = l; l.Marks > 0 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatalf("%v: %s", err, stderr)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	lines, err := progressfile.Read(path)
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	last := lines[len(lines)-1]
	if last.Model < seen.Model || last.DeliveredBytes < seen.DeliveredBytes || last.Run != "long" || last.Ended != "" ||
		last.Scenario != "long" || last.Runner != "mem" || last.Flows != 16 {
		t.Errorf("%+v", last)
	}
	if _, err := os.Stat("killed"); err == nil {
		t.Error("the folder has its name")
	}
}
