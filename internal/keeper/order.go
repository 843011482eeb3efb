//go:build linux && !mem

package keeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// name is argv[0] of a keeper, by which it knows itself, and what it is called by.
const name = "rocelab-keeper"

// Order describes the program to hold.
type Order struct {
	// Path is the program's, absolute; Args are its arguments, its name not among
	// them. Env is its whole environment.
	Path string
	Args []string
	Env  []string
	// Files become the descriptors 3, 4, ... of the program.
	Files []*os.File
	// Gate are the files of the gate of a fence that the program is to be in; nil for
	// none.
	Gate []*os.File
	// Fence are the folders of the fence if it is the program's alone: the keeper removes
	// them when its host cannot any more.
	Fence []string
	// Memory, if not 0, limits the memory of each of its processes where there is no
	// fence, in bytes.
	Memory int64
	// Folder is the variable that names for the program a folder of its own, which only the program can enter; the
	// keeper makes it, in the folder for temporary files, and removes it. If "", there is none.
	Folder string
	// User is whom the program runs as; nil for the user of this process.
	User *User
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

// order is the keeper's order beside the program and its arguments, which follow in its own arguments; its environment
// is the program's.
type order struct {
	Files  int
	Fenced bool
	Fence  []string
	Memory int64
	Folder string
	// Place is the path of the folder.
	Place string
	User  *User
	// Guard is the process ID of the guard that started this keeper, 0 for none.
	Guard int
}

// passed counts the descriptors that a keeper gets beside the standard ones: the
// program's, the line and the gate.
func (o *order) passed() int {
	n := o.Files + 1
	if o.Fenced {
		n += len(new(cgroup.Gate).Files())
	}
	return n
}

// arguments are a keeper's; place is the path of the program's folder.
func (o *Order) arguments(place string) []string {
	text, err := json.Marshal(order{
		Files:  len(o.Files),
		Fenced: o.Gate != nil,
		Fence:  o.Fence,
		Memory: o.Memory,
		Folder: o.Folder,
		Place:  place,
		User:   o.User,
	})
	if err != nil {
		panic(err) // numbers and names
	}
	return append([]string{name, string(text), o.Path}, o.Args...)
}

// Execute is the step that hands over to the program.
const Execute = "execute"

// Error is a step of the keeper's that failed, or of the start of the program.
type Error struct {
	// Step is the step of the keeper that failed, as Execute.
	Step  string
	Errno syscall.Errno
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Step, e.Errno) }

func (e *Error) Unwrap() error { return e.Errno }

// newError is the failure of a step as it goes over the line.
func newError(step string, err error) *Error {
	made := &Error{Step: step, Errno: syscall.EIO}
	errors.As(err, &made.Errno)
	return made
}

// report is a keeper's message over its line: first that the program runs, with its pidfd beside it, or why not, then
// how it ended.
type report struct {
	Failed *Error              `json:",omitempty"`
	Status *syscall.WaitStatus `json:",omitempty"`
}
