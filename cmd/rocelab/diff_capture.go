package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/testbed/look/diff"
)

// lookIntoCapture looks for the first frame in the capture of a run that differs from the run made again: an event on a
// veth pair that is in no model can only be seen there.
func (f *diffFlags) lookIntoCapture(ctx context.Context, u *diff.Unlike) error {
	taken := diff.CaptureOf(u.Side, u.Run)
	if taken == "" {
		if u.Side.Runner(u.Run) == "veth" {
			u.Hint = "its folder has no capture: a capture of both ends of each link, with --capture NODE:PORT, " +
				"would show the frame"
		}
		return nil
	}
	ports, err := diff.CapturedPorts(taken)
	if err != nil {
		return fmt.Errorf("%s: %w", taken, err)
	}
	again, err := f.remake(u.Side, u.Run)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, again.Close()) }()
	u.Captured, err = again.Captured(ctx, taken, ports)
	if err == nil && u.Captured == nil {
		u.Hint = "its capture has the same frames as the repeated run: the frame that differs is not at one of " +
			"its ports"
	}
	return err
}
