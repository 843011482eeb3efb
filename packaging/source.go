package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// source is a clone of the commit that is packed. Go's linker stamps programs
// with the commit in a clone, and not in a worktree; and what lies around
// uncommitted stays out.
type source struct {
	dir string
	// date is the date of everything in the packages, independent of the time of their making: SOURCE_DATE_EPOCH if it
	// is set, else the commit's. https://reproducible-builds.org/specs/source-date-epoch/
	date time.Time
}

// cloneHead clones the commit that is checked out in top.
func cloneHead(ctx context.Context, top, dir string) (*source, error) {
	dirty, err := git(ctx, top, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if dirty != "" {
		say("uncommitted changes are left out:\n%s", dirty)
	}
	if _, err := git(ctx, top, "clone", "--quiet", "--shared", top, dir); err != nil {
		return nil, err
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		if seconds, err = git(ctx, dir, "log", "-1", "--format=%ct"); err != nil {
			return nil, err
		}
	}
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds since 1970", seconds)
	}
	return &source{dir, time.Unix(epoch, 0).UTC()}, nil
}

// epoch is the date in seconds since 1970.
func (s *source) epoch() string { return strconv.FormatInt(s.date.Unix(), 10) }

func git(ctx context.Context, dir string, args ...string) (string, error) {
	return output(exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...))
}

// output runs a command and returns what it prints, without blanks around.
func output(c *exec.Cmd) (string, error) {
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, strings.TrimSpace(errors.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
