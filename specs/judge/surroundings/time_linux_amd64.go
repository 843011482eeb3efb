package surroundings

import "golang.org/x/sys/unix"

// callTime is the system call time.
const callTime = unix.SYS_TIME
