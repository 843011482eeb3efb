package doctor

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// The oldest kernel that has every call used: pidfd_open(2) came with 5.3.
const oldestMajor, oldestMinor = 5, 3

func (h host) linux() []Finding {
	const name = "Linux"
	release, err := h.text("proc/sys/kernel/osrelease")
	if err != nil {
		return []Finding{failed(name, err, "run it on Linux, with /proc mounted")}
	}
	var major, minor int
	if n, _ := fmt.Sscanf(release, "%d.%d", &major, &minor); n == 2 &&
		(major < oldestMajor || major == oldestMajor && minor < oldestMinor) {
		return []Finding{{name, Missing, release, fmt.Sprintf("a kernel of version %d.%d or later",
			oldestMajor, oldestMinor)}}
	}
	return []Finding{found(name, "%s", release)}
}

// capabilities are the capabilities needed for bringing up a testbed, with their purpose.
var capabilities = []struct {
	bit       int
	name, why string
}{
	{unix.CAP_SYS_ADMIN, "CAP_SYS_ADMIN", "namespaces and mounts"},
	{unix.CAP_NET_ADMIN, "CAP_NET_ADMIN", "veth pairs"},
	{unix.CAP_NET_RAW, "CAP_NET_RAW", "packet sockets"},
	{unix.CAP_SETPCAP, "CAP_SETPCAP", "taking the daemons' capabilities away"},
	{unix.CAP_SYS_CHROOT, "CAP_SYS_CHROOT", "entering mount namespaces"},
	{unix.CAP_KILL, "CAP_KILL", "ending the remains of a killed run"},
	{unix.CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE", "files under /run and /sys/fs/cgroup"},
}

// rights looks at the effective capabilities: root in a container may lack
// some, another user may have them.
func (h host) rights() []Finding {
	const name = "rights"
	effective, err := h.field("proc/self/status", "CapEff", 16)
	if err != nil {
		return []Finding{failed(name, err, "mount /proc")}
	}
	var lacking []string
	for _, c := range capabilities {
		if effective&(1<<c.bit) == 0 {
			lacking = append(lacking, fmt.Sprintf("%s (%s)", c.name, c.why))
		}
	}
	switch {
	case effective == 0:
		return []Finding{{name, Missing, "an ordinary user, without capabilities", asRoot}}
	case lacking != nil:
		return []Finding{{name, Missing, "without " + strings.Join(lacking, ", "),
			asRoot + "; in a container give it these capabilities, such as docker run --privileged"}}
	}
	return []Finding{found(name, "all capabilities that it takes")}
}

// FIFO reports whether this process may give a thread of its own real-time priority
// (SCHED_FIFO), and why or why not. It gives none to any.
func FIFO() (may bool, why string) { return host{root: "/"}.fifo(prioLimit()) }

// prioLimit is the highest real-time priority that this process may ask for by its
// limits; 0 for none.
func prioLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit) != nil {
		return 0
	}
	return limit.Cur
}

func (h host) fifo(limit uint64) (may bool, why string) {
	effective, err := h.field("proc/self/status", "CapEff", 16)
	if err != nil {
		return false, err.Error()
	}
	if runtime, err := h.number("proc/sys/kernel/sched_rt_runtime_us"); err == nil && runtime == 0 {
		return false, "sched_rt_runtime_us is 0: the kernel gives such threads no time"
	}
	switch {
	case effective&(1<<unix.CAP_SYS_NICE) != 0:
		return true, "CAP_SYS_NICE is there"
	case limit > 0:
		return true, fmt.Sprintf("RLIMIT_RTPRIO is %d", limit)
	}
	return false, "neither CAP_SYS_NICE nor an RLIMIT_RTPRIO above 0"
}
