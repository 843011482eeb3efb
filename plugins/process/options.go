package process

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/internal/cgroup"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// StartLimit is the default of Options.StartLimit: the maximum time from a program's start to the handshake.
const StartLimit = time.Minute

// Deadline is the default of Options.Deadline: the maximum time for an answer.
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
	// Log is the file to which the program's stdout and stderr are appended, readable only by its owner; "" keeps only
	// the end of them, for messages.
	Log string
	// Output, if not nil, takes what the program writes, too.
	Output *Tail
	// Deadline is the maximum time for an answer by the wall clock, after which the program counts as hanging. Default:
	// the constant Deadline.
	Deadline time.Duration
	// StartLimit is the maximum time from the program's start to the handshake. Default: the constant StartLimit.
	StartLimit time.Duration
	// Context ends the start of a program with ErrInterrupted when it is done, such as by Ctrl-C; nil for one
	// that never is.
	Context context.Context
	// Env is the program's environment, as in exec.Cmd. If nil, the
	// host's.
	Env []string
	// Through is a command line, such as that of nice(1), to which the program's own is appended to be executed; nil
	// for none.
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
	// Alone is set if all processes of that user belong to the program: at the end all are killed at once, however fast
	// they have children.
	Alone bool
}

// Limits bound what a program with all that it starts may take of the host. Of each,
// 0 means the default.
type Limits struct {
	// Memory is the maximum memory of the program. Default 4 GB.
	Memory unit.Bytes `json:"memory_bytes"`
	// Tasks are its processes and threads. Default 512.
	Tasks int `json:"tasks"`
	// Log is the maximum size of its log. Output beyond it is dropped. Default 16 MB.
	Log unit.Bytes `json:"log_bytes"`
}

// DefaultLimits are the limits by default: a plugin takes some tens of MB and of threads, and prints little.
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
