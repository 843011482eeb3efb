package container

import (
	"golang.org/x/sys/unix"
)

// call is a system call that programs in a container may make.
type call struct {
	name   string
	number uint32
}

// calls are the system calls of daemons and plugins: the default list of the container engines (moby/profiles,
// seccomp), which a test compares it with, without calls that none of them needs. Left out are above all: other
// processes' memory and descriptors (ptrace, process_vm_*, pidfd_getfd, kcmp), calls that a container has no rights for
// and that were repeatedly a way around that (bpf, io_uring, perf_event_open, userfaultfd, mount, namespaces, keyrings,
// handles of files, chroot, mknod), state that all processes of the host share (sync, clocks, personality), and System
// V and POSIX queues. An omitted call fails as if the kernel did not have it, so that libraries take another. clone and
// socket are rules of their own: see filter.
//
// What daemons, Go and Python plugins really call was seen with strace; the rest is
// there for what other languages' libraries do for memory, files, time and threads.
var calls = append(oldCalls, []call{
	// Files.
	{"openat", unix.SYS_OPENAT}, {"openat2", unix.SYS_OPENAT2}, {"close", unix.SYS_CLOSE},
	{"close_range", unix.SYS_CLOSE_RANGE}, {"read", unix.SYS_READ}, {"write", unix.SYS_WRITE},
	{"readv", unix.SYS_READV}, {"writev", unix.SYS_WRITEV}, {"pread64", unix.SYS_PREAD64},
	{"pwrite64", unix.SYS_PWRITE64}, {"preadv", unix.SYS_PREADV}, {"pwritev", unix.SYS_PWRITEV},
	{"preadv2", unix.SYS_PREADV2}, {"pwritev2", unix.SYS_PWRITEV2}, {"lseek", unix.SYS_LSEEK},
	{"sendfile", unix.SYS_SENDFILE}, {"copy_file_range", unix.SYS_COPY_FILE_RANGE}, {"splice", unix.SYS_SPLICE},
	{"tee", unix.SYS_TEE}, {"readahead", unix.SYS_READAHEAD}, {"fadvise64", unix.SYS_FADVISE64},
	{"fallocate", unix.SYS_FALLOCATE}, {"truncate", unix.SYS_TRUNCATE}, {"ftruncate", unix.SYS_FTRUNCATE},
	{"fsync", unix.SYS_FSYNC}, {"fdatasync", unix.SYS_FDATASYNC}, {"fstat", unix.SYS_FSTAT}, {"statx", unix.SYS_STATX},
	{"statfs", unix.SYS_STATFS}, {"fstatfs", unix.SYS_FSTATFS}, {"faccessat", unix.SYS_FACCESSAT},
	{"faccessat2", unix.SYS_FACCESSAT2}, {"getdents64", unix.SYS_GETDENTS64}, {"getcwd", unix.SYS_GETCWD},
	{"chdir", unix.SYS_CHDIR}, {"fchdir", unix.SYS_FCHDIR}, {"readlinkat", unix.SYS_READLINKAT},
	{"linkat", unix.SYS_LINKAT}, {"symlinkat", unix.SYS_SYMLINKAT}, {"unlinkat", unix.SYS_UNLINKAT},
	{"renameat", unix.SYS_RENAMEAT}, {"renameat2", unix.SYS_RENAMEAT2}, {"mkdirat", unix.SYS_MKDIRAT},
	{"fchmod", unix.SYS_FCHMOD}, {"fchmodat", unix.SYS_FCHMODAT}, {"fchown", unix.SYS_FCHOWN},
	{"fchownat", unix.SYS_FCHOWNAT}, {"utimensat", unix.SYS_UTIMENSAT}, {"umask", unix.SYS_UMASK},
	{"flock", unix.SYS_FLOCK}, {"fcntl", unix.SYS_FCNTL}, {"ioctl", unix.SYS_IOCTL}, {"dup", unix.SYS_DUP},
	{"dup3", unix.SYS_DUP3}, {"pipe2", unix.SYS_PIPE2}, {"getxattr", unix.SYS_GETXATTR},
	{"lgetxattr", unix.SYS_LGETXATTR}, {"fgetxattr", unix.SYS_FGETXATTR}, {"listxattr", unix.SYS_LISTXATTR},
	{"llistxattr", unix.SYS_LLISTXATTR}, {"flistxattr", unix.SYS_FLISTXATTR},
	{"inotify_init1", unix.SYS_INOTIFY_INIT1}, {"inotify_add_watch", unix.SYS_INOTIFY_ADD_WATCH},
	{"inotify_rm_watch", unix.SYS_INOTIFY_RM_WATCH},

	// Memory. The page of a plugin is a memfd.
	{"mmap", unix.SYS_MMAP}, {"munmap", unix.SYS_MUNMAP}, {"mprotect", unix.SYS_MPROTECT}, {"mremap", unix.SYS_MREMAP},
	{"madvise", unix.SYS_MADVISE}, {"mincore", unix.SYS_MINCORE}, {"msync", unix.SYS_MSYNC}, {"mlock", unix.SYS_MLOCK},
	{"mlock2", unix.SYS_MLOCK2}, {"munlock", unix.SYS_MUNLOCK}, {"brk", unix.SYS_BRK},
	{"memfd_create", unix.SYS_MEMFD_CREATE}, {"membarrier", unix.SYS_MEMBARRIER}, {"pkey_alloc", unix.SYS_PKEY_ALLOC},
	{"pkey_free", unix.SYS_PKEY_FREE}, {"pkey_mprotect", unix.SYS_PKEY_MPROTECT},

	// Waiting, and the bells between a daemon and its plugins.
	{"futex", unix.SYS_FUTEX}, {"futex_waitv", unix.SYS_FUTEX_WAITV}, {"set_robust_list", unix.SYS_SET_ROBUST_LIST},
	{"get_robust_list", unix.SYS_GET_ROBUST_LIST}, {"rseq", unix.SYS_RSEQ}, {"ppoll", unix.SYS_PPOLL},
	{"pselect6", unix.SYS_PSELECT6}, {"epoll_create1", unix.SYS_EPOLL_CREATE1}, {"epoll_ctl", unix.SYS_EPOLL_CTL},
	{"epoll_pwait", unix.SYS_EPOLL_PWAIT}, {"epoll_pwait2", unix.SYS_EPOLL_PWAIT2}, {"eventfd2", unix.SYS_EVENTFD2},
	{"signalfd4", unix.SYS_SIGNALFD4}, {"restart_syscall", unix.SYS_RESTART_SYSCALL},

	// Time. Clocks cannot be set.
	{"clock_gettime", unix.SYS_CLOCK_GETTIME}, {"clock_getres", unix.SYS_CLOCK_GETRES},
	{"clock_nanosleep", unix.SYS_CLOCK_NANOSLEEP}, {"nanosleep", unix.SYS_NANOSLEEP},
	{"gettimeofday", unix.SYS_GETTIMEOFDAY}, {"times", unix.SYS_TIMES}, {"timer_create", unix.SYS_TIMER_CREATE},
	{"timer_settime", unix.SYS_TIMER_SETTIME}, {"timer_gettime", unix.SYS_TIMER_GETTIME},
	{"timer_getoverrun", unix.SYS_TIMER_GETOVERRUN}, {"timer_delete", unix.SYS_TIMER_DELETE},
	{"timerfd_create", unix.SYS_TIMERFD_CREATE}, {"timerfd_settime", unix.SYS_TIMERFD_SETTIME},
	{"timerfd_gettime", unix.SYS_TIMERFD_GETTIME}, {"getitimer", unix.SYS_GETITIMER}, {"setitimer", unix.SYS_SETITIMER},

	// Processes and signals.
	{"execve", unix.SYS_EXECVE}, {"exit", unix.SYS_EXIT}, {"exit_group", unix.SYS_EXIT_GROUP},
	{"wait4", unix.SYS_WAIT4}, {"waitid", unix.SYS_WAITID}, {"getpid", unix.SYS_GETPID}, {"getppid", unix.SYS_GETPPID},
	{"gettid", unix.SYS_GETTID}, {"getpgid", unix.SYS_GETPGID}, {"setpgid", unix.SYS_SETPGID},
	{"getsid", unix.SYS_GETSID}, {"setsid", unix.SYS_SETSID}, {"kill", unix.SYS_KILL}, {"tkill", unix.SYS_TKILL},
	{"tgkill", unix.SYS_TGKILL}, {"pidfd_open", unix.SYS_PIDFD_OPEN},
	{"pidfd_send_signal", unix.SYS_PIDFD_SEND_SIGNAL}, {"rt_sigaction", unix.SYS_RT_SIGACTION},
	{"rt_sigprocmask", unix.SYS_RT_SIGPROCMASK}, {"rt_sigreturn", unix.SYS_RT_SIGRETURN},
	{"rt_sigpending", unix.SYS_RT_SIGPENDING}, {"rt_sigsuspend", unix.SYS_RT_SIGSUSPEND},
	{"rt_sigtimedwait", unix.SYS_RT_SIGTIMEDWAIT}, {"rt_sigqueueinfo", unix.SYS_RT_SIGQUEUEINFO},
	{"sigaltstack", unix.SYS_SIGALTSTACK}, {"set_tid_address", unix.SYS_SET_TID_ADDRESS}, {"prctl", unix.SYS_PRCTL},
	{"sched_yield", unix.SYS_SCHED_YIELD}, {"sched_getaffinity", unix.SYS_SCHED_GETAFFINITY},
	{"sched_setaffinity", unix.SYS_SCHED_SETAFFINITY}, {"sched_getparam", unix.SYS_SCHED_GETPARAM},
	{"sched_getscheduler", unix.SYS_SCHED_GETSCHEDULER}, {"sched_getattr", unix.SYS_SCHED_GETATTR},
	{"sched_get_priority_max", unix.SYS_SCHED_GET_PRIORITY_MAX},
	{"sched_get_priority_min", unix.SYS_SCHED_GET_PRIORITY_MIN}, {"getcpu", unix.SYS_GETCPU},
	{"getpriority", unix.SYS_GETPRIORITY}, {"setpriority", unix.SYS_SETPRIORITY}, {"getrusage", unix.SYS_GETRUSAGE},
	{"prlimit64", unix.SYS_PRLIMIT64}, {"getrlimit", unix.SYS_GETRLIMIT}, {"setrlimit", unix.SYS_SETRLIMIT},
	{"uname", unix.SYS_UNAME}, {"sysinfo", unix.SYS_SYSINFO}, {"getrandom", unix.SYS_GETRANDOM},
	{"seccomp", unix.SYS_SECCOMP}, {"landlock_create_ruleset", unix.SYS_LANDLOCK_CREATE_RULESET},
	{"landlock_add_rule", unix.SYS_LANDLOCK_ADD_RULE}, {"landlock_restrict_self", unix.SYS_LANDLOCK_RESTRICT_SELF},

	// Users: a daemon starts each plugin as one of its own.
	{"getuid", unix.SYS_GETUID}, {"geteuid", unix.SYS_GETEUID}, {"getgid", unix.SYS_GETGID},
	{"getegid", unix.SYS_GETEGID}, {"getresuid", unix.SYS_GETRESUID}, {"getresgid", unix.SYS_GETRESGID},
	{"getgroups", unix.SYS_GETGROUPS}, {"setuid", unix.SYS_SETUID}, {"setgid", unix.SYS_SETGID},
	{"setresuid", unix.SYS_SETRESUID}, {"setresgid", unix.SYS_SETRESGID}, {"setreuid", unix.SYS_SETREUID},
	{"setregid", unix.SYS_SETREGID}, {"setgroups", unix.SYS_SETGROUPS}, {"capget", unix.SYS_CAPGET},
	{"capset", unix.SYS_CAPSET},

	// Existing sockets: the sockets of the links and between a daemon, its plugins and the testbed.
	{"bind", unix.SYS_BIND}, {"connect", unix.SYS_CONNECT}, {"listen", unix.SYS_LISTEN}, {"accept", unix.SYS_ACCEPT},
	{"accept4", unix.SYS_ACCEPT4}, {"shutdown", unix.SYS_SHUTDOWN}, {"getsockname", unix.SYS_GETSOCKNAME},
	{"getpeername", unix.SYS_GETPEERNAME}, {"getsockopt", unix.SYS_GETSOCKOPT}, {"setsockopt", unix.SYS_SETSOCKOPT},
	{"sendto", unix.SYS_SENDTO}, {"sendmsg", unix.SYS_SENDMSG}, {"sendmmsg", unix.SYS_SENDMMSG},
	{"recvfrom", unix.SYS_RECVFROM}, {"recvmsg", unix.SYS_RECVMSG}, {"recvmmsg", unix.SYS_RECVMMSG},
}...)

// newNamespaces are the flags with which clone makes a namespace.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP

// ruled are the calls whose first argument decides: clone may make processes and threads,
// but no namespaces; sockets are of the kind that stays within a container.
var ruled = struct{ clone, socket, socketpair call }{
	call{"clone", unix.SYS_CLONE}, call{"socket", unix.SYS_SOCKET}, call{"socketpair", unix.SYS_SOCKETPAIR},
}
