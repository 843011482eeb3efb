package doctor

import (
	"fmt"
	"math"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Footprint is a testbed's use of a host's resources. The zero value is the footprint of a small one.
type Footprint struct {
	// Nodes is the number of containers.
	Nodes int
	// Memory is the memory of daemons and rings together.
	Memory unit.Bytes
	// Descriptors is the number of files that the testbed itself holds open.
	Descriptors int
}

// The room of a small testbed, and what each container takes of tasks: a Go
// daemon has about eight threads, a plugin process as many.
const (
	smallMemory      = 256 * unit.MB
	smallDescriptors = 1024
	smallNodes       = 16
	tasksPerNode     = 24
)

// Room returns nil if the free resources suffice for n, and else a lackError: among the subjects of Required, only this
// changes from run to run.
func Room(n Footprint) error { return Lack(host{root: "/"}.room(n)) }

// room compares the free resources with the needed ones.
func (h host) room(n Footprint) []Finding {
	n.Memory = max(n.Memory, smallMemory)
	n.Descriptors = max(n.Descriptors, smallDescriptors)
	n.Nodes = max(n.Nodes, smallNodes)
	return []Finding{h.memory(n), h.descriptors(n), h.tasks(n), h.quota(n)}
}

func (h host) memory(n Footprint) Finding {
	const name = "memory"
	kib, err := h.field("proc/meminfo", "MemAvailable", 10)
	if err != nil {
		return failed(name, err, "mount /proc")
	}
	free, where := int64(kib)<<10, ""
	if remaining := h.remaining("memory", memoryLimit(h), memoryUsage(h)); remaining < free {
		free, where = remaining, " by the limit of this process's cgroup"
	}
	if free < int64(n.Memory) {
		return Finding{name, Missing, fmt.Sprintf("%s available%s, %s needed", unit.Bytes(free), where, n.Memory),
			"a machine or a cgroup with more memory, or a smaller fabric"}
	}
	return found(name, "%s available%s, %s needed", unit.Bytes(free), where, n.Memory)
}

// memoryLimit and memoryUsage read a group's memory. The page cache that the
// kernel would drop first does not count as used.
func memoryLimit(h host) func(*cgroup.Hierarchy, string) (int64, error) {
	return func(r *cgroup.Hierarchy, dir string) (int64, error) {
		if r.Unified {
			return h.number(path.Join(dir, "memory.max"))
		}
		return h.number(path.Join(dir, "memory.limit_in_bytes"))
	}
}

func memoryUsage(h host) func(*cgroup.Hierarchy, string) (int64, error) {
	return func(r *cgroup.Hierarchy, dir string) (int64, error) {
		file, cache := "memory.usage_in_bytes", "total_inactive_file"
		if r.Unified {
			file, cache = "memory.current", "inactive_file"
		}
		used, err := h.number(path.Join(dir, file))
		if err != nil {
			return 0, err
		}
		inactive, err := h.field(path.Join(dir, "memory.stat"), cache, 10)
		return used - int64(inactive), err
	}
}

// descriptors looks at the hard limit: Go raises the soft one to it when a
// program starts.
func (h host) descriptors(n Footprint) Finding {
	const name = "open files"
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return failed(name, err, "")
	}
	if limit.Max < uint64(n.Descriptors) {
		return Finding{name, Missing, fmt.Sprintf("limit %d, %d needed", limit.Max, n.Descriptors),
			fmt.Sprintf("ulimit -Hn %d as root, or LimitNOFILE= of the service", n.Descriptors)}
	}
	return found(name, "limit %d, %d needed", limit.Max, n.Descriptors)
}

// tasks compares the threads and processes that may still be started: pids of
// the cgroup, and of the whole machine.
func (h host) tasks(n Footprint) Finding {
	const name = "processes"
	needed := int64(n.Nodes * tasksPerNode)
	free, where, remedy := int64(math.MaxInt64), "", ""
	running := h.runningTasks()
	for _, limit := range []string{"pid_max", "threads-max"} {
		if most, err := h.number("proc/sys/kernel/" + limit); err == nil && max(0, most-running) < free {
			free, where, remedy = max(0, most-running), "kernel."+limit, fmt.Sprintf("sysctl -w kernel.%s=%d",
				limit, running+2*needed)
		}
	}
	remaining := h.remaining("pids",
		func(_ *cgroup.Hierarchy, dir string) (int64, error) { return h.number(path.Join(dir, "pids.max")) },
		func(_ *cgroup.Hierarchy, dir string) (int64, error) { return h.number(path.Join(dir, "pids.current")) })
	if remaining < free {
		free, where = remaining, "pids.max of this process's cgroup"
		remedy = "raise it (TasksMax= of the service, docker run --pids-limit)"
	}
	if where == "" {
		return found(name, "no limit is known")
	}
	detail := fmt.Sprintf("%d more threads by %s, %d needed", free, where, needed)
	if free < needed {
		return Finding{name, Missing, detail, remedy}
	}
	return Finding{Name: name, Detail: detail}
}

// runningTasks reads the tasks of the machine from /proc/loadavg, whose fourth
// field is runnable/all.
func (h host) runningTasks() int64 {
	s, _ := h.text("proc/loadavg")
	var load [3]float64
	var runnable, all int64
	fmt.Sscanf(s, "%f %f %f %d/%d", &load[0], &load[1], &load[2], &runnable, &all)
	return all
}

// quota compares the namespaces that may be made with the containers.
func (h host) quota(n Footprint) Finding {
	const name = "namespace limits"
	least, file := int64(unlimited), ""
	for _, s := range spaces {
		f := "max_" + s.file + "_namespaces"
		if most, err := h.number("proc/sys/user/" + f); err == nil && most < least {
			least, file = most, f
		}
	}
	// One for each node, and the machine's existing ones.
	if needed := int64(2 * n.Nodes); least < needed {
		return Finding{name, Missing, fmt.Sprintf("user.%s is %d, %d needed", file, least, needed),
			fmt.Sprintf("sysctl -w user.%s=%d", file, needed)}
	}
	if file == "" {
		return found(name, "no limit is known")
	}
	return found(name, "at least %d of each kind", least)
}

// leastBacklog is the length of a processor's queue of received frames that
// takes what one window may send at once.
const leastBacklog = 16384

// backlog looks at the queue between the two ends of a veth pair. A frame that
// finds it full is refused, and sent again after a pause: nothing is lost but
// time. It fills where another processor empties it (receive packet steering);
// otherwise the sender's processor does, mostly frame by frame.
func (h host) backlog() []Finding {
	const name, key = "packet backlog", "net.core.netdev_max_backlog"
	remedy := fmt.Sprintf("sysctl -w %s=%d", key, leastBacklog)
	length, err := h.number("proc/sys/net/core/netdev_max_backlog")
	switch {
	case os.IsNotExist(err):
		return []Finding{{name, Warning, key + " cannot be seen from this network namespace", remedy + " on the host"}}
	case err != nil:
		return []Finding{{name, Warning, err.Error(), remedy}}
	case length < leastBacklog:
		return []Finding{{name, Warning,
			fmt.Sprintf("%s is %d: where many frames leave at once some may be sent again, which slows a run", key, length),
			remedy}}
	}
	return []Finding{found(name, "%s is %d", key, length)}
}

// run tries to make a folder in /run, the place of testbeds' state.
func (h host) run() []Finding {
	const name = "/run"
	dir, err := os.MkdirTemp(h.path("run"), "rocelab-doctor-")
	if err != nil {
		return []Finding{failed(name, err, "mount -t tmpfs tmpfs /run")}
	}
	if err := os.Remove(dir); err != nil {
		return []Finding{failed(name, err, "")}
	}
	return []Finding{found(name, "writable")}
}
