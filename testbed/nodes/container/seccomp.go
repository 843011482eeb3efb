package container

import (
	"fmt"
	"unsafe"

	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// seccomp is the filter of system calls as the OCI description has it: with it every
// call is allowed by calls, or is decided by its first argument, or fails as unknown.
func seccomp() *specs.LinuxSeccomp {
	unknown, family := uint(unix.ENOSYS), uint(unix.EAFNOSUPPORT)
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	sockets := []string{ruled.socket.name, ruled.socketpair.name}
	first := func(op specs.LinuxSeccompOperator, value uint64) []specs.LinuxSeccompArg {
		return []specs.LinuxSeccompArg{{Index: 0, Value: value, Op: op}}
	}
	return &specs.LinuxSeccomp{
		DefaultAction:   specs.ActErrno,
		DefaultErrnoRet: &unknown,
		Architectures:   []specs.Arch{ociArch},
		Syscalls: []specs.LinuxSyscall{
			{Names: names, Action: specs.ActAllow},
			{Names: []string{ruled.clone.name}, Action: specs.ActAllow, Args: first(specs.OpMaskedEqual, newNamespaces)},
			{Names: sockets, Action: specs.ActAllow, Args: first(specs.OpEqualTo, unix.AF_UNIX)},
			{Names: sockets, Action: specs.ActErrno, ErrnoRet: &family, Args: first(specs.OpNotEqual, unix.AF_UNIX)},
		},
	}
}

// The fields of seccomp_data(2) in bytes. For the first argument its lower half: flags and families are no wider.
const (
	dataNumber = 0
	dataArch   = 4
	dataFirst  = 16
)

// filter is the same as a program of the kernel's, for the built-in runtime. Programs
// of another ABI end at their first call.
//
// The kernel runs it once for each call that no argument decides, and from then on
// looks that up in a bitmap (Linux, seccomp_cache_check_allow).
func filter() []unix.SockFilter {
	const (
		allow = unix.SECCOMP_RET_ALLOW
		kill  = unix.SECCOMP_RET_KILL_PROCESS
		fail  = unix.SECCOMP_RET_ERRNO
	)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(how uint16, value uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, Jt: yes, Jf: no, K: value}
	}
	end := func(how uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: how} }
	program := []unix.SockFilter{
		load(dataArch), jump(unix.BPF_JEQ, auditArch, 1, 0), end(kill),
		load(dataNumber),
	}
	if x32Bit != 0 {
		program = append(program, jump(unix.BPF_JGE, x32Bit, 0, 1), end(kill))
	}
	for _, c := range calls {
		program = append(program, jump(unix.BPF_JEQ, c.number, 0, 1), end(allow))
	}
	program = append(program,
		jump(unix.BPF_JEQ, ruled.clone.number, 0, 4),
		load(dataFirst), jump(unix.BPF_JSET, newNamespaces, 0, 1), end(fail|uint32(unix.ENOSYS)), end(allow))
	for _, c := range []call{ruled.socket, ruled.socketpair} {
		program = append(program,
			jump(unix.BPF_JEQ, c.number, 0, 4),
			load(dataFirst), jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 0), end(fail|uint32(unix.EAFNOSUPPORT)), end(allow))
	}
	return append(program, end(fail|uint32(unix.ENOSYS)))
}

// filterCalls holds this thread, and the program that it executes, to the filter. It
// needs no_new_privs.
func filterCalls() error {
	program := filter()
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})), 0, 0)
	if err != nil {
		return fmt.Errorf("filter system calls (seccomp): %w", err)
	}
	return nil
}
