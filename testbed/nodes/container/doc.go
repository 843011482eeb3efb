// Package container runs the daemons of a testbed in containers: one process
// tree each, in mount, PID, UTS, IPC and cgroup namespaces of its own and in a
// network namespace that is ready before, on a read-only root that holds just
// the daemon, its plugins and the libraries these are linked with.
//
// OCI describes a container as in the OCI runtime specification. Two runtimes read that one description: runc, if the
// host has it, and a built-in one that does not need anything installed. Both start the program as root without any
// capability and with no_new_privs: everything that needs a right (sockets, shared memory, logs) is opened by the
// caller and passed on as a descriptor. A program that holds plugins keeps five capabilities, with which it starts each
// as a user of its own that has none, connects to it and ends it (rights). A fence, a cgroup "rocelab-ID@plugins"
// beside the container's own, limits the total use of a container's plugins; the program gets the way into it as
// descriptors, so its own memory does not count.
//
// Programs and plugins make the system calls of one list (calls), which is a part of
// the default profile of the container engines: runc reads it in the description,
// the built-in runtime installs it as a program of the kernel's.
//
// The built-in runtime runs the caller's own executable once more to set the
// container up from inside, so Init must be the first call of every main, and
// of every TestMain, that starts containers.
//
// A container leaves traces in three places, and Remove clears them: processes (in its PID namespace), cgroups (one
// named "rocelab-" and the ID in each hierarchy, below the caller's own) and the folder Dir/ID. Its mounts live in its
// own mount namespace and go with its processes. There is no record: by the cgroups' names, the namespaces and the
// mounts, RemoveAll finds in a later process the remains of a killed one, and distinguishes them from all else.
//
// Not offered: user namespaces, devices beyond the ones of /dev that every runtime supplies, and /sys inside.
package container
