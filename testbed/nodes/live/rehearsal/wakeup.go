//go:build linux && !mem

package rehearsal

import (
	"context"
	"runtime"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// wakeups measures for span how late a thread of normal priority wakes that sleeps for a tick of an edge at a time.
func wakeups(ctx context.Context, span time.Duration) (late record.Lateness, err error) {
	runtime.LockOSThread() // and not unlocked: the thread is of no use to others now
	if err := pace.Sharpen(); err != nil {
		return late, err
	}
	for end := pace.Now() + int64(span); ctx.Err() == nil; {
		due := pace.Now() + int64(outside.Tick)
		if due > end {
			break
		}
		for pace.Now() < due {
			pace.Wait(due, nil)
		}
		late.Add(pace.Now() - due)
	}
	return late, ctx.Err()
}
