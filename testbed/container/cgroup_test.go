package container

import (
	"reflect"
	"testing"
)

func TestParseHierarchies(t *testing.T) {
	for _, c := range []struct {
		name, mounts, own string
		want              []hierarchy
	}{
		{
			name:   "version 2 under systemd",
			mounts: "26 23 0:24 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
			own:    "0::/user.slice/user-0.slice/session-1.scope\n",
			want: []hierarchy{{
				unified: true,
				own:     "/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope",
				parent:  "/sys/fs/cgroup/user.slice/user-0.slice",
			}},
		},
		{
			name:   "version 2 at the root",
			mounts: "26 23 0:24 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			own:    "0::/\n",
			want:   []hierarchy{{unified: true, own: "/sys/fs/cgroup", parent: "/sys/fs/cgroup"}},
		},
		{
			name: "side by side, two controllers in one tree, a tree without any",
			mounts: "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
				"40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n" +
				"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
				"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" +
				"42 31 0:39 / /elsewhere rw - tmpfs tmpfs rw\n",
			own: "4:memory:/a/b\n3:cpu,cpuacct:/\n2:name=systemd:/\n0::/\n",
			want: []hierarchy{
				{controllers: []string{"cpu", "cpuacct"}, own: "/sys/fs/cgroup/cpu,cpuacct", parent: "/sys/fs/cgroup/cpu,cpuacct"},
				{controllers: []string{"name=systemd"}, own: "/sys/fs/cgroup/systemd", parent: "/sys/fs/cgroup/systemd"},
				{controllers: []string{"memory"}, own: "/sys/fs/cgroup/memory/a/b", parent: "/sys/fs/cgroup/memory/a/b"},
				{unified: true, own: "/sys/fs/cgroup/unified", parent: "/sys/fs/cgroup/unified"},
			},
		},
		{
			name:   "within a container that sees its part of the tree alone",
			mounts: "35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			own:    "4:memory:/docker/1f\n",
			want:   []hierarchy{{controllers: []string{"memory"}, own: "/sys/fs/cgroup/memory", parent: "/sys/fs/cgroup/memory"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseHierarchies([]byte(c.mounts), []byte(c.own))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
	if _, err := parseHierarchies([]byte("1 1 0:1 / / rw - ext4 /dev/sda rw\n"), []byte("0::/\n")); err == nil {
		t.Error("found cgroups where none are mounted")
	}
}
