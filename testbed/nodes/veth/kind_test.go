package veth_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/internal/modeltest"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// A node of a kind that the testbed knows nothing of has a container and a daemon of its
// own, and the run is that in memory.
func TestNodeOfAnotherKindRunsInAContainer(t *testing.T) {
	tier.Root(t, "a testbed")
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	p := plans(t, "incast.yaml", map[string]string{
		"traffic.size": "50KB", "topology.hosts": "3", "traffic.senders": "2", "traffic.receiver": "h2",
	})[0]
	modeltest.Insert(p, 2, "box", modeltest.Config{Hold: 3 * unit.Microsecond})
	want, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find})
	if err != nil {
		t.Fatal(err)
	}
	tb, err := veth.Deploy(context.Background(), p, veth.Config{Name: fmt.Sprintf("k%d", os.Getpid()), Runtime: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tb.Destroy(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	n, ok := tb.Node("box")
	if !ok || n.Kind != "holder" || n.Host != "box" || len(n.Interfaces) != 2 {
		t.Errorf("the node is %+v", n)
	}
	got, err := tb.Run(context.Background(), p, veth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Trace != want.Trace {
		t.Errorf("trace %016x, that of mem is %016x", got.Trace, want.Trace)
	}
	box := &got.Devices[0].Ports[1]
	if box.TxFrames == 0 || box.TxFrames != want.Devices[0].Ports[1].TxFrames {
		t.Errorf("it sent %d frames, %d in memory", box.TxFrames, want.Devices[0].Ports[1].TxFrames)
	}
}
