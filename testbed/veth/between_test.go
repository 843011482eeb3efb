package veth_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/doctor"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/veth"
)

func TestBetweenSeesEveryFrameAndChangesNothingByItself(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	p := plans(t, "incast.yaml", map[string]string{"traffic.size": "50KB", "topology.hosts": "5", "traffic.senders": "4", "traffic.receiver": "h4"})[0]
	want, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find})
	if err != nil {
		t.Fatal(err)
	}
	var seen [2]atomic.Uint64
	tb, err := veth.Deploy(context.Background(), p, veth.Config{Name: fmt.Sprintf("b%d", os.Getpid()), Runtime: "builtin",
		Between: map[int]veth.Between{4: func(direction int, frame []byte) int {
			seen[direction].Add(1)
			return 1
		}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tb.Destroy(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	got, err := tb.Run(context.Background(), p, veth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Trace != want.Trace {
		t.Errorf("trace %016x, that of mem is %016x", got.Trace, want.Trace)
	}
	to, from := want.Switches[0].Ports[4].TxFrames, want.Switches[0].Ports[4].RxFrames
	if a, b := seen[0].Load(), seen[1].Load(); a+b != to+from || a != to && a != from {
		t.Errorf("%d and %d frames seen, %d and %d counted", a, b, to, from)
	}
}

func TestBetweenOfNoLinkIsRefused(t *testing.T) {
	t.Setenv("ROCELAB_RUN", t.TempDir())
	p := plans(t, "incast.yaml", nil)[0]
	_, err := veth.Deploy(context.Background(), p, veth.Config{Name: "b", Between: map[int]veth.Between{17: nil}})
	if err == nil || !strings.Contains(err.Error(), "link 17: there are 17 links") {
		t.Error(err)
	}
}
