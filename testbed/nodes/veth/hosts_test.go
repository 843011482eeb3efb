package veth_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// withHosts is a plan with a NIC and two hosts that have their own stack, at one switch.
func withHosts(t *testing.T) *plan.Plan {
	p := plans(t, "incast.yaml", map[string]string{
		"topology.hosts": "3", "traffic.senders": "2", "traffic.receiver": "h2",
	})[0]
	for i := range 2 {
		link, port := len(p.Links), len(p.Switches[0].Links)
		edge := plan.Edge{MTU: 1500, Queue: unit.MB, IP: plan.StationIP(len(p.NICs) + i), Host: true}
		p.Devices = append(p.Devices, plan.Device{
			Kind:   plan.KindEdge,
			Name:   fmt.Sprint("guest", i),
			Links:  []int{link},
			Config: edge,
		})
		node := p.DeviceNode(i)
		edge.MAC = wire.NodeMAC(uint32(node), 0)
		p.Devices[i].Config = edge
		c := fabric.Channel{Rate: unit.Gbps, Latency: 100 * unit.Microsecond}
		p.Links = append(p.Links, plan.Link{
			A:        plan.End{Node: node},
			B:        plan.End{Node: p.SwitchNode(0), Port: port},
			Forward:  c,
			Backward: c,
		})
		p.Switches[0].Links = append(p.Switches[0].Links, link)
	}
	return p
}

// Hosts come up with their addresses and neighbours, and go with their testbed. Tier:
// everyday.
func TestHostsWithTheirOwnStack(t *testing.T) {
	tier.Root(t, "a testbed")
	tier.Everyday(t)
	p := withHosts(t)
	up, err := veth.Deploy(t.Context(), p, veth.Config{Name: fmt.Sprintf("s%d", os.Getpid()), Runtime: container.Builtin})
	if err != nil {
		t.Fatal(err)
	}
	defer up.Destroy(context.Background())
	loaded, err := veth.Load(up.Name)
	if err != nil {
		t.Fatal(err)
	}
	h, ok := loaded.HostNamed("guest1")
	if !ok || h.Address != "10.0.0.5" || h.MTU != 1500 {
		t.Fatalf("the second host is %+v", h)
	}
	said, err := exec.Command("nsenter", "--net="+h.NetNS, "sh", "-c", "ip -4 -br address show eth0; ip neighbour; "+
		"ip -6 address show eth0").CombinedOutput()
	if err != nil {
		t.Fatal(err, string(said))
	}
	for _, want := range []string{"10.0.0.5/8", "10.0.0.1 dev eth0 lladdr 02:00:00:01:00:00 PERMANENT",
		"10.0.0.4 dev eth0 lladdr 02:00:00:04:00:00 PERMANENT"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("it has\n%s\nand not %q", said, want)
		}
	}
	if strings.Contains(string(said), "inet6") {
		t.Errorf("IPv6 is on:\n%s", said)
	}
	if err := up.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(h.NetNS); !errors.Is(err, fs.ErrNotExist) {
		t.Error("its namespace is still there:", err)
	}
}

// A testbed with other hosts is another testbed.
func TestHostsMustFit(t *testing.T) {
	tier.Root(t, "a testbed")
	tier.Everyday(t)
	p := withHosts(t)
	up, err := veth.Deploy(t.Context(), p, veth.Config{Name: fmt.Sprintf("f%d", os.Getpid()), Runtime: container.Builtin})
	if err != nil {
		t.Fatal(err)
	}
	defer up.Destroy(context.Background())
	if err := up.Fits(p); err != nil {
		t.Error(err)
	}
	edge := *p.EdgeAt(1)
	edge.MTU = 1400
	p.Devices[1].Config = edge
	if err := up.Fits(p); err == nil {
		t.Error("a host with another MTU fits")
	}
}
