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

// begin writes partFile and takes its lock. Its error is ErrLocked if another run has taken the folder over between the
// two, which then is that run's.
func (f *Folder) begin() (err error) {
	if f.lock, err = os.Create(filepath.Join(f.part, partFile)); err != nil {
		return err
	}
	if err := lockInPlace(f.lock); errors.Is(err, ErrLocked) {
		f.lock.Close()
		return err
	}
	_, err = f.lock.Write(partText)
	return err
}

// lockInPlace takes the lock of a file. Its error is ErrLocked, too, if the file has been removed meanwhile: its lock
// is of a folder that another run has taken over.
func lockInPlace(file *os.File) error {
	if err := TryLock(file); err != nil {
		return err
	}
	mine, err := file.Stat()
	now, failed := os.Lstat(file.Name())
	if err != nil || failed != nil || !os.SameFile(mine, now) {
		return ErrLocked
	}
	return nil
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
	if lockInPlace(lock) != nil {
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
