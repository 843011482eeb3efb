package process

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process/cgroup"
)

// StartLimit is how long a program may take from its start to the handshake where
// Options say nothing else.
const StartLimit = time.Minute

// Deadline is how long an answer may take where Options say nothing else.
const Deadline = 5 * time.Second

// ErrInterrupted is the error of a program whose start was given up: see Options.
var ErrInterrupted = errors.New("interrupted as a plugin was being started")

// context is the one that ends a start.
func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Options say how to run a plugin. The zero value will do.
type Options struct {
	// Log is the file to which what the program writes to stdout and stderr
	// is appended, readable by its owner alone; "" keeps only the last of it,
	// for messages.
	Log string
	// Output, if not nil, takes what the program writes, too.
	Output *Tail
	// Deadline is how long an answer may take by the wall clock before the
	// program counts as hanging. If zero, the constant Deadline.
	Deadline time.Duration
	// StartLimit is how long the program may take from its start to the
	// handshake. If zero, StartLimit.
	StartLimit time.Duration
	// Context ends the start of a program with ErrInterrupted when it is done, such as by Ctrl-C; nil for one
	// that never is.
	Context context.Context
	// Env is the program's environment, as in exec.Cmd. If nil, the
	// host's.
	Env []string
	// Through is a command line, as that of nice(1), to which the program's own is
	// appended to be executed; nil for none.
	Through []string
	// User is whom the program runs as, if this process may say so; nil for the
	// host's own user.
	User *User
	// Limits bound what the program takes.
	Limits Limits
	// Gate leads into a fence that was made for it with those limits; nil for none.
	Gate *cgroup.Gate
}

// User is whom a program runs as.
type User struct {
	UID, GID uint32
	// Groups are the supplementary ones.
	Groups []uint32
	// Alone says that all processes of that user are the program's: at the end all are
	// killed at once, however fast they have children.
	Alone bool
}

// Limits bound what a program with all that it starts may take of the host. Of each,
// 0 means the default.
type Limits struct {
	// Memory is what it may hold. Default 4 GB.
	Memory unit.Bytes `json:"memory_bytes"`
	// Tasks are its processes and threads. Default 512.
	Tasks int `json:"tasks"`
	// Log is how far its log may grow. What comes after that is dropped. Default
	// 16 MB.
	Log unit.Bytes `json:"log_bytes"`
}

// DefaultLimits are the limits where nothing else is said: a plugin takes some tens of
// MB and of threads, and prints little.
var DefaultLimits = Limits{Memory: 4 * unit.GB, Tasks: 512, Log: 16 * unit.MB}

// OrDefault returns the limits with every default in its place.
func (l Limits) OrDefault() Limits {
	return Limits{
		Memory: cmp.Or(l.Memory, DefaultLimits.Memory),
		Tasks:  cmp.Or(l.Tasks, DefaultLimits.Tasks),
		Log:    cmp.Or(l.Log, DefaultLimits.Log),
	}
}

// Fence are the limits that a cgroup can hold a program to.
func (l Limits) Fence() cgroup.Limits {
	l = l.OrDefault()
	return cgroup.Limits{Memory: int64(l.Memory), Tasks: int64(l.Tasks)}
}
