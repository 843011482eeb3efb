package cni

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/types"
)

// containerd, CRI-O and cnitool call plugins through libcni.
func TestUnderLibcni(t *testing.T) {
	versions(t, func(r *runtime) {
		ctx := r.t.Context()
		list, err := libcni.NetworkConfFromBytes(fmt.Appendf(nil, `{
			"cniVersion": %q, "name": "fabric",
			"plugins": [{"type": "rocelab-link", "link": "leaf1-spine1", "mtu": 9000, "dataDir": %q}]
		}`, r.version, r.dir))
		if err != nil {
			r.t.Fatal(err)
		}
		cni := libcni.NewCNIConfigWithCacheDir([]string{filepath.Dir(binary)}, r.t.TempDir(), nil)
		if _, err := cni.ValidateNetworkList(ctx, list); err != nil {
			r.t.Error(err)
		}
		if err := cni.GetStatusNetworkList(ctx, list); err != nil {
			r.t.Error(err)
		}
		var containers []*libcni.RuntimeConf
		for _, id := range []string{"a", "b"} {
			b := r.box(id)
			c := &libcni.RuntimeConf{ContainerID: b.id, NetNS: b.netns, IfName: b.ifname}
			containers = append(containers, c)
			if _, err := cni.AddNetworkList(ctx, list, c); err != nil {
				r.t.Fatal(err)
			}
		}
		for _, c := range containers {
			if err := cni.CheckNetworkList(ctx, list, c); err != nil {
				r.t.Error(err)
			}
		}
		valid := &libcni.GCArgs{ValidAttachments: []types.GCAttachment{{ContainerID: "a", IfName: "eth1"}}}
		if err := cni.GCNetworkList(ctx, list, valid); err != nil {
			r.t.Error(err)
		}
		if err := cni.CheckNetworkList(ctx, list, containers[0]); err == nil {
			r.t.Error("CHECK passes though the other end was removed")
		}
		for _, c := range containers {
			if err := cni.DelNetworkList(ctx, list, c); err != nil {
				r.t.Error(err)
			}
		}
	})
}
