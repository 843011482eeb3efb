package surroundings

import "golang.org/x/sys/unix"

// callTime is the system call time.
const callTime = unix.SYS_TIME

// stackPointer is where the stack of a stopped program is.
func stackPointer(registers *unix.PtraceRegs) uintptr { return uintptr(registers.Rsp) }
