package result

import (
	_ "embed"
	"errors"
	"os"
	"path/filepath"
)

// partSuffix marks a folder that is being written.
const partSuffix = ".part"

// partFile says in a folder that is being written how to go on, should its run be
// killed. Its writer holds a lock on it, which ends with the process.
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

// abandoned reports whether a folder that is not finished has no writer any more. It
// is false where that cannot be known.
func abandoned(part string) bool {
	lock, err := os.OpenFile(filepath.Join(part, partFile), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer lock.Close()
	return TryLock(lock) == nil
}

// Part is where the folder is as long as it is being written.
func (f *Folder) Part() string { return f.part }

// Left are the folders that runs of the same name left when they were killed, as
// far as CreateNext met them.
func (f *Folder) Left() []string { return f.left }
