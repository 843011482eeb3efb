package process

import "time"

// StartLimit is how long a program may take from its start to the handshake where
// Options say nothing else.
const StartLimit = 10 * time.Second

// Options say how to run a plugin. The zero value will do.
type Options struct {
	// Log is the file to which what the program writes to stdout and stderr
	// is appended, readable by its owner alone; "" keeps only the last of it,
	// for messages.
	Log string
	// Output, if not nil, takes what the program writes, too.
	Output *Tail
	// Deadline is how long an answer may take by the wall clock before the
	// program counts as hanging. If zero, 5 s.
	Deadline time.Duration
	// StartLimit is how long the program may take from its start to the
	// handshake. If zero, StartLimit.
	StartLimit time.Duration
	// Env is the program's environment, as in exec.Cmd. If nil, the
	// host's.
	Env []string
	// Through is a command line, as that of nice(1), to which the program's own is
	// appended to be executed; nil for none.
	Through []string
	// User is whom the program runs as, if this process may say so; nil for the
	// host's own user.
	User *User
}

// User is whom a program runs as.
type User struct {
	UID, GID uint32
	// Groups are the supplementary ones.
	Groups []uint32
}
