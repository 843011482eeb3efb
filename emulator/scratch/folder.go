package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// prefix begins the names of all folders.
const prefix = "rocelab-"

// kinds are the uses of folders, the second part of their names.
var kinds = []string{"rerun", "pack"}

// Folder is a folder below os.TempDir that only its user may enter. Close it.
type Folder struct {
	// Path is where it is.
	Path string
	lock *os.File
}

// New makes a folder of one of the kinds, and takes away the folders of commands that were killed.
func New(kind string) (*Folder, error) {
	if !slices.Contains(kinds, kind) {
		return nil, fmt.Errorf("a scratch folder of kind %q: allowed are %q", kind, kinds)
	}
	sweep()
	const tries = 10 // a sweep of another process may come between making and locking
	for range tries {
		path, err := os.MkdirTemp("", prefix+kind+"-")
		if err != nil {
			return nil, err
		}
		if lock := hold(path); lock != nil {
			return &Folder{path, lock}, nil
		}
	}
	return nil, fmt.Errorf("a folder in %s goes away as it is made", os.TempDir())
}

// Close takes the folder away.
func (f *Folder) Close() error { return errors.Join(os.RemoveAll(f.Path), f.lock.Close()) }

// sweep takes away the folders of this user whose command was killed, and returns their paths. It takes none on a
// system without locks.
func sweep() (gone []string) {
	for _, kind := range kinds {
		paths, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+kind+"-*"))
		if err != nil {
			continue // a TMPDIR that is no pattern
		}
		for _, path := range paths {
			if info, err := os.Lstat(path); err != nil || !info.IsDir() || !own(info) {
				continue
			}
			lock, err := take(path)
			if err != nil {
				continue
			}
			if os.RemoveAll(path) == nil {
				gone = append(gone, path)
			}
			lock.Close()
		}
	}
	return gone
}

// hold locks a new folder; nil if another process took it away. On systems without locks it is held without one.
func hold(path string) *os.File {
	lock, err := take(path)
	if errors.Is(err, errors.ErrUnsupported) {
		return lock
	}
	if err != nil {
		return nil
	}
	return lock
}

// take locks a folder that no one has. With errors.ErrUnsupported the file is open all the same.
func take(path string) (*os.File, error) {
	lock, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = result.TryLock(lock)
	if errors.Is(err, errors.ErrUnsupported) {
		return lock, err
	}
	mine, failed := lock.Stat()
	now, gone := os.Lstat(path)
	if err = errors.Join(err, failed, gone); err == nil && !os.SameFile(mine, now) {
		err = os.ErrNotExist
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}
