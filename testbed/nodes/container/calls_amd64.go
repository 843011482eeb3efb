package container

import (
	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

const (
	auditArch = unix.AUDIT_ARCH_X86_64
	ociArch   = specs.ArchX86_64
	// x32Bit marks calls of the x32 ABI, which come under the same architecture.
	x32Bit = 0x4000_0000
)

// oldCalls are the calls that newer architectures do not have.
var oldCalls = []call{
	{"open", unix.SYS_OPEN}, {"creat", unix.SYS_CREAT}, {"stat", unix.SYS_STAT}, {"lstat", unix.SYS_LSTAT},
	{"newfstatat", unix.SYS_NEWFSTATAT}, {"access", unix.SYS_ACCESS}, {"getdents", unix.SYS_GETDENTS},
	{"readlink", unix.SYS_READLINK}, {"link", unix.SYS_LINK}, {"symlink", unix.SYS_SYMLINK},
	{"unlink", unix.SYS_UNLINK}, {"rename", unix.SYS_RENAME}, {"mkdir", unix.SYS_MKDIR}, {"rmdir", unix.SYS_RMDIR},
	{"chmod", unix.SYS_CHMOD}, {"chown", unix.SYS_CHOWN}, {"lchown", unix.SYS_LCHOWN}, {"utime", unix.SYS_UTIME},
	{"utimes", unix.SYS_UTIMES}, {"futimesat", unix.SYS_FUTIMESAT}, {"dup2", unix.SYS_DUP2}, {"pipe", unix.SYS_PIPE},
	{"poll", unix.SYS_POLL}, {"select", unix.SYS_SELECT}, {"epoll_create", unix.SYS_EPOLL_CREATE},
	{"epoll_wait", unix.SYS_EPOLL_WAIT}, {"eventfd", unix.SYS_EVENTFD}, {"signalfd", unix.SYS_SIGNALFD},
	{"inotify_init", unix.SYS_INOTIFY_INIT}, {"time", unix.SYS_TIME}, {"alarm", unix.SYS_ALARM},
	{"pause", unix.SYS_PAUSE}, {"fork", unix.SYS_FORK}, {"vfork", unix.SYS_VFORK}, {"getpgrp", unix.SYS_GETPGRP},
	{"arch_prctl", unix.SYS_ARCH_PRCTL},
}
