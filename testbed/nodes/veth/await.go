package veth

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Await returns the run under way on a testbed, or waits for the next one. Its error is that of ctx when it is done,
// and a *NotFoundError when the testbed goes.
func Await(ctx context.Context, name string) (*Current, error) {
	dir := (&State{Name: name}).Dir()
	changes := watch(dir)
	defer changes.close()
	for {
		current, err := Attach(name)
		if !errors.Is(err, ErrIdle) {
			return current, err
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return nil, &NotFoundError{Name: name}
		}
		if err := changes.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// The interval between two looks at a folder: seldom if the kernel reports changes, often if it does not.
const (
	seldom = 2 * time.Second
	often  = 50 * time.Millisecond
)

// changes are the changes of a folder, as inotify(7) reports them.
type changes struct{ queue *os.File } // nil where the kernel reports none

// watch begins to watch a folder. A run that begins writes into it what others may know.
func watch(dir string) *changes {
	const events = unix.IN_CREATE | unix.IN_MOVED_TO | unix.IN_CLOSE_WRITE | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return &changes{}
	}
	queue := os.NewFile(uintptr(fd), "inotify")
	if _, err := unix.InotifyAddWatch(fd, dir, events); err != nil {
		queue.Close()
		return &changes{}
	}
	return &changes{queue}
}

// wait returns when the folder has changed since the last call, or may have; the error is that of ctx.
func (c *changes) wait(ctx context.Context) error {
	if c.queue == nil {
		select {
		case <-ctx.Done():
		case <-time.After(often):
		}
		return ctx.Err()
	}
	c.queue.SetReadDeadline(time.Now().Add(seldom))
	defer context.AfterFunc(ctx, func() { c.queue.SetReadDeadline(time.Unix(1, 0)) })()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	const room = 64 * (unix.SizeofInotifyEvent + unix.NAME_MAX + 1)
	var events [room]byte
	if _, err := c.queue.Read(events[:]); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.close()
	}
	return ctx.Err()
}

// close ends watching.
func (c *changes) close() {
	if c.queue != nil {
		c.queue.Close()
		c.queue = nil
	}
}
