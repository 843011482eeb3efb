package cgroup

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	const memory, unified = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"
	for _, c := range []struct {
		name, mounts, own string
		want              []Hierarchy
	}{
		{
			name:   "version 2 under systemd",
			mounts: "26 23 0:24 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
			own:    "0::/user.slice/user-0.slice/session-1.scope\n",
			want: []Hierarchy{{
				Unified: true,
				Mount:   unified,
				Own:     unified + "/user.slice/user-0.slice/session-1.scope",
				Parent:  unified + "/user.slice/user-0.slice",
			}},
		},
		{
			name:   "version 2 at the root",
			mounts: "26 23 0:24 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			own:    "0::/\n",
			want:   []Hierarchy{{Unified: true, Mount: unified, Own: unified, Parent: unified}},
		},
		{
			name: "side by side, two controllers in one tree, a tree without any, another file system",
			mounts: "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
				"40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n" +
				"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
				"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" +
				"42 31 0:39 / /elsewhere rw - tmpfs tmpfs rw\n",
			own: "4:memory:/a/b\n3:cpu,cpuacct:/\n2:name=systemd:/\n0::/\n",
			want: []Hierarchy{
				version1("/sys/fs/cgroup/cpu,cpuacct", "", "cpu", "cpuacct"),
				version1("/sys/fs/cgroup/systemd", "", "name=systemd"),
				version1(memory, "/a/b", "memory"),
				{Unified: true, Mount: "/sys/fs/cgroup/unified", Own: "/sys/fs/cgroup/unified", Parent: "/sys/fs/cgroup/unified"},
			},
		},
		{
			name:   "within a container that sees its part of the tree alone",
			mounts: "35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			own:    "4:memory:/docker/1f/in\n",
			want:   []Hierarchy{version1(memory, "/in", "memory")},
		},
		{
			name:   "a mount that shows a part of the tree that this process is not in",
			mounts: "35 31 0:32 /other /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			own:    "4:memory:/mine\n",
		},
		{
			name:   "the same, and after it one that shows all",
			mounts: "35 31 0:32 /other /first rw - cgroup2 cgroup2 rw\n36 31 0:32 / /second rw - cgroup2 cgroup2 rw\n",
			own:    "0::/mine/in\n",
			want:   []Hierarchy{{Unified: true, Mount: "/second", Own: "/second/mine/in", Parent: "/second/mine"}},
		},
		{
			name:   "/ab is not below /a",
			mounts: "35 31 0:32 /a /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			own:    "4:memory:/ab\n",
		},
		{
			name:   "a cgroup whose name begins with two dots is below the root",
			mounts: "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			own:    "4:memory:/..x\n",
			want:   []Hierarchy{version1(memory, "/..x", "memory")},
		},
		{
			name:   "mounted twice: the first counts",
			mounts: "35 31 0:32 / /one rw - cgroup cgroup rw,memory\n36 31 0:32 / /two rw - cgroup cgroup rw,memory\n",
			own:    "4:memory:/\n",
			want:   []Hierarchy{version1("/one", "", "memory")},
		},
		{
			name:   "a tree in which this process has no cgroup",
			mounts: "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			own:    "3:pids:/\n0::/\n",
		},
		{name: "none", mounts: "1 1 0:1 / / rw - ext4 /dev/sda rw\n", own: "0::/\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := parse(c.mounts, c.own); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// version1 is a tree of version 1 with the own cgroup at that path below its
// mount point.
func version1(mount, own string, controllers ...string) Hierarchy {
	return Hierarchy{Controllers: controllers, Mount: mount, Own: mount + own, Parent: mount + own}
}

// In version 2 the parent cgroup decides which controllers its children may have.
func TestReadAsksTheParentForControllers(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{
		"proc/self/mountinfo":       "26 23 0:24 / /cg rw - cgroup2 cgroup2 rw\n",
		"proc/self/cgroup":          "0::/box/in\n",
		"cg/box/cgroup.controllers": "memory pids\n",
		"cg/cgroup.controllers":     "cpu memory pids\n",
	} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Read(root)
	if err != nil || len(found) != 1 || !found[0].Has("pids") || found[0].Has("cpu") || found[0].Parent != "/cg/box" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := Read(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("without /proc: %v", err)
	}
}
