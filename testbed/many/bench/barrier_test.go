//go:build linux && !mem

package bench

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

// TestMain has the test binary set up containers and be the daemons in them.
func TestMain(m *testing.M) {
	container.Init()
	daemon.Become(daemon.Host{Builtin: shipped.Find, Start: process.Run})
	os.Exit(m.Run())
}

// Windows of daemons that have nothing to do but wake are run, all of them.
func TestBarrierMeasuresEmptyWindows(t *testing.T) {
	tier.Root(t, "a testbed")
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	for _, active := range []int{5, 2} {
		t.Run(fmt.Sprintf("active=%v", active), func(t *testing.T) {
			took, err := barrier(context.Background(), fmt.Sprintf("barrier-%d", os.Getpid()), 5, active, 200)
			if err != nil || took <= 0 {
				t.Errorf("%d of 5 daemons: %v a window, %v", active, took, err)
			}
		})
	}
}
