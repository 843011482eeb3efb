package result

import (
	_ "embed"
	"errors"
	"os"
	"path/filepath"
)

// partSuffix marks a folder that is being written.
const partSuffix = ".part"

// partFile explains, in a folder that is being written, how to go on if its run is killed. Its writer holds a lock on
// it, which ends with the process.
const partFile = "UNFINISHED.md"

// ErrLocked is the error of TryLock where another has the lock.
var ErrLocked = errors.New("another has the lock")

//go:embed unfinished.md
var partText []byte

// begin writes partFile and takes its lock.
func (f *Folder) begin() (err error) {
	if f.lock, err = os.Create(filepath.Join(f.part, partFile)); err != nil {
		return err
	}
	TryLock(f.lock)
	_, err = f.lock.Write(partText)
	return err
}

// end takes partFile away.
func (f *Folder) end() error { return errors.Join(f.lock.Close(), os.Remove(f.lock.Name())) }

// abandoned returns the lock of a folder that is not finished and has no writer any more, to be closed. It
// is nil if there is a writer, or that cannot be known.
func abandoned(part string) *os.File {
	name := filepath.Join(part, partFile)
	lock, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	// A lock of a file that is there no more is of a folder that another run has taken over.
	mine, err := lock.Stat()
	if err == nil {
		err = TryLock(lock)
	}
	now, failed := os.Lstat(name)
	if err != nil || failed != nil || !os.SameFile(mine, now) {
		lock.Close()
		return nil
	}
	return lock
}

// Part is where the folder is as long as it is being written.
func (f *Folder) Part() string { return f.part }

// Left are the folders that runs of the same name left when they were killed, as
// far as CreateNext met them.
func (f *Folder) Left() []string { return f.left }

// Replaced reports whether Create took a folder over that a run left when it was killed.
func (f *Folder) Replaced() bool { return f.replaced }
