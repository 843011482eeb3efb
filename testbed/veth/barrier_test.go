package veth_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/doctor"
	"github.com/rocelab/rocelab/testbed/veth"
)

func TestBarrierOfTickers(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	for _, c := range [][2]int{{4, 4}, {16, 16}, {40, 40}, {40, 2}} {
		per, err := veth.Barrier(context.Background(), fmt.Sprintf("b%d", os.Getpid()), c[0], c[1], 2000)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d of %d: %v a window, %v a node", c[1], c[0], per, per/time.Duration(c[1]))
	}
}
