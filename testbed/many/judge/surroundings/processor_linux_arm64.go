package surroundings

import "golang.org/x/sys/unix"

// callTime is the system call time, which this processor has none of: a number that
// none has.
const callTime = 1<<31 - 1

// stackPointer is where the stack of a stopped program is.
func stackPointer(registers *unix.PtraceRegs) uintptr { return uintptr(registers.Sp) }
