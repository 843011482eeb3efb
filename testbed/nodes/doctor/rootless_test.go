package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What keeps users from a testbed of their own is named with the setting that would
// change it.
func TestRootless(t *testing.T) {
	const hybrid = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	const unified = "26 23 0:24 / /cg rw - cgroup2 cgroup2 rw\n"
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{}, "this kernel has no user namespaces"},
		{map[string]string{"user/max_user_namespaces": "0"}, "sysctl -w user.max_user_namespaces=15000"},
		{map[string]string{"user/max_user_namespaces": "9", "kernel/unprivileged_userns_clone": "0"},
			"sysctl -w kernel.unprivileged_userns_clone=1"},
		{map[string]string{"user/max_user_namespaces": "9", "kernel/apparmor_restrict_unprivileged_userns": "1"},
			"sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
		{map[string]string{"user/max_user_namespaces": "9", "kernel/apparmor_restrict_unprivileged_userns": "0"},
			"users may make user namespaces"},
		{map[string]string{"../self/mountinfo": hybrid, "../self/cgroup": "4:memory:/a\n"},
			"the memory controller is not in version 2"},
		{map[string]string{"../self/mountinfo": unified, "../self/cgroup": "0::/\n",
			"../../cg/cgroup.controllers": "memory pids\n"}, "cgroups can be given to a user"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			h := host{root: t.TempDir()}
			for name, text := range c.files {
				path := filepath.Join(h.path("proc/sys"), name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			found := h.rootless()[0]
			if found.Status != OptionalMissing || !strings.Contains(found.Detail, c.want) {
				t.Errorf("%v: %+v", c.files, found)
			}
		})
	}
}
