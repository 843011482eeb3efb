//go:build !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// runMutants carries rows out with their faults and returns the exit code.
func (f *reproduceFlags) runMutants(c *cobra.Command, work *reproduce.Work) (int, error) {
	ctx, stdout, stderr := c.Context(), c.OutOrStdout(), c.ErrOrStderr()
	root, err := moduleRoot(ctx)
	if err != nil {
		return 0, host(err)
	}
	faults, err := reproduce.Faults(root)
	if err != nil {
		return 0, usage(err)
	}
	if err := f.announce(c, work, stderr); err != nil {
		return 0, err
	}
	trial := reproduce.Trial{Work: work, Root: root, Hardware: f.hardware, Say: work.Say}
	report, err := trial.Do(ctx, faults)
	if err != nil {
		return 0, interrupted(ctx, err)
	}
	if f.format == page.FormatJSON {
		err = writeJSON(stdout, report)
	} else {
		for _, line := range report.Lines() {
			if _, printed := fmt.Fprintln(stdout, pageOf(stdout).Fold(terminal.Line(line), 6)); err == nil {
				err = host(printed)
			}
		}
	}
	switch {
	case err != nil:
		return 0, err
	case report.Survived():
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// moduleRoot is the folder of rocelab's source, in or above the working directory.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/rocelab/rocelab").Output()
	if err != nil {
		return "", errors.New("--mutants needs Go, and the source of rocelab in or above the working directory")
	}
	return strings.TrimSpace(string(out)), nil
}
