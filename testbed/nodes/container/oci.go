package container

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/opencontainers/runtime-spec/specs-go"
)

// specVersion is the release of the OCI runtime specification whose fields are
// used here: the newest that runc 1.1, in Debian 12, accepts.
const specVersion = "1.0.2"

// rootName is the folder within a bundle that becomes the container's root.
const rootName = "rootfs"

// OCI describes a node's container as the OCI runtime specification does, the
// same for every runtime. It reads the binaries to find the libraries they are
// linked with, and fails if one is missing or is no ELF executable.
func OCI(s Spec) (*specs.Spec, error) {
	program := "/bin/" + cmp.Or(s.Name, filepath.Base(s.Program))
	mounts, err := binaries(s, program)
	if err != nil {
		return nil, err
	}
	return &specs.Spec{
		Version:  specVersion,
		Hostname: s.Hostname,
		Root:     &specs.Root{Path: filepath.Join(s.folder(), rootName), Readonly: true},
		Process: &specs.Process{
			Args:            append([]string{program}, s.Args...),
			Env:             environment(s.Env),
			Cwd:             "/",
			Capabilities:    capabilities(s),
			NoNewPrivileges: true,
		},
		Mounts: append([]specs.Mount{
			{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "noexec", "nodev"}},
			{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "noexec", "strictatime",
				"mode=755", "size=64k"}},
			// Sockets between a daemon and its plugins, which are other users and cannot list the folder.
			{Destination: "/tmp", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "noexec", "nodev",
				"mode=1733", "size=16m"}},
		}, mounts...),
		Linux: &specs.Linux{
			// A relative path is below the cgroup of the caller, so that the
			// limits set for a testbed as a whole hold for its nodes.
			CgroupsPath: cgroupName(s.ID),
			Resources:   resources(s),
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.MountNamespace},
				{Type: specs.PIDNamespace},
				{Type: specs.UTSNamespace},
				{Type: specs.IPCNamespace},
				{Type: specs.CgroupNamespace},
				{Type: specs.NetworkNamespace, Path: s.NetNS},
			},
			// As every runtime hides them: they show the host or change it.
			MaskedPaths: []string{
				"/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
				"/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats",
			},
			ReadonlyPaths: []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"},
			Seccomp:       seccomp(),
		},
	}, nil
}

// environment adds what runc would add otherwise, from the users it does not
// find inside.
func environment(env []string) []string {
	if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "HOME=") }) {
		return env
	}
	return append(slices.Clone(env), "HOME=/")
}

// rights are the capabilities that a program with plugins keeps: to start a process as another user without any right,
// to give it a folder and connect to its socket there, and to end it.
var rights = []string{"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_KILL", "CAP_SETGID", "CAP_SETUID"}

// capabilities returns the capabilities of the container's program. With no_new_privs its plugins, as other users, do
// not gain any from the bounding set.
func capabilities(s Spec) *specs.LinuxCapabilities {
	if len(s.Plugins) == 0 {
		return &specs.LinuxCapabilities{}
	}
	return &specs.LinuxCapabilities{Bounding: rights, Effective: rights, Permitted: rights}
}

// cgroupName is the name of a container's cgroup in each hierarchy.
func cgroupName(id string) string { return "rocelab-" + id }

// resources are the limits that were asked for, and no others.
func resources(s Spec) *specs.LinuxResources {
	r := &specs.LinuxResources{}
	if s.Memory > 0 {
		r.Memory = &specs.LinuxMemory{Limit: &s.Memory}
	}
	if s.Pids > 0 {
		r.Pids = &specs.LinuxPids{Limit: &s.Pids}
	}
	return r
}

// binaries are the mounts that bring the program, its plugins and what they are
// linked with into the container, each file once.
func binaries(s Spec, program string) ([]specs.Mount, error) {
	var mounts []specs.Mount
	bound := map[string]bool{}
	bind := func(source, destination string) {
		if !bound[destination] {
			bound[destination] = true
			mounts = append(mounts, specs.Mount{
				Destination: destination, Type: "bind", Source: source,
				Options: []string{"bind", "ro", "nosuid", "nodev"},
			})
		}
	}
	add := func(what, source, destination string) error {
		needs, err := dependencies(source, destination)
		if err != nil {
			return fmt.Errorf("%s %s: %w", what, source, err)
		}
		bind(source, destination)
		for _, n := range needs {
			bind(n.source, n.destination)
		}
		return nil
	}
	if err := add("program", s.Program, program); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Plugins)) {
		if err := add("plugin", s.Plugins[name], "/plugins/"+name); err != nil {
			return nil, err
		}
		if info, err := os.Stat(s.Plugins[name]); err == nil && info.Mode()&0o001 == 0 {
			return nil, fmt.Errorf("plugin %s: in a container it is a user of its own, who may not execute the file: "+
				"chmod o+rx gives that", s.Plugins[name])
		}
	}
	return mounts, nil
}
