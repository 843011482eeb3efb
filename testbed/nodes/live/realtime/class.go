package realtime

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// level is the real-time priority that is given: the lowest.
const level = 1

const (
	// soft and hard bound how long a thread may run without a wait. At soft the kernel sends
	// SIGXCPU, which Go programs ignore, and raises the limit by a second, which the guard sees; at hard
	// it kills the process: only one comes so far whose guard does not run. Source:
	// getrlimit(2) and check_thread_timers in Linux.
	soft = 500 * time.Millisecond
	hard = time.Second
)

// Killed explains what may have killed a process with such a thread.
const Killed = ", which the kernel sends if a thread with real-time priority runs for a second without a wait " +
	"(RLIMIT_RTTIME)"

// errOneCore refuses a host with one core.
var errOneCore = errors.New("--realtime needs two cores, and there is one: a thread that does not wait would have it " +
	"all, and nothing could take it away")

// Check refuses a host that cannot give a thread the class.
func Check() error { return checkCores(runtime.NumCPU()) }

func checkCores(cores int) error {
	if cores < 2 {
		return errOneCore
	}
	return nil
}

// setClass gives a thread a class and a priority.
func setClass(tid int, policy, priority uint32) error {
	return unix.SchedSetAttr(tid, &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   policy,
		Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
		Priority: priority,
	}, 0)
}

// give gives a thread of a process the class. If the thread's cgroup of version 1 has no time for it (a new one has
// none, and containers are in new ones), it joins this process's, for the controller cpu only.
func give(pid, tid int) error {
	err := setClass(tid, unix.SCHED_FIFO, level)
	if err == nil || !errors.Is(err, unix.EPERM) || !mayRaise() || join(tid) != nil {
		return refusal(err, pid)
	}
	return refusal(setClass(tid, unix.SCHED_FIFO, level), os.Getpid())
}

// Companion gives a thread of this process that only sleeps the class, until it ends: it is not guarded.
func Companion(tid int) error { return give(os.Getpid(), tid) }

// join takes a thread into the cgroup that shares out this process's processor time.
func join(tid int) error {
	trees, err := cgroup.Read("/")
	if err != nil {
		return err
	}
	for i := range trees {
		if h := &trees[i]; !h.Unified && h.Has("cpu") {
			return cgroup.Write(filepath.Join(h.Parent, "tasks"), strconv.Itoa(tid))
		}
	}
	return errors.New("no cgroup of version 1 shares out processor time")
}

// limit bounds how long threads of a process may run without a wait; a lower bound that it has stays.
func limit(pid int) error {
	var old unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &old); err != nil {
		return err
	}
	highest := min(uint64(hard.Microseconds()), old.Max)
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, &unix.Rlimit{
		Cur: min(uint64(soft.Microseconds()), highest),
		Max: highest,
	}, nil)
}

// ranOut reports whether a thread of a process has run for the soft limit without a wait.
func ranOut(pid int) bool {
	var now unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &now) == nil && now.Cur > uint64(soft.Microseconds())
}

// refusal returns the reason why the kernel refused the class to a thread of a process; nil for nil.
func refusal(err error, pid int) error {
	if !errors.Is(err, unix.EPERM) {
		return err
	}
	if !mayRaise() {
		return errors.New("this process may not give it (CAP_SYS_NICE)")
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if group := cpuGroup(string(text)); group != "" && group != "/" {
		return fmt.Errorf("the kernel gives none to cgroup %s: cpu.rt_runtime_us, its time for such threads, is 0 unless "+
			"it is set", group)
	}
	return err
}

// cpuGroup is the cgroup of version 1 that shares out processor time, as /proc/PID/cgroup has it.
func cpuGroup(text string) string {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && strings.Contains(","+parts[1]+",", ",cpu,") {
			return parts[2]
		}
	}
	return ""
}

// mayRaise reports whether the calling thread has CAP_SYS_NICE.
func mayRaise() bool {
	var sets [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capget(&header, &sets[0]) == nil && sets[0].Effective&(1<<unix.CAP_SYS_NICE) != 0
}

// tickNanoseconds is the kernel's unit of processor time for its users, in ns.
const tickNanoseconds = int64(time.Second) / 100

// used returns the processor time that the thread has used; an error means that it has ended.
func (t *thread) used() (nanoseconds int64, err error) {
	var room [1024]byte
	n, err := t.stat.ReadAt(room[:], 0)
	if n == 0 {
		return 0, err
	}
	return processorTime(string(room[:n]))
}

// processorTime reads /proc/PID/task/TID/stat: behind the name, in brackets, which may have anything in
// it, user and system time are the 12th and 13th word (proc_pid_stat(5)).
func processorTime(stat string) (nanoseconds int64, err error) {
	words := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(words) < 13 {
		return 0, fmt.Errorf("thread's times in %q", stat)
	}
	for _, word := range words[11:13] {
		ticks, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return 0, err
		}
		nanoseconds += ticks * tickNanoseconds
	}
	return nanoseconds, nil
}

// Find returns a thread of a process as this process sees it, which in its own namespace of
// processes has the number inner.
func Find(pid, inner int) (tid int, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil {
		return 0, err
	}
	for _, path := range tasks {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		_, numbers, _ := strings.Cut(string(text), "\nNSpid:")
		numbers, _, _ = strings.Cut(numbers, "\n")
		if all := strings.Fields(numbers); len(all) > 0 && all[len(all)-1] == strconv.Itoa(inner) {
			return strconv.Atoi(all[0])
		}
	}
	return 0, fmt.Errorf("process %d has no thread %d", pid, inner)
}
