//go:build linux && !mem

package rehearsal

import (
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// period is the time between two looks at a run.
const period = 200 * time.Microsecond

// watch looks at the run on a testbed that is up, from the run's first window on until
// ctx is done or the run is over. It begins before the run does.
func watch(ctx context.Context, testbed string) (samples []sample, err error) {
	var current *veth.Current
	for current == nil {
		if ctx.Err() != nil {
			return nil, nil // it was over before it was seen
		}
		current, err = veth.Attach(testbed)
		if errors.Is(err, veth.ErrIdle) {
			time.Sleep(period)
		} else if err != nil {
			return nil, err
		}
	}
	defer current.Close()
	began := time.Now()
	for ctx.Err() == nil {
		now := time.Since(began)
		if current.Page.Window() > 0 {
			at := current.Now()
			end, _, over := current.Page.Over()
			if over {
				at = max(at, end)
			}
			if n := len(samples); n == 0 || at > samples[n-1].Model {
				samples = append(samples, sample{now, at})
			}
			if over {
				break
			}
		}
		time.Sleep(period)
	}
	return samples, nil
}
