package veth_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rocelab/rocelab/testbed/doctor"
	"github.com/rocelab/rocelab/testbed/veth"
)

// Windows of daemons that have nothing to do but wake are run, all of them.
func TestBarrierMeasuresEmptyWindows(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	for _, active := range []int{5, 2} {
		took, err := veth.Barrier(context.Background(), fmt.Sprintf("barrier-%d", os.Getpid()), 5, active, 200)
		if err != nil || took <= 0 {
			t.Errorf("%d of 5 daemons: %v a window, %v", active, took, err)
		}
	}
}
